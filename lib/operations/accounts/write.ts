import "server-only";

import { purgeAccountCompletions } from "@/lib/answers/chat/write/delete-stored";
import { purgeAccountPresets } from "@/lib/answers/presets/write";
import { purgeAccountLinks } from "@/lib/answers/sharing/write";
import { invalidRequest } from "@/lib/errors";
import { purgeAccountDocuments } from "@/lib/library/documents/write/remove";
import { purgeAccountReceipts } from "@/lib/money/billing/write/checkout";
import { purgeAccountKeys } from "@/lib/money/keys/write/keys";
import { listCreatedKeys, revokeMemberKeys } from "@/lib/money/keys/write/member-keys";
import { purgeAccountRefusals } from "@/lib/money/usage/write";
import { anonymizeActors, recordEvent } from "@/lib/platform/audit/write";
import type { AnonymousContext, MemberContext } from "@/lib/platform/auth/context";
import { requireOwner } from "@/lib/platform/auth/read";
import type { ResetPassword } from "@/lib/platform/auth/schema";
import type { CloseAccount, RemovedMember } from "@/lib/platform/auth/settings-schema";
import {
  deleteMember,
  lockAccount,
  lockMembers,
  lockRemovableMember,
  purgeAccountMembers,
} from "@/lib/platform/auth/write/members";
import { setPasswordByLink } from "@/lib/platform/auth/write/reset";
import { transaction } from "@/lib/platform/db/client";

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
      throw invalidRequest("Type the account's name exactly as shown.", "confirmation");
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
