/** The pages of the settings, in their order. */
export const SETTINGS_PAGES = [
  { id: "profile", name: "Profile", href: "/settings" },
  { id: "security", name: "Security", href: "/settings/security" },
  { id: "account", name: "Account and members", href: "/settings/account" },
  { id: "data", name: "Data", href: "/settings/data" },
  { id: "activity", name: "Activity", href: "/settings/activity" },
] as const;

export type SettingsPage = (typeof SETTINGS_PAGES)[number];

/** By the path below `/settings`; null for any other. */
export function findSettingsPage(path: readonly string[] = []): SettingsPage | null {
  const href = ["/settings", ...path].join("/");
  return SETTINGS_PAGES.find((page) => page.href === href) ?? null;
}
