"use client";

import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

interface TabListProps {
  label: string;
  /** Names the tabs and panels, from `useId`. */
  group: string;
  tabs: readonly { id: string; label: string }[];
  selected: string;
  onSelect: (id: string) => void;
  className: string;
  tabClassName: string;
}

/** The tabs of panels that are named by `panelOf`. Arrow keys, Home and End select and focus. */
export function TabList({ group, tabs, selected, onSelect, ...props }: TabListProps) {
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === selected);
    const steps: Record<string, number> = {
      ...{ ArrowRight: at + 1, ArrowLeft: at - 1 },
      ...{ Home: 0, End: tabs.length - 1 },
    };
    const step = steps[event.key];
    const next = step === undefined ? undefined : tabs.at(step % tabs.length);
    if (next) {
      event.preventDefault();
      document.getElementById(tabId(group, next.id))?.focus();
      onSelect(next.id);
    }
  };
  return (
    <div role="tablist" aria-label={props.label} onKeyDown={move} className={props.className}>
      {tabs.map(({ id, label }) => (
        <button
          key={id}
          id={tabId(group, id)}
          type="button"
          role="tab"
          aria-selected={id === selected}
          aria-controls={panelId(group, id)}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
          className={props.tabClassName}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** What makes an element the panel of a tab. */
export function panelOf(group: string, id: string) {
  return { id: panelId(group, id), role: "tabpanel", "aria-labelledby": tabId(group, id) };
}

function tabId(group: string, id: string): string {
  return `${group}-tab-${id.replaceAll(/\W/g, "-")}`;
}

function panelId(group: string, id: string): string {
  return `${group}-panel-${id.replaceAll(/\W/g, "-")}`;
}

interface TabsProps {
  label: string;
  tabs: readonly { id: string; label: string; content: ReactNode }[];
}

export function Tabs({ label, tabs }: TabsProps) {
  const group = useId();
  const [selected, select] = useState(tabs[0]?.id ?? "");
  return (
    <div>
      <TabList
        label={label}
        group={group}
        tabs={tabs}
        selected={selected}
        onSelect={select}
        className="mb-2 flex gap-1 border-b"
        tabClassName="-mb-px h-9 border-transparent border-b-2 px-3 text-muted hover:text-ink aria-selected:border-accent aria-selected:text-ink"
      />
      {tabs.map(({ id, content }) => (
        <div key={id} {...panelOf(group, id)} hidden={id !== selected}>
          {id === selected && content}
        </div>
      ))}
    </div>
  );
}
