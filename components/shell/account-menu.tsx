"use client";

import { ChevronDown, LogOut } from "lucide-react";
import { Button } from "@/components/ui/button";
import { signOut } from "@/lib/auth/client";
import { ThemeSwitch } from "./theme-switch";

const PANEL = "account-menu";
const NOT_SIGNED_OUT = "You are still signed in: the server could not be reached. Try again.";

interface AccountMenuProps {
  email: string;
  name: string | null;
}

/** Who is signed in, and the way out. A popover: the browser opens it, closes it and keeps its focus. */
export function AccountMenu({ email, name }: AccountMenuProps) {
  const shown = name || email;
  const leave = () => {
    signOut().catch(async () => (await import("sonner")).toast.error(NOT_SIGNED_OUT));
  };
  return (
    <>
      <Button
        variant="ghost"
        popoverTarget={PANEL}
        className="max-w-56 px-1.5"
        aria-label={`Account of ${shown}`}
      >
        <span
          aria-hidden
          className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent text-xs uppercase"
        >
          {shown.charAt(0)}
        </span>
        <span aria-hidden className="hidden truncate sm:block">
          {shown}
        </span>
        <ChevronDown aria-hidden />
      </Button>
      <div
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
          <Button variant="ghost" className="w-full justify-start px-2" onClick={leave}>
            <LogOut aria-hidden />
            Sign out
          </Button>
        </div>
      </div>
    </>
  );
}
