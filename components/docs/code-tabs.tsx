"use client";

import { createContext, type ReactNode, useContext, useId, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { browserChoice } from "@/components/ui/browser-choice";
import { panelOf, TabList } from "@/components/ui/tabs";

const LANGUAGE = browserChoice("footnote:language");

const Group = createContext({ id: "", language: "" });

/** Whether a code block is a tab, which shows its name. */
export function useIsTab(): boolean {
  return useContext(Group).id !== "";
}

interface CodeTabsProps {
  languages: readonly string[];
  children: ReactNode;
}

/** The same code in several languages. All of the site's tabs show the language that was chosen last. */
export function CodeTabs({ languages, children }: CodeTabsProps) {
  const id = useId();
  const chosen = useSyncExternalStore(LANGUAGE.subscribe, LANGUAGE.read, () => null);
  const language = chosen && languages.includes(chosen) ? chosen : (languages[0] ?? "");
  return (
    <div className="min-w-0 rounded-lg bg-code text-on-code">
      <TabList
        label="Language"
        group={id}
        tabs={languages.map((name) => ({ id: name, label: name }))}
        selected={language}
        onSelect={choose}
        className="flex h-10 gap-1 overflow-x-auto border-on-code/15 border-b pr-20 pl-2"
        tabClassName="-mb-px shrink-0 rounded-t-md border-transparent border-b-2 px-2.5 text-on-code/75 text-xs outline-on-code outline-offset-[-3px] hover:text-on-code aria-selected:border-code-key aria-selected:text-on-code"
      />
      <Group value={{ id, language }}>{children}</Group>
    </div>
  );
}

/** One language. Without JavaScript all of them are shown, by a rule of the page's frame. */
export function CodeTab({ value, children }: { value: string; children: ReactNode }) {
  const { id, language } = useContext(Group);
  return (
    <div
      {...panelOf(id, value)}
      data-code-tab=""
      className={value === language ? undefined : "hidden"}
    >
      {children}
    </div>
  );
}

/** Changes every sample of the page, and keeps the clicked one in its place on the screen. */
function choose(language: string): void {
  const trigger = document.activeElement;
  const before = trigger?.getBoundingClientRect().top ?? 0;
  flushSync(() => LANGUAGE.write(language));
  window.scrollBy({
    top: (trigger?.getBoundingClientRect().top ?? 0) - before,
    behavior: "instant",
  });
}
