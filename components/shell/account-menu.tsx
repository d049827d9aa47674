"use client";

import { ChevronDown, Keyboard, LogOut, Settings } from "lucide-react";
import { useRef } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { signOutOrWarn, useCommands } from "./commands";
import { ThemeSwitch } from "./theme-switch";

const PANEL = "account-menu";
const ITEM = "w-full justify-start px-2";

/** The account menu. A native popover: the browser opens and closes it and manages focus. */
export function AccountMenu({ email, name }: { email: string; name: string | null }) {
  const shown = name || email;
  const panel = useRef<HTMLDivElement>(null);
  const { show } = useCommands();
  const hide = () => panel.current?.hidePopover();
  return (
    <>
      <Button
        variant="ghost"
        popoverTarget={PANEL}
        className="max-w-56 px-1.5 lg:max-w-80"
        aria-label={`Account: ${shown}`}
      >
        <span
          aria-hidden
          className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent text-xs uppercase"
        >
          {shown.charAt(0)}
        </span>
        <span aria-hidden title={shown} className="hidden truncate sm:block">
          {shown}
        </span>
        <ChevronDown aria-hidden />
      </Button>
      <div
        ref={panel}
        id={PANEL}
        popover="auto"
        className="fixed inset-auto top-11 right-4 w-60 animate-appear divide-y rounded-md border bg-raised text-ink shadow-lg sm:right-6"
      >
        <p className="grid gap-0.5 break-words px-3 py-2.5">
          {name && <span className="font-medium">{name}</span>}
          <span className="text-muted">{email}</span>
        </p>
        <div className="flex items-center justify-between px-3 py-2 text-muted">
          <span aria-hidden>Theme</span>
          <ThemeSwitch />
        </div>
        <div className="p-1">
          <ButtonLink href="/settings" variant="ghost" className={ITEM} onClick={hide}>
            <Settings aria-hidden />
            Settings
          </ButtonLink>
          <Button
            variant="ghost"
            className={ITEM}
            aria-haspopup="dialog"
            onClick={() => {
              // First, so that focus is on the menu's button, where the dialog returns it.
              hide();
              show("shortcuts");
            }}
          >
            <Keyboard aria-hidden />
            Keyboard shortcuts
          </Button>
        </div>
        <div className="p-1">
          <Button variant="ghost" className={ITEM} onClick={signOutOrWarn}>
            <LogOut aria-hidden />
            Sign out
          </Button>
        </div>
      </div>
    </>
  );
}
