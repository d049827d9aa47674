import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { consume, type RateLimitState } from "@/lib/http/rate-limit";

/** Password attempts per minute for one email: slows guessing, but not a member who mistypes. */
const ATTEMPTS_PER_EMAIL = 10;
/** Password attempts per minute from one address, which many members may share. */
const ATTEMPTS_PER_ADDRESS = 100;

/** Links that one address may request or open per minute. */
const LINKS_PER_ADDRESS = 30;
/** Per minute; `requestPasswordReset` limits them per hour. */
const RESETS_PER_EMAIL = 5;

/** Per minute. */
const INVITATIONS_PER_ACCOUNT = 20;

/** Throws rate_limit_exceeded. */
export async function limitSignUps(address: string): Promise<void> {
  rejectWhenExceeded(
    await consume(`sign-up:${address}`, 1, env.SIGN_UPS_PER_MINUTE),
    "Too many accounts were created from your network.",
  );
}

/** Counts whether or not the email has an account. Throws rate_limit_exceeded. */
export async function limitResets(email: string, address: string): Promise<void> {
  await limitLinks(address);
  rejectWhenExceeded(
    await consume(`reset:${email}`, 1, RESETS_PER_EMAIL),
    "Too many reset links were requested.",
  );
}

/** Prevents guessing tokens. Throws rate_limit_exceeded. */
export async function limitLinks(address: string): Promise<void> {
  rejectWhenExceeded(
    await consume(`link:${address}`, 1, LINKS_PER_ADDRESS),
    "Too many links were requested or opened from your network.",
  );
}

/** Throws rate_limit_exceeded. */
export async function limitInvitations(accountId: string): Promise<void> {
  rejectWhenExceeded(
    await consume(`invite:${accountId}`, 1, INVITATIONS_PER_ACCOUNT),
    "Too many invitations were sent.",
  );
}

/** Counts a password attempt. Returns the seconds to wait, or 0. */
export async function consumeAttempt(email: string, address: string): Promise<number> {
  const attempts = await Promise.all([
    consume(`sign-in:${email.trim().toLowerCase()}`, 1, ATTEMPTS_PER_EMAIL),
    consume(`sign-in-from:${address}`, 1, ATTEMPTS_PER_ADDRESS),
  ]);
  return Math.max(0, ...attempts.filter(({ isExceeded }) => isExceeded).map(secondsLeft));
}

/** For a signed-in member. Throws rate_limit_exceeded. */
export async function limitPasswordAttempts(email: string): Promise<void> {
  rejectWhenExceeded(
    await consume(`sign-in:${email}`, 1, ATTEMPTS_PER_EMAIL),
    "Too many password attempts.",
  );
}

function rejectWhenExceeded(state: RateLimitState, reason: string): void {
  if (state.isExceeded) {
    const seconds = secondsLeft(state);
    throw new AppError("rate_limit_exceeded", `${reason} Wait ${seconds} s and try again.`, {
      headers: { "retry-after": String(seconds) },
    });
  }
}

function secondsLeft({ resetMs }: RateLimitState): number {
  return Math.max(1, Math.ceil(resetMs / 1000));
}
