import "server-only";

import { findStoredByRequest } from "@/lib/answers/chat/read/stored";
import { conflict, insufficientScope, notFound } from "@/lib/errors";
import { newId } from "@/lib/id";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { readQuote } from "@/lib/library/documents/read/open";
import { recordEvent } from "@/lib/platform/audit/write";
import type { MemberContext } from "@/lib/platform/auth/context";
import { isOwner, isSharingEnabled } from "@/lib/platform/auth/read";
import { accountPurge } from "@/lib/platform/db/account-purge";
import { transaction } from "@/lib/platform/db/client";
import { type LinkRow, toLink } from "./read";
import type { CreateLink, LinkRevoked, SharedLink } from "./schema";

/** Per account, expired ones aside. */
const MAX_LINKS = 10_000;

/**
 * Creates a link to a stored answer or a quote that the member may read. Throws insufficient_scope while sharing is off,
 * not_found for a target the member can't read, and conflict when the account has too many links.
 */
export async function createLink(ctx: MemberContext, input: CreateLink): Promise<SharedLink> {
  if (!(await isSharingEnabled(ctx.account.id))) {
    throw insufficientScope(
      "Sharing by link is off for this account. An owner can allow it in Settings.",
    );
  }
  await requireTarget(ctx, input);
  const id = newId("sharedLink");
  return transaction(async (tx) => {
    await tx.query(
      "sharing_delete_expired",
      "DELETE FROM shared_link WHERE account_id = $1 AND expires_at <= now()",
      [ctx.account.id],
    );
    const [row] = await tx.query<LinkRow>(
      "sharing_create",
      `INSERT INTO shared_link (id, account_id, member_id, request_id, document_id, quote_ref, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, now() + make_interval(days => $7::int)
        WHERE (SELECT count(*) FROM shared_link WHERE account_id = $2) < $8
       RETURNING id, member_id, created_at, expires_at`,
      [
        id,
        ctx.account.id,
        ctx.actor.id,
        input.request_id ?? null,
        input.document_id ?? null,
        input.quote ?? null,
        input.expires_in_days,
        MAX_LINKS,
      ],
    );
    if (!row) {
      throw conflict(
        `The account has ${MAX_LINKS.toLocaleString("en-US")} shared links. Revoke some first.`,
      );
    }
    await recordEvent(tx, ctx, { action: "link.created", target: { id } });
    return toLink(row, ctx.actor);
  });
}

async function requireTarget(
  ctx: MemberContext,
  { request_id, document_id, quote }: CreateLink,
): Promise<void> {
  if (request_id !== undefined) {
    if ((await findStoredByRequest(ctx, request_id))?.access !== "shown") {
      throw notFound(
        "There is no stored answer of this request that you can read. Answers are only stored if the request has 'store': true.",
        "request_id",
      );
    }
    return;
  }
  const reader = await toReaderContext(ctx);
  const found = await readQuote(reader, { id: document_id ?? "", ref: quote ?? "" });
  if (found.status !== "current" && found.status !== "moved") {
    throw notFound("The document no longer contains this quote.", "quote");
  }
}

/** Ends a link at once. Its creator and owners may. Throws not_found. */
export async function revokeLink(
  ctx: MemberContext,
  id: string,
): Promise<(typeof LinkRevoked)["_output"]> {
  const isAny = await isOwner(ctx);
  await transaction(async (tx) => {
    const [gone] = await tx.query(
      "sharing_revoke",
      "DELETE FROM shared_link WHERE id = $1 AND account_id = $2 AND ($3 OR member_id = $4) RETURNING id",
      [id, ctx.account.id, isAny, ctx.actor.id],
    );
    if (!gone) {
      throw notFound(
        "There is no such link, or you can't revoke it. Only its creator and owners of the account can.",
      );
    }
    await recordEvent(tx, ctx, { action: "link.revoked", target: { id } });
  });
  return { id, deleted: true };
}

export const purgeAccountLinks = accountPurge({
  sharing_purge: "DELETE FROM shared_link WHERE account_id = $1",
});
