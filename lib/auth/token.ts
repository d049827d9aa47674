import { createHash, randomBytes } from "node:crypto";

/** What a link carries: 32 random bytes in base64url. */
export function generateToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of it. With 256 random bits, a plain SHA-256 cannot be searched backwards. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
