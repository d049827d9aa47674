import "server-only";

import { hash } from "@node-rs/argon2";
import { type AppError, invalidRequest } from "@/lib/errors";
import { recordEvent } from "@/lib/platform/audit/write";
import { query, type Session, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { canMail, sendMail } from "@/lib/platform/mail";
import type { AnonymousContext, Context, MemberActor } from "../context";
import type { ForgotPassword, ResetPassword } from "../schema";
import { generateToken, hashSecret } from "../secret";
import { requireStrongPassword, setPassword } from "./password";

/** The mail states it too. */
const LINK_TTL_SECONDS = 60 * 60;
/** Valid links per member: limits mail without invalidating links already sent. */
const MAX_LINKS = 5;

/** Where reset links go: without email set up, to the server's log or nowhere. */
export function resetDelivery(): "email" | "log" | "none" {
  if (canMail()) {
    return "email";
  }
  return env.LOG_RESET_LINKS ? "log" : "none";
}

/**
 * Mails a link, without waiting for it. An unknown email runs the same statement and gets the same response. Without
 * SMTP_URL, the link is written to the log with LOG_RESET_LINKS only: anyone who reads the log could use it.
 */
export async function requestPasswordReset({ email }: ForgotPassword): Promise<void> {
  const token = generateToken();
  const [asked] = await query<{ email: string }>(
    "auth_request_reset",
    `WITH over AS (DELETE FROM password_reset WHERE expires_at <= now()),
          asked AS (
       INSERT INTO password_reset (token_hash, member_id, expires_at)
       SELECT $2, m.id, now() + make_interval(secs => $3) FROM member m
        WHERE m.email = $1 AND $4 > (SELECT count(*) FROM password_reset r
                                      WHERE r.member_id = m.id AND r.expires_at > now())
       RETURNING member_id)
     SELECT m.email FROM asked JOIN member m ON m.id = asked.member_id`,
    [email, hashSecret(token), LINK_TTL_SECONDS, MAX_LINKS],
  );
  if (asked) {
    sendResetLink(asked.email, new URL(`/reset-password#${token}`, env.APP_URL).href);
  }
}

/** The token is in the URL fragment, which browsers don't send, so it stays out of logs and referrers. */
function sendResetLink(email: string, link: string): void {
  if (!canMail()) {
    log.warn(
      env.LOG_RESET_LINKS ? { link } : {},
      "password reset requested, but SMTP_URL is not set, so no mail was sent",
    );
    return;
  }
  const text = [
    "Someone, hopefully you, asked to reset the password of your Footnote account.",
    `Choose a new one within the hour:\n\n${link}`,
    "If it wasn't you, ignore this email. Your password won't change.",
  ].join("\n\n");
  sendMail({ to: email, subject: "Reset your Footnote password", text }).catch((cause: unknown) =>
    log.error({ err: cause }, "sending a password reset link failed"),
  );
}

type ResetAuthor = Pick<Context<MemberActor>, "account" | "actor" | "requestId">;

/**
 * Each link works once. Ends all of the member's sessions and other links; `alsoDo` runs in the same transaction. Throws
 * invalid_request for a used or expired link or a weak password.
 */
export async function setPasswordByLink(
  { requestId }: AnonymousContext,
  { token, password }: ResetPassword,
  alsoDo: (tx: Session, author: ResetAuthor) => Promise<void>,
): Promise<void> {
  const tokenHash = hashSecret(token);
  const [link] = await query<{ email: string; name: string | null }>(
    "auth_find_reset",
    `SELECT m.email, m.name FROM password_reset r JOIN member m ON m.id = r.member_id
      WHERE r.token_hash = $1 AND r.expires_at > now()`,
    [tokenHash],
  );
  // Hashing is expensive, so require a valid link first.
  if (!link) {
    throw invalidResetLink();
  }
  await requireStrongPassword(password, [link.email, link.name]);
  const passwordHash = await hash(password);
  await transaction(async (tx) => {
    const [member] = await tx.query<
      Pick<MemberActor, "id" | "email" | "name"> & { account_id: string }
    >(
      "auth_use_reset",
      `WITH used AS (DELETE FROM password_reset WHERE token_hash = $1 AND expires_at > now() RETURNING member_id)
       SELECT m.id, m.account_id, m.email, m.name FROM used JOIN member m ON m.id = used.member_id`,
      [tokenHash],
    );
    if (!member) {
      throw invalidResetLink();
    }
    const { account_id, ...person } = member;
    const author: ResetAuthor = {
      account: { id: account_id },
      actor: { kind: "member", ...person },
      requestId,
    };
    await setPassword(tx, { id: person.id, passwordHash });
    if (canMail()) {
      await tx.query(
        "auth_confirm_by_reset",
        "UPDATE member SET email_confirmed_at = now() WHERE id = $1 AND email_confirmed_at IS NULL",
        [person.id],
      );
    }
    await recordEvent(tx, author, { action: "password.reset", target: { id: person.id } });
    await alsoDo(tx, author);
  });
}

function invalidResetLink(): AppError {
  return invalidRequest("This link has expired or was already used. Request a new one.", "token");
}
