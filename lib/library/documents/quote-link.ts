import "server-only";

import type { KeyContext } from "@/lib/platform/auth/context";
import { isLinkSigned, signLink } from "@/lib/platform/auth/link-signature";
import { isSharingEnabled } from "@/lib/platform/auth/read";
import { env } from "@/lib/platform/env";
import { type Quote, quoteRefOf } from "./quote-ref";

/** A quote that a key may read, and lets anyone read who has the link. */
export interface LinkedQuote {
  keyId: string;
  documentId: string;
  /** As in a permalink. */
  ref: string;
}

/** Makes the link to a quote of one of the account's documents. */
export type QuoteLinker = (documentId: string, quote: Quote) => string;

const API_KEY_ID = /^key_[0-9a-z]{26}$/;
/** Of the ids' prefixes, which tokens leave out. */
const PREFIX_LENGTH = 4;
const TOKEN = /^([0-9a-z]{26})([0-9a-z]{26})(\d{1,9}-\d{1,9}-[0-9a-f]{12})([\w-]{22})$/;
const KIND = "quote link";

/**
 * Signs links to quotes for the answers of a key. They need no row: one opens as long as the key is usable, may read the
 * document, and the account allows sharing. Null when it doesn't, and for the console's own keys, whose readers are
 * signed in.
 */
export async function findQuoteLinker({ account, actor }: KeyContext): Promise<QuoteLinker | null> {
  return API_KEY_ID.test(actor.id) && (await isSharingEnabled(account.id))
    ? (documentId, quote) => urlOfQuote({ keyId: actor.id, documentId, ref: quoteRefOf(quote) })
    : null;
}

function urlOfQuote({ keyId, documentId, ref }: LinkedQuote): string {
  const target = `${keyId.slice(PREFIX_LENGTH)}${documentId.slice(PREFIX_LENGTH)}${ref}`;
  return new URL(`/s/${target}${signLink(KIND, target)}`, env.APP_URL).href;
}

/** The quote that a token opens; null if it is another kind of token, or its signature is wrong. */
export function readQuoteToken(token: string): LinkedQuote | null {
  const [, key = "", document = "", ref = "", signature = ""] = TOKEN.exec(token) ?? [];
  return signature && isLinkSigned(KIND, `${key}${document}${ref}`, signature)
    ? { keyId: `key_${key}`, documentId: `doc_${document}`, ref }
    : null;
}
