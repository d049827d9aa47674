// Limits on a purchase of balance, in cents.

export const CHECKOUT_CURRENCY = "usd";
export const MIN_AMOUNT = 500;
export const MAX_AMOUNT = 500_000;
/** The amounts the console suggests. */
export const PRESET_AMOUNTS = [1000, 2500, 5000, 10_000] as const;

const MICROS_PER_CENT = 10_000n;

export function centsToMicros(cents: number): bigint {
  return BigInt(cents) * MICROS_PER_CENT;
}

export function isLoopback(url: string): boolean {
  return URL.canParse(url) && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
}

/** Whether a payer may be sent back to this address: https without credentials, or plain http on a local machine. */
export function isReturnUrl(url: string, { mayBeLocal }: { mayBeLocal: boolean }): boolean {
  if (!URL.canParse(url)) {
    return false;
  }
  const { protocol, username, password } = new URL(url);
  const isSafe = protocol === "https:" || (protocol === "http:" && mayBeLocal && isLoopback(url));
  return isSafe && username === "" && password === "";
}
