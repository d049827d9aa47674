import "server-only";

import type { Session } from "@/lib/db/client";

interface NewPassword {
  memberId: string;
  passwordHash: string;
  /** The one session that goes on. */
  keptSessionId?: string | undefined;
}

/** Sets a member's password. Whoever knew the old one is out: their sessions end, and every link to a new one. */
export async function setPassword(
  tx: Session,
  { memberId, passwordHash, keptSessionId }: NewPassword,
): Promise<void> {
  await tx.query("auth_set_password", "UPDATE member SET password_hash = $2 WHERE id = $1", [
    memberId,
    passwordHash,
  ]);
  await tx.query("auth_delete_resets", "DELETE FROM password_reset WHERE member_id = $1", [
    memberId,
  ]);
  await tx.query(
    "auth_end_other_sessions",
    "DELETE FROM member_session WHERE member_id = $1 AND id <> $2",
    [memberId, keptSessionId ?? ""],
  );
}
