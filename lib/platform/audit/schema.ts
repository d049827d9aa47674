import * as z from "zod";
import { cursorPageOf } from "@/lib/platform/http/list-page";

export type Action =
  | "key.created"
  | "key.changed"
  | "key.rotated"
  | "key.revoked"
  | "preset.created"
  | "preset.changed"
  | "preset.deleted"
  | "member.invited"
  | "invitation.revoked"
  | "member.joined"
  | "member.role_changed"
  | "member.removed"
  | "password.changed"
  | "password.reset"
  | "sessions.ended"
  | "account.renamed"
  | "account.closed"
  | "originals.kept"
  | "originals.not_kept"
  | "checkout.started"
  | "funds.added"
  | "funds.refunded"
  | "funds.restored"
  | "low_balance.changed"
  | "sharing.changed"
  | "link.created"
  | "link.revoked";

/** Our own words, counts and amounts; never user-written text. */
const EventDetails = z.object({
  /** The key settings that changed. */
  changed: z.array(z.string()).optional(),
  /** How long a rotated key's earlier secrets stay valid. */
  overlap_seconds: z.number().optional(),
  /** The ids of the vector stores that a new key is bound to. */
  stores: z.array(z.string()).optional(),
  role: z.string().optional(),
  is_enabled: z.boolean().optional(),
  /** Number of sessions ended. */
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
  /** The current or last known name. */
  name: z.string().nullable(),
});

const AuditEvent = z.object({
  id: z.string(),
  object: z.literal("audit_event"),
  /** Any string: a newer version may have written it. */
  action: z.string(),
  /** `system`: outside a request; the name is the payment provider's. */
  actor: Named.extend({ kind: z.enum(["member", "key", "system"]) }),
  target: Named,
  details: EventDetails,
  request_id: z.string().nullable(),
  created_at: z.string(),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const EventPage = cursorPageOf(AuditEvent);
export type EventPage = z.infer<typeof EventPage>;
