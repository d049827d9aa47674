import type { OnboardingChecklist } from "@/lib/usage/schema";

export const OVERVIEW_PAGE = {
  title: "Overview",
  description: "Balance, health and usage for the last 30 days.",
};

interface Step {
  id: keyof OnboardingChecklist;
  name: string;
  about: string;
  action: string;
  href: string;
}

/** The checklist's steps, in order. */
export const STEPS: Step[] = [
  {
    id: "key",
    name: "Create a key",
    about: "Use one key per service.",
    action: "Go to API keys",
    href: "/keys",
  },
  {
    id: "document",
    name: "Add a document",
    about: "Answers can then cite your documents, alongside public knowledge.",
    action: "Go to documents",
    href: "/documents",
  },
  {
    id: "cited_answer",
    name: "Get a cited answer",
    about: "Ask in the playground, or send citations: {enabled: true} with your key.",
    action: "Open the playground",
    href: "/playground",
  },
  {
    id: "top_up",
    name: "Add funds",
    about: "Requests are paid from a prepaid balance.",
    action: "Go to billing",
    href: "/billing",
  },
];

const LONG_DAYS = 730;

/** How long the balance lasts. `days` is null when there was no recent spend. */
export function formatDaysLeft(days: number | null): string {
  if (days === null) {
    return "Not enough data yet";
  }
  if (days < 1) {
    return days === 0 ? "Empty" : "Less than a day";
  }
  const whole = Math.floor(days);
  if (whole >= LONG_DAYS) {
    return "More than 2 years";
  }
  return whole === 1 ? "About 1 day" : `About ${whole} days`;
}
