import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { count } from "@/lib/http/rate-limit";

/** Tries at one e-mail's password a minute; slows guessing and hardly delays a member who mistypes. */
const TRIES_PER_EMAIL = 10;
/** Tries from one address a minute, whatever the e-mail; many members may share an address. */
const TRIES_PER_ADDRESS = 100;

/** Counts a sign-up. Throws rate_limit_exceeded past what one address may. */
export async function limitSignUps(address: string): Promise<void> {
  const { isExceeded, resetMs } = await count(`sign-up:${address}`, 1, env.SIGN_UPS_PER_MINUTE);
  if (isExceeded) {
    throw new AppError(
      "rate_limit_exceeded",
      "Too many accounts were made from your network just now. Wait a minute and try again.",
      { headers: { "retry-after": String(Math.max(1, Math.ceil(resetMs / 1000))) } },
    );
  }
}

/** Counts a try at a password, and says whether there were too many by e-mail or address. */
export async function hasTooManyTries(email: string, address: string): Promise<boolean> {
  const tries = await Promise.all([
    count(`sign-in:${email.trim().toLowerCase()}`, 1, TRIES_PER_EMAIL),
    count(`sign-in-from:${address}`, 1, TRIES_PER_ADDRESS),
  ]);
  return tries.some(({ isExceeded }) => isExceeded);
}
