import { env } from "@/lib/env";
import { consume, rejectWhenExceeded, secondsLeft } from "@/lib/http/rate-limit";

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

/** Throws rate_limit_exceeded, as all of these do. */
export function limitSignUps(address: string): Promise<void> {
  const reason = "Too many accounts were created from your network.";
  return limit(`sign-up:${address}`, env.SIGN_UPS_PER_MINUTE, reason);
}

/** Counts whether or not the email has an account. */
export async function limitResets(email: string, address: string): Promise<void> {
  await limitLinks(address);
  await limit(`reset:${email}`, RESETS_PER_EMAIL, "Too many reset links were requested.");
}

/** Prevents guessing tokens. */
export function limitLinks(address: string): Promise<void> {
  const reason = "Too many links were requested or opened from your network.";
  return limit(`link:${address}`, LINKS_PER_ADDRESS, reason);
}

export function limitInvitations(accountId: string): Promise<void> {
  return limit(`invite:${accountId}`, INVITATIONS_PER_ACCOUNT, "Too many invitations were sent.");
}

/** All console endpoints. */
export function limitMemberRequests(memberId: string): Promise<void> {
  const reason = `You sent more than ${env.CONSOLE_REQUESTS_PER_MINUTE} requests in a minute.`;
  return limit(`member:${memberId}`, env.CONSOLE_REQUESTS_PER_MINUTE, reason);
}

export function limitUploads(accountId: string): Promise<void> {
  const reason = `Your account reached its limit of ${env.UPLOADS_PER_MINUTE} uploads per minute.`;
  return limit(`uploads:${accountId}`, env.UPLOADS_PER_MINUTE, reason);
}

/** For a signed-in member. */
export function limitPasswordAttempts(email: string): Promise<void> {
  return limit(`sign-in:${email}`, ATTEMPTS_PER_EMAIL, "Too many password attempts.");
}

/** Counts a password attempt. Returns the seconds to wait, or 0. */
export async function consumeAttempt(email: string, address: string): Promise<number> {
  const attempts = await Promise.all([
    consume(`sign-in:${email.trim().toLowerCase()}`, 1, ATTEMPTS_PER_EMAIL),
    consume(`sign-in-from:${address}`, 1, ATTEMPTS_PER_ADDRESS),
  ]);
  return Math.max(0, ...attempts.filter(({ isExceeded }) => isExceeded).map(secondsLeft));
}

async function limit(name: string, perMinute: number, reason: string): Promise<void> {
  rejectWhenExceeded(await consume(name, 1, perMinute), reason);
}
