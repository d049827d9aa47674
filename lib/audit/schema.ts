import * as z from "zod";

/** All that leaves an event. Past tense: an event tells of what was done. */
const ACTIONS = [
  "key.created",
  "key.changed",
  "key.rotated",
  "key.revoked",
  "member.invited",
  "invitation.revoked",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "password.changed",
  "password.reset",
  "sessions.ended",
  "account.renamed",
  "account.closed",
  "checkout.started",
  "funds.added",
  "funds.refunded",
  "funds.restored",
  "low_balance.changed",
] as const;
const Action = z.enum(ACTIONS);
export type Action = z.infer<typeof Action>;

/** What an action needs beside its object: words of ours, counts and amounts; never a text somebody wrote. */
const EventDetails = z.object({
  /** Which of a key's settings changed. */
  changed: z.array(z.string()).optional(),
  /** How long a rotated key's earlier secrets go on. */
  overlap_seconds: z.number().optional(),
  role: z.string().optional(),
  /** How many sessions ended. */
  count: z.number().optional(),
  /** A decimal string of US dollars, never negative. */
  amount_usd: z.string().optional(),
});
export type EventDetails = z.infer<typeof EventDetails>;

export const ListEvents = z.strictObject({
  after: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export type ListEvents = z.output<typeof ListEvents>;

const Named = z.object({
  id: z.string(),
  /** What it is called now, or was when it was last heard of; null when nothing is known of it. */
  name: z.string().nullable(),
});

const AuditEvent = z.object({
  id: z.string(),
  object: z.literal("audit_event"),
  /** A version may read what a newer one wrote. */
  action: z.string(),
  /** `system`: what came from outside a request, by the name of the payment provider. */
  actor: Named.extend({ kind: z.enum(["member", "key", "system"]) }),
  target: Named,
  details: EventDetails,
  request_id: z.string().nullable(),
  created_at: z.string(),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const EventPage = z.object({
  object: z.literal("list"),
  data: z.array(AuditEvent),
  has_more: z.boolean(),
  /** Pass as `after` for the next page; null on the last one. */
  next_cursor: z.string().nullable(),
});
export type EventPage = z.infer<typeof EventPage>;
