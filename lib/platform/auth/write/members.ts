import "server-only";

import { conflict, notFound } from "@/lib/errors";
import { recordEvent } from "@/lib/platform/audit/write";
import { accountPurge } from "@/lib/platform/db/account-purge";
import { type Session, transaction } from "@/lib/platform/db/client";
import type { MemberActor, MemberContext } from "../context";
import { getSettings, requireOwner } from "../read";
import type { Role } from "../schema";
import type { ChangeRole, Settings } from "../settings-schema";

type MemberRow = Pick<MemberActor, "id" | "email" | "name"> & { role: Role };

/** Locks the account's members until the transaction ends, so that concurrent changes can't remove its last owner. */
export function lockMembers(tx: Session, { account }: MemberContext): Promise<MemberRow[]> {
  return tx.query<MemberRow>(
    "auth_lock_members",
    "SELECT id, email, name, role FROM member WHERE account_id = $1 ORDER BY id FOR UPDATE",
    [account.id],
  );
}

/** Locks the account until the transaction ends. Returns its name. */
export async function lockAccount(tx: Session, { account }: MemberContext): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>(
    "auth_lock_account",
    "SELECT name FROM account WHERE id = $1 FOR UPDATE",
    [account.id],
  );
  return row?.name ?? null;
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
 * Locks the account's members and checks that the caller may remove this one; anyone may remove themselves. Throws
 * insufficient_scope, not_found, or conflict when no owner would be left.
 */
export async function lockRemovableMember(
  tx: Session,
  ctx: MemberContext,
  id: string,
): Promise<MemberRow> {
  const members = await lockMembers(tx, ctx);
  if (id !== ctx.actor.id) {
    requireOwner(ctx, members);
  }
  return requireRemainingOwner(members, id, null);
}

/** Also ends the member's sessions. */
export async function deleteMember(
  tx: Session,
  ctx: MemberContext,
  { id, name, email }: MemberRow,
): Promise<void> {
  await tx.query("auth_remove_member", "DELETE FROM member WHERE id = $1", [id]);
  await recordEvent(tx, ctx, { action: "member.removed", target: { id, name: name ?? email } });
}

/** Returns the member. Throws not_found, or conflict when no owner would be left. */
function requireRemainingOwner(
  members: readonly MemberRow[],
  id: string,
  role: Role | null,
): MemberRow {
  const member = members.find((each) => each.id === id);
  if (!member) {
    throw notFound("This account has no such member. Reload the list.");
  }
  const isOwnerLeft = members.some((each) => each.role === "owner" && each.id !== id);
  if (!isOwnerLeft && role !== "owner") {
    throw conflict(
      "An account needs an owner. Make another member an owner first, or delete the account.",
    );
  }
  return member;
}

/** Deletes an account's people and its name; its row stays, because payments reference it. */
export const purgeAccountMembers = accountPurge({
  auth_purge_invitations: "DELETE FROM invitation WHERE account_id = $1",
  auth_purge_members: "DELETE FROM member WHERE account_id = $1",
  auth_close_account:
    "UPDATE account SET name = 'Deleted account', closed_at = now(), updated_at = now() WHERE id = $1",
});
