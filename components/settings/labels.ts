import type { Role } from "@/lib/auth/schema";

export const SETTINGS_PAGE = {
  title: "Settings",
  description: "You, your account, and who else may use it.",
};

export const ROLE_LABELS: Record<Role, { name: string; about: string }> = {
  owner: {
    name: "Owner",
    about: "Everything a member may, and managing members and the account itself.",
  },
  member: { name: "Member", about: "Keys, documents, usage and billing." },
};

/** Such as "400 days" or "for ever", for a number of days where 0 means no end. */
export function formatDays(days: number): string {
  if (days === 0) {
    return "for ever";
  }
  return days === 1 ? "1 day" : `${days.toLocaleString("en-US")} days`;
}
