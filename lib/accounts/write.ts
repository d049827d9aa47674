import "server-only";

import { anonymizeActors, recordEvent } from "@/lib/audit/write";
import type { MemberContext } from "@/lib/auth/context";
import { requireOwner } from "@/lib/auth/read";
import type { CloseAccount } from "@/lib/auth/settings-schema";
import { lockAccount, lockMembers, purgeAccountMembers } from "@/lib/auth/write/members";
import { purgeAccountReceipts } from "@/lib/billing/write/checkout";
import { purgeAccountCompletions } from "@/lib/chat/write/stored";
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
    const name = await lockAccount(tx, ctx);
    requireOwner(ctx, await lockMembers(tx, ctx));
    if (name?.trim() !== confirmation) {
      throw new AppError("invalid_request", "Type the account's name exactly as shown.", {
        param: "confirmation",
      });
    }
    for (const purge of PURGES) {
      await purge(tx, ctx.account.id);
    }
    await recordEvent(tx, ctx, { action: "account.closed", target: ctx.account });
    await anonymizeActors(tx, ctx.account.id);
  });
}
