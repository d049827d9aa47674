import "server-only";

import { newId } from "@/lib/id";
import { query } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { type FoundSession, findSession } from "../read";
import { readSession } from "../session";

/** Not extended by use. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;
/** Precision of "last seen": at most one write per session in this time. */
const TOUCH_INTERVAL_MS = 5 * 60_000;
/** The client controls the header. */
const MAX_USER_AGENT = 400;

/** Null when the session has ended. Never cached. */
export async function currentSession(headers: Headers): Promise<FoundSession | null> {
  const named = await readSession(headers);
  const found = named && (await findSession(named));
  if (found) {
    touchSession(found);
  }
  return found;
}

/**
 * Also deletes the member's expired sessions. `passwordHash`: what the given password was verified against. Null for a member
 * who was removed, or whose password changed since.
 */
export async function createSession(
  member: { id: string; passwordHash?: string },
  userAgent: string | null,
): Promise<string | null> {
  const agent = userAgent?.replaceAll("\0", "").slice(0, MAX_USER_AGENT) ?? null;
  const [created] = await query<{ id: string }>(
    "auth_create_session",
    // The lock makes it wait for a change of the password, which ends the sessions that it finds.
    `WITH over AS (DELETE FROM member_session WHERE member_id = $2 AND expires_at <= now())
     INSERT INTO member_session (id, member_id, user_agent, expires_at)
     SELECT $1, m.id, $3, now() + make_interval(secs => $4) FROM member m
      WHERE m.id = $2 AND ($5::text IS NULL OR m.password_hash = $5) FOR SHARE
     RETURNING id`,
    [newId("session"), member.id, agent, SESSION_SECONDS, member.passwordHash ?? null],
  );
  return created?.id ?? null;
}

export async function endSession(id: string): Promise<void> {
  await query("auth_end_session", "DELETE FROM member_session WHERE id = $1", [id]);
}

/** Doesn't delay or fail the request. */
function touchSession({ actor, lastSeenAt }: FoundSession): void {
  if (Date.now() - lastSeenAt.getTime() < TOUCH_INTERVAL_MS) {
    return;
  }
  query("auth_touch_session", "UPDATE member_session SET last_seen_at = now() WHERE id = $1", [
    actor.sessionId,
  ]).catch((cause: unknown) => log.warn({ err: cause }, "recording the last visit failed"));
}
