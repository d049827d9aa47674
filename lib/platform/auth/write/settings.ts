import "server-only";

import { hash } from "@node-rs/argon2";
import { type AppError, invalidRequest, notFound } from "@/lib/errors";
import { recordEvent } from "@/lib/platform/audit/write";
import { query, type Session, transaction } from "@/lib/platform/db/client";
import type { MemberContext } from "../context";
import { limitPasswordAttempts } from "../limits";
import { getSettings, requireOwner } from "../read";
import type {
  ChangePassword,
  ChangeSharing,
  KeepOriginals,
  RenameAccount,
  RenameMember,
  Settings,
} from "../settings-schema";
import { lockMembers } from "./members";
import { requireStrongPassword, setPassword, verifyPassword } from "./password";

/** An empty name removes it. */
export async function renameMember(ctx: MemberContext, input: RenameMember): Promise<Settings> {
  await query("auth_rename_member", "UPDATE member SET name = $2 WHERE id = $1", [
    ctx.actor.id,
    input.name || null,
  ]);
  return getSettings(ctx);
}

/** Throws insufficient_scope unless the member owns the account. */
export function renameAccount(ctx: MemberContext, { name }: RenameAccount): Promise<Settings> {
  const target = { id: ctx.account.id, name };
  return changeAccount(ctx, ["name", name], { action: "account.renamed", target });
}

/** Turning it off also ends all existing links, until it is on again. Throws insufficient_scope for anyone but an owner. */
export function changeSharing(
  ctx: MemberContext,
  { is_enabled }: ChangeSharing,
): Promise<Settings> {
  const event = {
    action: "sharing.changed",
    target: ctx.account,
    details: { is_enabled },
  } as const;
  return changeAccount(ctx, ["sharing_enabled", is_enabled], event);
}

/** Originals that are stored already are deleted in the background. Throws insufficient_scope unless the member is an owner. */
export function setKeepOriginals(
  ctx: MemberContext,
  { keep_originals }: KeepOriginals,
): Promise<Settings> {
  const action = keep_originals ? "originals.kept" : "originals.not_kept";
  return changeAccount(ctx, ["keep_originals", keep_originals], { action, target: ctx.account });
}

/** Changes a column of the account, and records it unless it had the value already. */
async function changeAccount(
  ctx: MemberContext,
  [column, value]: [column: "name" | "sharing_enabled" | "keep_originals", value: unknown],
  event: Parameters<typeof recordEvent>[2],
): Promise<Settings> {
  await transaction(async (tx) => {
    requireOwner(ctx, await lockMembers(tx, ctx));
    const [changed] = await tx.query(
      `auth_change_${column}`,
      `UPDATE account SET ${column} = $2, updated_at = now() WHERE id = $1 AND ${column} <> $2 RETURNING id`,
      [ctx.account.id, value],
    );
    if (changed) {
      await recordEvent(tx, ctx, event);
    }
  });
  return getSettings(ctx);
}

/**
 * Ends the member's other sessions and reset links. Throws invalid_request for a wrong password or a weak new one, and
 * rate_limit_exceeded.
 */
export async function changePassword(ctx: MemberContext, input: ChangePassword): Promise<Settings> {
  const { id, email, sessionId } = ctx.actor;
  await limitPasswordAttempts(id);
  const verified = await verifyPassword({ email, password: input.current_password });
  if (verified?.id !== id) {
    throw wrongPassword();
  }
  await requireStrongPassword(input.password, [email, ctx.actor.name]);
  const passwordHash = await hash(input.password);
  await transaction(async (tx) => {
    const { passwordHash: verifiedHash } = verified;
    if (!(await setPassword(tx, { id, passwordHash, verifiedHash, currentSessionId: sessionId }))) {
      throw wrongPassword();
    }
    await recordEvent(tx, ctx, { action: "password.changed", target: { id } });
  });
  return getSettings(ctx);
}

function wrongPassword(): AppError {
  return invalidRequest("Wrong password. Try again.", "current_password");
}

/** Ends the member's sessions except the current one. */
export async function endOtherSessions(ctx: MemberContext): Promise<Settings> {
  await transaction(async (tx) => {
    const ended = await tx.query(
      "auth_end_all_others",
      "DELETE FROM member_session WHERE member_id = $1 AND id <> $2 RETURNING id",
      [ctx.actor.id, ctx.actor.sessionId ?? ""],
    );
    if (ended.length > 0) {
      await recordEndedSessions(tx, ctx, ended.length);
    }
  });
  return getSettings(ctx);
}

/** Throws not_found. */
export async function endOwnSession(ctx: MemberContext, id: string): Promise<Settings> {
  await transaction(async (tx) => {
    const [ended] = await tx.query(
      "auth_end_own_session",
      "DELETE FROM member_session WHERE id = $1 AND member_id = $2 RETURNING id",
      [id, ctx.actor.id],
    );
    if (!ended) {
      throw notFound("This session has already ended. Reload the list.");
    }
    await recordEndedSessions(tx, ctx, 1);
  });
  return getSettings(ctx);
}

function recordEndedSessions(tx: Session, ctx: MemberContext, count: number): Promise<void> {
  const target = { id: ctx.actor.id };
  return recordEvent(tx, ctx, { action: "sessions.ended", target, details: { count } });
}
