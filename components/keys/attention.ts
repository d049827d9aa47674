import type { Tone } from "@/components/ui/badge";
import { EXPIRING_DAYS } from "@/lib/money/keys/filter";
import type { Key } from "@/lib/money/keys/schema";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A key that nothing has used for this long is probably forgotten. */
const UNUSED_DAYS = 90;
/** A new key gets this long before its first request. */
const NEVER_USED_DAYS = 14;
const NEARLY_USED_UP = 0.8;

interface Notice {
  tone: Tone;
  /** Such as "Expires in 4 days". */
  label: string;
  /** What to do about it. */
  advice: string;
}

/** What about a key needs its owner's attention, the most urgent first. Nothing once it has ended. */
export function noticesOf(key: Key, now = Date.now()): Notice[] {
  if (key.status !== "usable") {
    return [];
  }
  return [expiry(key, now), budget(key), oldSecret(key), idleness(key, now)].flatMap(
    (notice) => notice ?? [],
  );
}

function expiry({ expires_at }: Key, now: number): Notice | null {
  const days = expires_at ? Math.ceil((Date.parse(expires_at) - now) / DAY_MS) : null;
  return days === null || days > EXPIRING_DAYS
    ? null
    : {
        tone: "warning",
        label: days <= 1 ? "Expires within a day" : `Expires in ${days} days`,
        advice: "You can’t extend a key. Create a new one and switch your service to it first.",
      };
}

/** The part of the monthly budget that is spent, from 0; null without a budget. */
export function budgetShare({
  monthly_budget_usd: budget,
  month_spend_usd: spend,
}: Pick<Key, "monthly_budget_usd" | "month_spend_usd">): number | null {
  return budget === null ? null : Number(spend) / Number(budget);
}

function budget(key: Key): Notice | null {
  const share = budgetShare(key);
  if (share === null || share < NEARLY_USED_UP) {
    return null;
  }
  return share >= 1
    ? {
        tone: "danger",
        label: "Budget used up",
        advice: "Requests fail with 402 until the month ends (UTC). Raise the budget to continue.",
      }
    : {
        tone: "warning",
        label: `${Math.floor(share * 100)}% of budget used`,
        advice: "At 100%, requests fail with 402 until the month ends (UTC).",
      };
}

function oldSecret({ replaced_secrets }: Key): Notice | null {
  return replaced_secrets.some(({ last_used_at }) => last_used_at !== null)
    ? {
        tone: "warning",
        label: "Old secret in use",
        advice: "A service still sends the replaced secret. Update it before that secret expires.",
      }
    : null;
}

function idleness({ last_used_at, created_at }: Key, now: number): Notice | null {
  const days = Math.floor((now - Date.parse(last_used_at ?? created_at)) / DAY_MS);
  const advice = "If no service needs this key, revoke it: a forgotten key is a risk.";
  if (last_used_at === null) {
    return days >= NEVER_USED_DAYS ? { tone: "neutral", label: "Never used", advice } : null;
  }
  return days >= UNUSED_DAYS ? { tone: "neutral", label: `Unused for ${days} days`, advice } : null;
}
