import "server-only";

import { hash, verify } from "@node-rs/argon2";
import { invalidRequest } from "@/lib/errors";
import { db, type Session } from "@/lib/platform/db/client";

interface NewPassword {
  id: string;
  passwordHash: string;
  /** What the old password was verified against. */
  verifiedHash?: string;
  currentSessionId?: string | undefined;
}

/**
 * Ends the member's other sessions and reset links, in case someone else knew the old password. Returns false, and changes
 * nothing, when the verified password is no longer the member's.
 */
export async function setPassword(tx: Session, member: NewPassword): Promise<boolean> {
  const { id, passwordHash, verifiedHash = null, currentSessionId = "" } = member;
  const changed = await tx.query(
    "auth_set_password",
    `UPDATE member SET password_hash = $2
      WHERE id = $1 AND ($3::text IS NULL OR password_hash = $3) RETURNING id`,
    [id, passwordHash, verifiedHash],
  );
  if (changed.length === 0) {
    return false;
  }
  await tx.query("auth_delete_resets", "DELETE FROM password_reset WHERE member_id = $1", [id]);
  await tx.query(
    "auth_end_other_sessions",
    "DELETE FROM member_session WHERE member_id = $1 AND id <> $2",
    [id, currentSessionId],
  );
  return true;
}

/** Throws invalid_request for a password that is easy to guess. `known`: facts about its owner. */
export async function requireStrongPassword(
  password: string,
  known: readonly (string | null | undefined)[],
): Promise<void> {
  // Loaded on first use: its dictionaries would slow down every start.
  const { MIN_PASSWORD_SCORE, passwordScore } = await import("../password-score");
  const words = known.filter((text) => typeof text === "string");
  if (passwordScore(password, words) < MIN_PASSWORD_SCORE) {
    throw invalidRequest(
      "This password is easy to guess. Choose a few words unrelated to each other and to you.",
      "password",
    );
  }
}

/** Verified for unknown emails, so that they take as long as a wrong password. */
const DUMMY_HASH = hash("decoy");

/** Returns the member with the hash that the password matched; null for an unknown email or a wrong password. */
export async function verifyPassword({ email, password }: { email: string; password: string }) {
  const member = await db().member.findFirst({
    where: { email: email.trim().toLowerCase() },
    select: { id: true, email: true, name: true, passwordHash: true },
  });
  const isRight = await verify(member?.passwordHash ?? (await DUMMY_HASH), password);
  return member?.passwordHash && isRight ? { ...member, passwordHash: member.passwordHash } : null;
}
