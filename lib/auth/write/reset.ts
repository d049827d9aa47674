import "server-only";

import { hash } from "@node-rs/argon2";
import { recordEvent } from "@/lib/audit/write";
import { query, transaction } from "@/lib/db/client";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { canMail, sendMail } from "@/lib/mail";
import type { AnonymousContext } from "../context";
import type { ForgotPassword, ResetPassword } from "../schema";
import { generateToken, hashToken } from "../secret";
import { requireStrongPassword, setPassword } from "./password";

/** How long a link lives, in the words of the mail as well. */
const LIFE_SECONDS = 60 * 60;
/** Links of one member that may live at a time: nobody's mailbox is flooded, and none that was sent is taken back. */
const MOST_LINKS = 5;

/**
 * Sends a link to whoever has this e-mail. The same statement runs and the same answer goes out when nobody has
 * it; the mail itself is not waited for. Where no mail can be sent, the link goes to the log, for the operator.
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
    [email, hashToken(token), LIFE_SECONDS, MOST_LINKS],
  );
  if (asked) {
    sendResetLink(asked.email, new URL(`/reset-password#${token}`, env.APP_URL).href);
  }
}

/** In the fragment of the address, which no browser sends: no log and no referrer of a server ever holds it. */
function sendResetLink(email: string, link: string): void {
  if (!canMail()) {
    log.warn(
      { link },
      "a member asked for a new password; SMTP_URL is not set, so pass this link on",
    );
    return;
  }
  const text = [
    "Somebody, hopefully you, asked for a new password for your Footnote account.",
    `Choose one here within the hour:\n\n${link}`,
    "If it was not you, do nothing: your password stays as it is.",
  ].join("\n\n");
  sendMail({ to: email, subject: "Choose a new password for Footnote", text }).catch(
    (cause: unknown) => log.error({ err: cause }, "the link to a new password could not be sent"),
  );
}

/**
 * Sets a new password, once a link. Ends every session of the member and every other link. Throws
 * invalid_request for a link that was used or is over, or a password that is easy to guess.
 */
export async function resetPassword(
  { requestId }: AnonymousContext,
  { token, password }: ResetPassword,
): Promise<void> {
  const tokenHash = hashToken(token);
  const [link] = await query<{ email: string; name: string | null }>(
    "auth_find_reset",
    `SELECT m.email, m.name FROM password_reset r JOIN member m ON m.id = r.member_id
      WHERE r.token_hash = $1 AND r.expires_at > now()`,
    [tokenHash],
  );
  // A hash costs much work, so only who has a link may ask for one.
  if (!link) {
    throw invalidResetLink();
  }
  await requireStrongPassword(password, [link.email, link.name]);
  const passwordHash = await hash(password);
  const isSet = await transaction(async (tx) => {
    const [member] = await tx.query<ResetMember>(
      "auth_use_reset",
      `WITH used AS (DELETE FROM password_reset WHERE token_hash = $1 AND expires_at > now() RETURNING member_id)
       SELECT m.id, m.account_id, m.email, m.name FROM used JOIN member m ON m.id = used.member_id`,
      [tokenHash],
    );
    if (!member) {
      return false;
    }
    const { id, account_id, email, name } = member;
    await setPassword(tx, { memberId: id, passwordHash });
    await recordEvent(
      tx,
      { account: { id: account_id }, actor: { kind: "member", id, email, name }, requestId },
      { action: "password.reset", target: { id } },
    );
    return true;
  });
  if (!isSet) {
    throw invalidResetLink();
  }
}

interface ResetMember extends Record<string, unknown> {
  id: string;
  account_id: string;
  email: string;
  name: string | null;
}

function invalidResetLink(): AppError {
  return new AppError(
    "invalid_request",
    "This link works no more: it was used, or it is older than an hour. Ask for a new one.",
    { param: "token" },
  );
}
