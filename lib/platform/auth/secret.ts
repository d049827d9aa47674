import { hash, randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 32 bytes need 43 base62 digits. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const PATTERN = new RegExp(
  `^footnote_(live|test)_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
);

/** Prefix, 32 random bytes in base62, and a checksum over both. */
export function generateApiKey(mode: "live" | "test"): string {
  const body = `footnote_${mode}_${base62(randomBytes(32), SECRET_LENGTH)}`;
  return body + checksum(body);
}

/** Checks the format and checksum, without a database lookup. */
export function isWellFormed(secret: string): boolean {
  return (
    PATTERN.test(secret) &&
    checksum(secret.slice(0, -CHECKSUM_LENGTH)) === secret.slice(-CHECKSUM_LENGTH)
  );
}

/** A plain SHA-256 is enough: keys and tokens have 256 random bits. */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash("sha256", secret, "buffer"));
}

/** The parts of a key that may be shown after its creation. */
export function maskKey(secret: string): { prefix: string; lastFour: string } {
  return { prefix: secret.slice(0, "footnote_live_".length), lastFour: secret.slice(-4) };
}

function checksum(body: string): string {
  return base62(hash("sha256", body, "buffer").subarray(0, 4), CHECKSUM_LENGTH);
}

function base62(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  while (text.length < length) {
    text = ALPHABET.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
}

/** For links: 32 random bytes in base64url. */
export function generateToken(): string {
  return randomBytes(32).toString("base64url");
}
