import { createHmac, randomBytes } from "node:crypto";
import { env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";

/** Digits, because any three are one token: the same question always costs the same. */
const DIGITS = 9;

/**
 * The digits that mark the delimiters of a prompt. No author of a document can guess them, because they depend on a secret
 * and on the text that they delimit; and equal prompts have equal ones, so that an upstream can cache them.
 */
export function nonceFor(about: unknown): string {
  const secret =
    env.NEXTAUTH_SECRET ?? processSingleton("nonce secret", () => randomBytes(32).toString("hex"));
  const digest = createHmac("sha256", secret)
    .update(`nonce\0${JSON.stringify(about)}`)
    .digest();
  return Array.from(digest.subarray(0, DIGITS), (byte) => byte % 10).join("");
}
