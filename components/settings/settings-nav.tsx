import Link from "next/link";
import { useEffect, useRef } from "react";
import { SETTINGS_PAGES, type SettingsPage } from "./pages";

interface SettingsNavProps {
  current: SettingsPage["id"];
  /** Owners see the account's activity. */
  isOwner: boolean;
}

/** Links between the pages of the settings. On a phone they scroll sideways, and the current one is in the middle. */
export function SettingsNav({ current, isOwner }: SettingsNavProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const box = list.current;
    const link = box?.querySelector<HTMLElement>("[aria-current]");
    if (box && link) {
      // Not `scrollIntoView`, which would scroll the page too.
      const middle = (box.clientWidth - link.offsetWidth) / 2;
      box.scrollTo({ left: link.offsetLeft - box.offsetLeft - middle });
    }
  });
  return (
    <nav aria-label="Settings" className="mb-6 print:hidden">
      <ul
        ref={list}
        className="scroll-fade-x flex gap-1 overflow-x-auto overflow-y-hidden border-b [scrollbar-width:none]"
      >
        {SETTINGS_PAGES.filter(({ id }) => isOwner || id !== "activity").map(
          ({ id, name, href }) => (
            <li key={id} className="shrink-0">
              <Link
                href={href}
                aria-current={id === current ? "page" : undefined}
                className="flex h-9 items-center whitespace-nowrap border-transparent border-b-2 px-3 text-muted -outline-offset-2 hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
              >
                {name}
              </Link>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}
