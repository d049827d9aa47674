import { formatCount } from "@/lib/format-count";
import type { Role } from "@/lib/platform/auth/schema";

export const SETTINGS_PAGE = {
  title: "Settings",
  description: "Your profile, your account and its members.",
};

export const ROLE_LABELS: Record<Role, { name: string; about: string }> = {
  owner: {
    name: "Owner",
    about: "Everything a member can do, plus managing members and the account.",
  },
  member: { name: "Member", about: "Keys, documents, usage and billing." },
};

/** How many days each kind of data is kept; 0 means forever. */
export interface Retention {
  usageDays: number;
  answerDays: number;
  activityDays: number;
}

/** Such as "400 days". */
export function formatDays(days: number): string {
  return formatCount(days, "day");
}

/** Such as "deleted after 400 days". */
export function formatRetention(days: number): string {
  return days === 0 ? "kept forever" : `deleted after ${formatDays(days)}`;
}
