import "server-only";

import { recordEvent } from "@/lib/audit/write";
import { type Session, transaction } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import type { MemberContext } from "../context";
import { getSettings, requireOwner } from "../read";
import type { Role } from "../schema";
import type { ChangeRole, Settings } from "../settings-schema";

interface MemberRow extends Record<string, unknown> {
  id: string;
  email: string;
  name: string | null;
  role: Role;
}

/** The members of the account, each locked until the transaction ends, so that its last owner stays one. */
export function lockMembers(tx: Session, { account }: MemberContext): Promise<MemberRow[]> {
  return tx.query<MemberRow>(
    "auth_lock_members",
    "SELECT id, email, name, role FROM member WHERE account_id = $1 ORDER BY id FOR UPDATE",
    [account.id],
  );
}

/** Throws insufficient_scope, not_found, or conflict when the account would be left without an owner. */
export async function changeRole(
  ctx: MemberContext,
  id: string,
  { role }: ChangeRole,
): Promise<Settings> {
  await transaction(async (tx) => {
    const members = await lockMembers(tx, ctx);
    requireOwner(ctx, members);
    const member = requireRemainingOwner(members, id, role);
    if (member.role === role) {
      return;
    }
    await tx.query("auth_change_role", "UPDATE member SET role = $2 WHERE id = $1", [id, role]);
    const target = { id, name: member.name ?? member.email };
    await recordEvent(tx, ctx, { action: "member.role_changed", target, details: { role } });
  });
  return getSettings(ctx);
}

/**
 * Removes a member, whose sessions end at once; their keys and documents stay the account's. Anyone may remove
 * themselves. Throws insufficient_scope, not_found, or conflict when no owner would be left.
 */
export async function removeMember(ctx: MemberContext, id: string): Promise<void> {
  await transaction(async (tx) => {
    const members = await lockMembers(tx, ctx);
    if (id !== ctx.actor.id) {
      requireOwner(ctx, members);
    }
    const member = requireRemainingOwner(members, id, null);
    await tx.query("auth_remove_member", "DELETE FROM member WHERE id = $1", [id]);
    const target = { id, name: member.name ?? member.email };
    await recordEvent(tx, ctx, { action: "member.removed", target });
  });
}

/** The member it is about. */
function requireRemainingOwner(
  members: readonly MemberRow[],
  id: string,
  role: Role | null,
): MemberRow {
  const member = members.find((each) => each.id === id);
  if (!member) {
    throw new AppError("not_found", "There is no such member in this account. Reload the list.");
  }
  const isOwnerLeft = members.some((each) => each.role === "owner" && each.id !== id);
  if (!isOwnerLeft && role !== "owner") {
    throw new AppError(
      "conflict",
      "An account needs an owner. Make another member an owner first, or delete the account.",
    );
  }
  return member;
}

export async function purgeAccountMembers(tx: Session, accountId: string): Promise<void> {
  await tx.query("auth_purge_invitations", "DELETE FROM invitation WHERE account_id = $1", [
    accountId,
  ]);
  await tx.query("auth_purge_members", "DELETE FROM member WHERE account_id = $1", [accountId]);
}
