import "server-only";

import { hash } from "@node-rs/argon2";
import { query, transaction } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { MemberContext } from "../context";
import { limitPasswordTries } from "../limits";
import { getSettings } from "../read/settings";
import type { ChangePassword, RenameAccount, RenameMember, Settings } from "../settings-schema";
import { verifyPassword } from "../write";
import { lockMembers, refuseNonOwner } from "./members";
import { setPassword } from "./password";

/** Changes the member's own name; an empty one takes it away. */
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
    refuseNonOwner(ctx, await lockMembers(tx, ctx));
    await tx.query(
      "auth_rename_account",
      "UPDATE account SET name = $2, updated_at = now() WHERE id = $1",
      [ctx.account.id, input.name],
    );
  });
  return getSettings(ctx);
}

/**
 * Sets a new password for who knows the present one, and ends every other session of theirs and every link to
 * a new password. Throws invalid_request for a wrong password, rate_limit_exceeded after many of them.
 */
export async function changePassword(ctx: MemberContext, input: ChangePassword): Promise<Settings> {
  const { id, email, sessionId } = ctx.actor;
  await limitPasswordTries(email);
  if (!(await verifyPassword({ email, password: input.current_password }))) {
    throw new AppError("invalid_request", "This is not your present password. Try again.", {
      param: "current_password",
    });
  }
  const passwordHash = await hash(input.password);
  await transaction((tx) =>
    setPassword(tx, { memberId: id, passwordHash, keptSessionId: sessionId }),
  );
  return getSettings(ctx);
}

/** Ends every session of the member but the one that asks. */
export async function endOtherSessions(ctx: MemberContext): Promise<Settings> {
  await query(
    "auth_end_other_sessions",
    "DELETE FROM member_session WHERE member_id = $1 AND id <> $2",
    [ctx.actor.id, ctx.actor.sessionId ?? ""],
  );
  return getSettings(ctx);
}

/** Ends one session of the member. Throws not_found. */
export async function endOwnSession(ctx: MemberContext, id: string): Promise<Settings> {
  const [ended] = await query(
    "auth_end_own_session",
    "DELETE FROM member_session WHERE id = $1 AND member_id = $2 RETURNING id",
    [id, ctx.actor.id],
  );
  if (!ended) {
    throw new AppError("not_found", "This session has ended already. Reload the list.");
  }
  return getSettings(ctx);
}
