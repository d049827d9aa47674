import "server-only";

import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError, invalidRequest } from "@/lib/errors";
import { query, type Session } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { canMail, sendMail } from "@/lib/platform/mail";
import type { MemberActor, MemberContext } from "../context";
import { needsConfirmation } from "../read";
import type { ConfirmEmail } from "../schema";
import { sessionSecret } from "../session";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The mail states it too. */
const LINK_DAYS = 7;
/** Between two mails to one address that someone else can cause. */
const MAIL_INTERVAL_SECONDS = 5 * 60;

type Recipient = Pick<MemberActor, "id" | "email">;
type SignUpRecipient = Recipient & { is_confirmed: boolean };

/** The member whom a sign-up with this email may be reported to now; null within minutes of the last time. */
export async function claimSignUpMail(
  tx: Pick<Session, "query">,
  email: string,
): Promise<SignUpRecipient | null> {
  const [claimed] = await tx.query<SignUpRecipient>(
    "auth_claim_sign_up_mail",
    `UPDATE member SET sign_up_mailed_at = now()
      WHERE email = $1
        AND (sign_up_mailed_at IS NULL OR sign_up_mailed_at <= now() - make_interval(secs => $2))
      RETURNING id, email, email_confirmed_at IS NOT NULL AS is_confirmed`,
    [email, MAIL_INTERVAL_SECONDS],
  );
  return claimed ?? null;
}

/** Doesn't wait for the mail. */
export function sendSignUpMail(recipient: SignUpRecipient): void {
  if (recipient.is_confirmed) {
    sendAlreadyMember(recipient);
  } else {
    sendConfirmation(recipient);
  }
}

function sendConfirmation(member: Recipient): void {
  // In the URL fragment, which browsers don't send.
  const link = new URL(`/confirm-email#${tokenFor(member, today())}`, env.APP_URL).href;
  send(member.email, "Confirm your email for Footnote", [
    "Someone, hopefully you, signed up for Footnote with this email.",
    `Confirm it within seven days, in the browser you are signed in with:\n\n${link}`,
    "If it wasn't you, ignore this email.",
  ]);
}

function sendAlreadyMember({ email }: Recipient): void {
  send(email, "You already have a Footnote account", [
    "Someone, hopefully you, tried to sign up for Footnote with this email, but it already has an account.",
    `Sign in: ${new URL("/sign-in", env.APP_URL).href}`,
    `If you don't know the password, choose a new one: ${new URL("/forgot-password", env.APP_URL).href}`,
    "If it wasn't you, ignore this email. Nothing has changed.",
  ]);
}

function send(to: string, subject: string, paragraphs: string[]): void {
  if (canMail()) {
    sendMail({ to, subject, text: paragraphs.join("\n\n") }).catch((cause: unknown) =>
      log.error({ err: cause }, "sending a sign-up mail failed"),
    );
  }
}

/** Throws rate_limit_exceeded soon after the last one. Has no effect once the email is confirmed. */
export async function resendConfirmation(ctx: MemberContext): Promise<void> {
  if (!(await needsConfirmation(ctx))) {
    return;
  }
  const recipient = await claimSignUpMail({ query }, ctx.actor.email);
  if (!recipient) {
    throw new AppError(
      "rate_limit_exceeded",
      "We sent you a link less than five minutes ago. Check your inbox and spam folder, or try again later.",
      { headers: { "retry-after": String(MAIL_INTERVAL_SECONDS) } },
    );
  }
  sendSignUpMail(recipient);
}

/**
 * The link alone confirms nothing: someone else may have signed up with this email and know the password, so it takes the
 * member's session too. Has no effect once the email is confirmed. Throws invalid_request for a link that has expired or
 * belongs to another member.
 */
export async function confirmEmail(ctx: MemberContext, { token }: ConfirmEmail): Promise<void> {
  if (!(await needsConfirmation(ctx))) {
    return;
  }
  const days = Array.from({ length: LINK_DAYS + 1 }, (_, age) => today() - age);
  if (!days.some((day) => isEqual(token, tokenFor(ctx.actor, day)))) {
    throw invalidRequest(
      "This link has expired, or belongs to another account. Sign in with the email it was sent to, or send a new link.",
      "token",
    );
  }
  await query("auth_confirm_email", "UPDATE member SET email_confirmed_at = now() WHERE id = $1", [
    ctx.actor.id,
  ]);
}

function tokenFor({ id, email }: Recipient, day: number): string {
  return createHmac("sha256", sessionSecret())
    .update(JSON.stringify(["confirm-email", id, email, day]))
    .digest("base64url");
}

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}

/** The schema requires a token of the same length. */
function isEqual(token: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(token), Buffer.from(expected));
}
