import "server-only";

import { isLinkSigned, signLink } from "@/lib/platform/auth/link-signature";
import { env } from "@/lib/platform/env";

const TOKEN = /^([0-9a-z]{26})([\w-]{22})$/;
const PREFIX = "shr_";
const KIND = "shared link";

/** The address of a link: its id and a signature, so that an id alone opens nothing. */
export function urlOfLink(id: string): string {
  return new URL(`/s/${id.slice(PREFIX.length)}${signLink(KIND, id)}`, env.APP_URL).href;
}

/** The id of the link that a token opens; null if its signature is wrong. */
export function readToken(token: string): string | null {
  const [, ulid = "", signature = ""] = TOKEN.exec(token) ?? [];
  const id = `${PREFIX}${ulid}`;
  return signature && isLinkSigned(KIND, id, signature) ? id : null;
}
