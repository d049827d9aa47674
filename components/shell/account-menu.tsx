"use client";

import { ChevronDown, LogOut } from "lucide-react";
import { toast } from "sonner";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";
import { signOut } from "@/lib/auth/client";
import { ThemeChoice } from "./theme-choice";

interface AccountMenuProps {
  email: string;
  name: string | null;
}

/** Who is signed in, and the way out. */
export function AccountMenu({ email, name }: AccountMenuProps) {
  const shown = name ?? email;
  const leave = () => {
    signOut().catch(() =>
      toast.error("You are still signed in: the server could not be reached. Try again."),
    );
  };
  return (
    <Menu
      trigger={
        <Button variant="ghost" className="max-w-56 px-1.5" aria-label={`Account of ${shown}`}>
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
      }
    >
      <MenuLabel>
        {name && <span className="font-medium">{name}</span>}
        <span className="truncate text-muted">{email}</span>
      </MenuLabel>
      <MenuSeparator />
      <ThemeChoice />
      <MenuSeparator />
      <MenuItem onSelect={leave}>
        <LogOut aria-hidden />
        Sign out
      </MenuItem>
    </Menu>
  );
}
