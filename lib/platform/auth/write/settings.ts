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
export async function renameAccount(ctx: MemberContext, input: RenameAccount): Promise<Settings> {
  await transaction(async (tx) => {
    requireOwner(ctx, await lockMembers(tx, ctx));
    const [renamed] = await tx.query(
      "auth_rename_account",
      "UPDATE account SET name = $2, updated_at = now() WHERE id = $1 AND name <> $2 RETURNING id",
      [ctx.account.id, input.name],
    );
    if (renamed) {
      const target = { id: ctx.account.id, name: input.name };
      await recordEvent(tx, ctx, { action: "account.renamed", target });
    }
  });
  return getSettings(ctx);
}

/** Turning it off also ends all existing links, until it is on again. Throws insufficient_scope for anyone but an owner. */
export async function changeSharing(ctx: MemberContext, input: ChangeSharing): Promise<Settings> {
  await transaction(async (tx) => {
    requireOwner(ctx, await lockMembers(tx, ctx));
    const [changed] = await tx.query(
      "auth_change_sharing",
      `UPDATE account SET sharing_enabled = $2, updated_at = now()
        WHERE id = $1 AND sharing_enabled <> $2 RETURNING id`,
      [ctx.account.id, input.is_enabled],
    );
    if (changed) {
      await recordEvent(tx, ctx, {
        action: "sharing.changed",
        target: ctx.account,
        details: { is_enabled: input.is_enabled },
      });
    }
  });
  return getSettings(ctx);
}

/** Originals that are stored already are deleted in the background. Throws insufficient_scope unless the member is an owner. */
export async function setKeepOriginals(
  ctx: MemberContext,
  { keep_originals }: KeepOriginals,
): Promise<Settings> {
  await transaction(async (tx) => {
    requireOwner(ctx, await lockMembers(tx, ctx));
    const [changed] = await tx.query(
      "auth_keep_originals",
      "UPDATE account SET keep_originals = $2, updated_at = now() WHERE id = $1 AND keep_originals <> $2 RETURNING id",
      [ctx.account.id, keep_originals],
    );
    if (changed) {
      const action = keep_originals ? "originals.kept" : "originals.not_kept";
      await recordEvent(tx, ctx, { action, target: { id: ctx.account.id } });
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
