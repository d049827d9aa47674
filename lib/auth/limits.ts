import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { consume, type RateLimitState } from "@/lib/http/rate-limit";

/** Tries at one e-mail's password a minute; slows guessing and hardly delays a member who mistypes. */
const TRIES_PER_EMAIL = 10;
/** Tries from one address a minute, whatever the e-mail; many members may share an address. */
const TRIES_PER_ADDRESS = 100;

/** Links that one address may ask for, or open, in a minute. */
const LINKS_PER_ADDRESS = 30;
/** Links to a new password that one e-mail may be asked for in a minute; see `requestReset` for the hour. */
const RESETS_PER_EMAIL = 5;

/** Invitations of one account in a minute. */
const INVITATIONS_PER_ACCOUNT = 20;

/** Counts a sign-up. Throws rate_limit_exceeded past what one address may. */
export async function limitSignUps(address: string): Promise<void> {
  rejectWhenExceeded(
    await consume(`sign-up:${address}`, 1, env.SIGN_UPS_PER_MINUTE),
    "Too many accounts were made from your network just now.",
  );
}

/** Counts a request for a link, whether or not anybody has the e-mail. Throws rate_limit_exceeded. */
export async function limitResets(email: string, address: string): Promise<void> {
  await limitLinks(address);
  rejectWhenExceeded(
    await consume(`reset:${email}`, 1, RESETS_PER_EMAIL),
    "A link was asked for several times just now.",
  );
}

/** Counts the use of a link, so that nobody can try many. Throws rate_limit_exceeded. */
export async function limitLinks(address: string): Promise<void> {
  rejectWhenExceeded(
    await consume(`link:${address}`, 1, LINKS_PER_ADDRESS),
    "Too many links were asked for or opened from your network just now.",
  );
}

/** Counts an invitation, which may send a mail. Throws rate_limit_exceeded. */
export async function limitInvitations(accountId: string): Promise<void> {
  rejectWhenExceeded(
    await consume(`invite:${accountId}`, 1, INVITATIONS_PER_ACCOUNT),
    "Many people were invited just now.",
  );
}

/** Counts a try at a password, and gives the seconds to wait when there were too many by e-mail or address. */
export async function consumeAttempt(email: string, address: string): Promise<number> {
  const tries = await Promise.all([
    consume(`sign-in:${email.trim().toLowerCase()}`, 1, TRIES_PER_EMAIL),
    consume(`sign-in-from:${address}`, 1, TRIES_PER_ADDRESS),
  ]);
  return Math.max(0, ...tries.filter(({ isExceeded }) => isExceeded).map(secondsLeft));
}

/** Counts a try at the password of a member who is signed in. Throws rate_limit_exceeded. */
export async function limitPasswordAttempts(email: string): Promise<void> {
  rejectWhenExceeded(
    await consume(`sign-in:${email}`, 1, TRIES_PER_EMAIL),
    "There were too many tries at your password.",
  );
}

function rejectWhenExceeded(allowance: RateLimitState, reason: string): void {
  if (allowance.isExceeded) {
    const seconds = secondsLeft(allowance);
    throw new AppError("rate_limit_exceeded", `${reason} Wait ${seconds} s and try again.`, {
      headers: { "retry-after": String(seconds) },
    });
  }
}

function secondsLeft({ resetMs }: RateLimitState): number {
  return Math.max(1, Math.ceil(resetMs / 1000));
}
