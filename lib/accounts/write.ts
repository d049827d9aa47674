import "server-only";

import { anonymizeActors, recordEvent } from "@/lib/audit/write";
import type { AnonymousContext, MemberContext } from "@/lib/auth/context";
import { requireOwner } from "@/lib/auth/read";
import type { ResetPassword } from "@/lib/auth/schema";
import type { CloseAccount, RemovedMember } from "@/lib/auth/settings-schema";
import {
  deleteMember,
  lockAccount,
  lockMembers,
  lockRemovableMember,
  purgeAccountMembers,
} from "@/lib/auth/write/members";
import { setPasswordByLink } from "@/lib/auth/write/reset";
import { purgeAccountReceipts } from "@/lib/billing/write/checkout";
import { purgeAccountCompletions } from "@/lib/chat/write/delete-stored";
import { transaction } from "@/lib/db/client";
import { purgeAccountDocuments } from "@/lib/documents/write/remove";
import { AppError } from "@/lib/errors";
import { purgeAccountKeys } from "@/lib/keys/write/keys";
import { listCreatedKeys, revokeMemberKeys } from "@/lib/keys/write/member-keys";
import { purgeAccountPresets } from "@/lib/presets/write";
import { purgeAccountLinks } from "@/lib/sharing/write";
import { purgeAccountRefusals } from "@/lib/usage/write";

/** Keys and personal collections reference a person, so documents go before keys, which take the persons along. */
const PURGES = [
  purgeAccountPresets,
  purgeAccountCompletions,
  purgeAccountDocuments,
  purgeAccountKeys,
  purgeAccountReceipts,
  purgeAccountMembers,
  purgeAccountRefusals,
  purgeAccountLinks,
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

/**
 * Ends the member's sessions and revokes the keys that read their documents; their other keys and documents stay with the
 * account. Anyone may remove themselves. Throws insufficient_scope, not_found, or conflict when no owner would be left.
 */
export async function removeMember(ctx: MemberContext, id: string): Promise<RemovedMember> {
  return transaction(async (tx) => {
    const member = await lockRemovableMember(tx, ctx, id);
    const revoked = await revokeMemberKeys(tx, ctx, { memberId: id, isAll: false });
    const remaining = await listCreatedKeys(tx, ctx.account.id, id);
    await deleteMember(tx, ctx, member);
    return {
      object: "member",
      id,
      deleted: true,
      revoked_keys: revoked,
      remaining_keys: remaining,
    };
  });
}

/**
 * Sets a new password. With `revoke_keys`, also revokes the keys that the member created and those bound to them, since
 * someone who knew the old password may have copied them. Returns how many it revoked. Throws invalid_request for a used
 * or expired link or a weak password.
 */
export async function resetPassword(ctx: AnonymousContext, input: ResetPassword): Promise<number> {
  let revoked = 0;
  await setPasswordByLink(ctx, input, async (tx, author) => {
    if (input.revoke_keys) {
      const keys = await revokeMemberKeys(tx, author, { memberId: author.actor.id, isAll: true });
      revoked = keys.length;
    }
  });
  return revoked;
}
