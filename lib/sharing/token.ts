import "server-only";

import { createHmac, timingSafeEqual } from "node:crypto";
import { sessionSecret } from "@/lib/auth/session";
import { env } from "@/lib/env";

/** 132 bits, in base64url. */
const SIGNATURE_LENGTH = 22;
const TOKEN = /^([0-9a-z]{26})([\w-]{22})$/;
const PREFIX = "shr_";

/** The address of a link: its id and a signature, so that an id alone opens nothing. */
export function urlOfLink(id: string): string {
  return new URL(`/s/${id.slice(PREFIX.length)}${signatureOf(id)}`, env.APP_URL).href;
}

/** The id of the link that a token opens; null if its signature is wrong. */
export function readToken(token: string): string | null {
  const [, ulid = "", signature = ""] = TOKEN.exec(token) ?? [];
  const id = `${PREFIX}${ulid}`;
  return signature && timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(id)))
    ? id
    : null;
}

function signatureOf(id: string): string {
  return createHmac("sha256", sessionSecret())
    .update(`shared link\0${id}`)
    .digest("base64url")
    .slice(0, SIGNATURE_LENGTH);
}
