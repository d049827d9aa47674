"use client";

import { MenuChoice } from "@/components/ui/menu";
import { useTheme } from "./theme";

const OPTIONS = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

/** The part of a menu that switches between light and dark. */
export function ThemeChoice() {
  const [theme, setTheme] = useTheme();
  return <MenuChoice label="Theme" value={theme} options={OPTIONS} onChange={setTheme} />;
}
