import "server-only";

import { listEvents } from "@/lib/audit/read";
import type { EventPage, ListEvents } from "@/lib/audit/schema";
import { query } from "@/lib/db/client";
import type { MemberContext } from "../context";
import { requireOwner } from "../require-owner";
import type { Role } from "../schema";

/** What was done in the account, newest first. Throws insufficient_scope unless the member owns it. */
export async function listActivity(ctx: MemberContext, input: ListEvents): Promise<EventPage> {
  const self = await query<{ id: string; role: Role }>(
    "auth_own_role",
    "SELECT id, role FROM member WHERE id = $1 AND account_id = $2",
    [ctx.actor.id, ctx.account.id],
  );
  requireOwner(ctx, self);
  return listEvents(ctx, input);
}
