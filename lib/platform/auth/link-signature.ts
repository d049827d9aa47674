import "server-only";

import { createHmac, timingSafeEqual } from "node:crypto";
import { sessionSecret } from "./session";

/** 132 bits, in base64url. A new secret ends all links. */
const LENGTH = 22;

/** Signs what a link opens. Links of one kind don't open as another. */
export function signLink(kind: string, target: string): string {
  return createHmac("sha256", sessionSecret())
    .update(`${kind}\0${target}`)
    .digest("base64url")
    .slice(0, LENGTH);
}

/** `signature`: 22 ASCII characters. */
export function isLinkSigned(kind: string, target: string, signature: string): boolean {
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signLink(kind, target)));
}
