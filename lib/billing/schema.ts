import * as z from "zod";

/** Amounts are decimal strings of US dollars with six places. */
export const Credits = z.object({
  object: z.literal("billing.credits"),
  currency: z.literal("usd"),
  balance_usd: z.string(),
  /** Reserved for requests in flight. */
  held_usd: z.string(),
  /** What a new request may use: balance less holds. */
  available_usd: z.string(),
  updated_at: z.string(),
});
export type Credits = z.infer<typeof Credits>;
