"use client";

import { SunMoon } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { ThemeChoice } from "./theme-choice";

/** The theme on pages without an account menu. */
export function ThemeMenu() {
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label="Theme">
          <SunMoon aria-hidden />
        </Button>
      }
    >
      <ThemeChoice />
    </Menu>
  );
}
