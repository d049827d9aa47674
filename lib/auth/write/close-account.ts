import "server-only";

import { anonymizeActors, recordEvent } from "@/lib/audit/write";
import { transaction } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import type { MemberContext } from "../context";
import { requireOwner } from "../require-owner";
import type { CloseAccount } from "../settings-schema";
import { lockMembers } from "./members";

/** What hangs on an account and goes with it, in this order: a person cannot go before the keys bound to them. */
const EMPTYING = [
  [
    "auth_close_secrets",
    "DELETE FROM key_secret WHERE key_id IN (SELECT k.id FROM api_key k WHERE k.account_id = $1)",
  ],
  ["auth_close_keys", "DELETE FROM api_key WHERE account_id = $1"],
  ["auth_close_answers", "DELETE FROM stored_completion WHERE account_id = $1"],
  [
    "auth_close_collections",
    `DELETE FROM collection WHERE account_id = $1
        OR person_id IN (SELECT p.id FROM person p WHERE p.account_id = $1)`,
  ],
  ["auth_close_documents", "DELETE FROM document WHERE account_id = $1"],
  ["auth_close_tombstones", "DELETE FROM document_tombstone WHERE account_id = $1"],
  ["auth_close_jobs", "DELETE FROM job WHERE account_id = $1"],
  ["auth_close_persons", "DELETE FROM person WHERE account_id = $1"],
  ["auth_close_invitations", "DELETE FROM invitation WHERE account_id = $1"],
  ["auth_close_members", "DELETE FROM member WHERE account_id = $1"],
  [
    "auth_close_receipts",
    "UPDATE checkout_session SET receipt_email = NULL WHERE account_id = $1 AND receipt_email IS NOT NULL",
  ],
  [
    "auth_close_account",
    "UPDATE account SET name = 'Deleted account', closed_at = now(), updated_at = now() WHERE id = $1",
  ],
] as const;

/**
 * Deletes the account for good: its members, keys, documents and stored answers, and its names. Its row stays,
 * because the ledger and the payments that point at it are records the operator must keep; usage records and
 * audit events, which hold neither text nor names, go when their time comes. Throws insufficient_scope, or invalid_request without the right name.
 */
export async function closeAccount(
  ctx: MemberContext,
  { confirmation }: CloseAccount,
): Promise<void> {
  await transaction(async (tx) => {
    const [account] = await tx.query<{ name: string }>(
      "auth_lock_account",
      "SELECT name FROM account WHERE id = $1 FOR UPDATE",
      [ctx.account.id],
    );
    requireOwner(ctx, await lockMembers(tx, ctx));
    if (account?.name.trim() !== confirmation) {
      throw new AppError("invalid_request", "Type the account's name exactly as it stands here.", {
        param: "confirmation",
      });
    }
    for (const [name, statement] of EMPTYING) {
      await tx.query(name, statement, [ctx.account.id]);
    }
    await recordEvent(tx, ctx, { action: "account.closed", target: ctx.account });
    await anonymizeActors(tx, ctx.account.id);
  });
}
