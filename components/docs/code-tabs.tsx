"use client";

import { Tabs } from "radix-ui";
import { type ComponentProps, createContext, useContext, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { pressEvents } from "@/components/ui/tabs";

/** In local storage, and the event of a change. */
const KEY = "footnote:language";

const InTabs = createContext(false);

/** Whether a code block is a tab, which shows its name. */
export function useIsTab(): boolean {
  return useContext(InTabs);
}

interface CodeTabsProps {
  languages: readonly string[];
  children: React.ReactNode;
}

/** The same code in several languages. All of the site's tabs show the language that was chosen last. */
export function CodeTabs({ languages, children }: CodeTabsProps) {
  const chosen = useSyncExternalStore(subscribe, read, () => null);
  const language = chosen && languages.includes(chosen) ? chosen : (languages[0] ?? "");
  return (
    <Tabs.Root
      value={language}
      onValueChange={choose}
      className="min-w-0 rounded-lg bg-code text-on-code"
    >
      <Tabs.List
        aria-label="Language"
        className="flex h-10 gap-1 overflow-x-auto border-on-code/15 border-b pr-20 pl-2"
      >
        {languages.map((name) => (
          <Tabs.Trigger
            key={name}
            value={name}
            {...pressEvents}
            className="-mb-px shrink-0 data-pressed:outline-none rounded-t-md border-transparent border-b-2 px-2.5 text-on-code/75 text-xs outline-offset-[-3px] outline-on-code hover:text-on-code data-[state=active]:border-code-key data-[state=active]:text-on-code"
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <InTabs value={true}>{children}</InTabs>
    </Tabs.Root>
  );
}

/** One language. Without JavaScript all of them are shown, by a rule of the page's frame. */
export function CodeTab(props: ComponentProps<typeof Tabs.Content>) {
  return (
    <Tabs.Content
      {...props}
      forceMount
      tabIndex={-1}
      data-code-tab=""
      className="data-[state=inactive]:hidden"
    />
  );
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Changes every sample of the page, and keeps the clicked one in its place on the screen. */
function choose(language: string): void {
  const trigger = document.activeElement;
  const before = trigger?.getBoundingClientRect().top ?? 0;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage may be disabled: the tabs then stay as they are.
  }
  flushSync(() => window.dispatchEvent(new Event(KEY)));
  window.scrollBy({
    top: (trigger?.getBoundingClientRect().top ?? 0) - before,
    behavior: "instant",
  });
}

/** Follows changes in other tabs of the browser too. */
function subscribe(onChange: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY) {
      onChange();
    }
  };
  window.addEventListener(KEY, onChange);
  window.addEventListener("storage", onStorage);
  return () => {
    window.removeEventListener(KEY, onChange);
    window.removeEventListener("storage", onStorage);
  };
}
