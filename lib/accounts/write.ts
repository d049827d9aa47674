import "server-only";

import { anonymizeActors, recordEvent } from "@/lib/audit/write";
import type { MemberContext } from "@/lib/auth/context";
import { requireOwner } from "@/lib/auth/read";
import type { CloseAccount } from "@/lib/auth/settings-schema";
import { lockMembers, purgeAccountMembers } from "@/lib/auth/write/members";
import { purgeAccountReceipts } from "@/lib/billing/write/checkout";
import { purgeAccountCompletions } from "@/lib/chat/write/delete-expired";
import { transaction } from "@/lib/db/client";
import { purgeAccountDocuments } from "@/lib/documents/write/remove";
import { AppError } from "@/lib/errors";
import { purgeAccountKeys } from "@/lib/keys/write/keys";

/** Keys and personal collections reference a person, so documents go before keys, which take the persons along. */
const PURGES = [
  purgeAccountCompletions,
  purgeAccountDocuments,
  purgeAccountKeys,
  purgeAccountReceipts,
  purgeAccountMembers,
];

/**
 * Deletes the account's members, keys, documents, stored answers and names. Its row stays, because the ledger and
 * payments reference it; usage records and audit events, which hold neither text nor names, expire on their own.
 * Throws insufficient_scope, or invalid_request when the confirmation doesn't match the name.
 */
export async function closeAccount(
  ctx: MemberContext,
  { confirmation }: CloseAccount,
): Promise<void> {
  await transaction(async (tx) => {
    const [account] = await tx.query<{ name: string }>(
      "accounts_lock",
      "SELECT name FROM account WHERE id = $1 FOR UPDATE",
      [ctx.account.id],
    );
    requireOwner(ctx, await lockMembers(tx, ctx));
    if (account?.name.trim() !== confirmation) {
      throw new AppError("invalid_request", "Type the account's name exactly as shown.", {
        param: "confirmation",
      });
    }
    for (const purge of PURGES) {
      await purge(tx, ctx.account.id);
    }
    await tx.query(
      "accounts_close",
      "UPDATE account SET name = 'Deleted account', closed_at = now(), updated_at = now() WHERE id = $1",
      [ctx.account.id],
    );
    await recordEvent(tx, ctx, { action: "account.closed", target: ctx.account });
    await anonymizeActors(tx, ctx.account.id);
  });
}
