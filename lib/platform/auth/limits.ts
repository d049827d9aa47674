import { env } from "@/lib/platform/env";
import { consume, rejectWhenExceeded, secondsLeft } from "@/lib/platform/http/rate-limit";

/** Password attempts per minute, for one email from one address: slows guessing, but not a member who mistypes. */
const ATTEMPTS_PER_PAIR = 10;
/** From one address, which many members may share. */
const ATTEMPTS_PER_ADDRESS = 100;
/** For one email from all addresses that don't know it yet: bounds guessing from many of them. */
const ATTEMPTS_PER_EMAIL = 100;

/** Links that one address may request or open per minute. */
const LINKS_PER_ADDRESS = 30;
/** Per minute, for one email from one address; `requestPasswordReset` limits the mails per hour. */
const RESETS_PER_PAIR = 5;

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
  const reason = "Too many reset links were requested.";
  await limit(`reset:${email}:${address}`, RESETS_PER_PAIR, reason);
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

/** For a signed-in member: strangers' attempts to sign in don't count. */
export function limitPasswordAttempts(memberId: string): Promise<void> {
  return limit(`password:${memberId}`, ATTEMPTS_PER_PAIR, "Too many password attempts.");
}

interface Attempt {
  email: string;
  address: string;
  /** Whether the browser has signed in with this email before. */
  isKnownBrowser: boolean;
}

/**
 * Counts a password attempt. Returns the seconds to wait, or 0. Attempts by others never refuse a browser that the email
 * has signed in with, and those from one address never refuse another address.
 */
export async function consumeAttempt({ email, address, isKnownBrowser }: Attempt): Promise<number> {
  const name = email.trim().toLowerCase();
  const counters: [counter: string, limit: number][] = isKnownBrowser
    ? [[`sign-in-known:${name}`, ATTEMPTS_PER_PAIR]]
    : [
        [`sign-in:${name}:${address}`, ATTEMPTS_PER_PAIR],
        [`sign-in-from:${address}`, ATTEMPTS_PER_ADDRESS],
        [`sign-in-to:${name}`, ATTEMPTS_PER_EMAIL],
      ];
  // In this order: an attempt that is refused doesn't count toward the next limit.
  for (const [counter, perMinute] of counters) {
    const state = await consume(counter, 1, perMinute);
    if (state.isExceeded) {
      return secondsLeft(state);
    }
  }
  return 0;
}

async function limit(name: string, perMinute: number, reason: string): Promise<void> {
  rejectWhenExceeded(await consume(name, 1, perMinute), reason);
}
