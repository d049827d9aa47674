import * as z from "zod";
import { Credits } from "@/lib/money/billing/schema";
import { LoggedRequest } from "./schema";

const milliseconds = z.number().nullable();

/** A new account's progress. */
export const OnboardingChecklist = z.object({
  key: z.boolean(),
  document: z.boolean(),
  cited_answer: z.boolean(),
  top_up: z.boolean().nullable().describe("Null when this server takes no payments."),
});
export type OnboardingChecklist = z.infer<typeof OnboardingChecklist>;

/** Days are UTC. */
export const Overview = z.object({
  object: z.literal("overview"),
  credits: Credits,
  week_spend_usd: z.string().describe("Cost of the last 7 × 24 hours."),
  /** How many days the available balance lasts at that rate; null when nothing was spent. */
  days_left: z.number().nullable(),
  from: z.string(),
  to: z.string(),
  /** Days and kinds without a request are left out. */
  days: z.array(
    z.object({ day: z.string(), kind: z.string(), requests: z.number(), cost_usd: z.string() }),
  ),
  total: z.object({
    requests: z.int(),
    failed_requests: z.int(),
    disconnected_requests: z.int().describe("Failed requests whose client disconnected."),
    refused_requests: z.int().describe("Failed before any work began; not in `requests`."),
    cost_usd: z.string(),
  }),
  /** Every day of the range; `requests` include refused ones. */
  trend: z.array(
    z.object({
      day: z.string(),
      requests: z.int(),
      errors: z.int().describe("Failed and refused requests."),
      cost_usd: z.string(),
      p50_ms: milliseconds.describe("Of successful completions; null on a day without any."),
    }),
  ),
  /** Of successful completions; null without any, or without a streamed one. */
  latency: z.object({
    completions: z.int(),
    p50_ms: milliseconds,
    p95_ms: milliseconds,
    streamed: z.int(),
    first_token_p50_ms: milliseconds,
    first_token_p95_ms: milliseconds,
  }),
  recent: z.array(LoggedRequest).describe("The latest requests."),
  steps: OnboardingChecklist,
});
export type Overview = z.infer<typeof Overview>;

export const DismissOnboarding = z.strictObject({ is_dismissed: z.boolean() });
export const OnboardingDismissed = z.object({
  object: z.literal("overview.steps"),
  is_dismissed: z.boolean(),
});
