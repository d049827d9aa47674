import "server-only";

import { newId } from "@/lib/id";
import { INTERNAL_KEY, type KeyContext } from "@/lib/platform/auth/context";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { asTenant } from "@/lib/platform/db/tenant-context";
import type { OpenDocument, TextWindow } from "../library-schema";
import { parseQuoteRef } from "../quote-ref";
import type { KbQuote } from "../quote-schema";
import { documentNotFound } from "./documents";
import { findOpenDocument, readQuote, readText } from "./open";

/** What anyone may read: a document of the public knowledge base, or a part of it. */
export interface PublicDocumentView {
  document: OpenDocument["document"];
  window: TextWindow;
  /** Null if the link names no quote. */
  quote: KbQuote | null;
}

interface PublicLook {
  /** A quote's position and hash, as a permalink has it. */
  ref: string | null;
  /** Where the text starts, without a quote. */
  from: number;
}

/** A document of public_kb with the text around a quote; null for every other document. */
export function findPublicDocument(
  id: string,
  { ref, from }: PublicLook,
): Promise<PublicDocumentView | null> {
  return asTenant(PUBLIC_ACCOUNT_ID, async () => {
    const reader = publicReader();
    const opened = await findOpenDocument(reader, id);
    if (opened?.state !== "there" || opened.document.chunks === 0) {
      return null;
    }
    const quote = ref && parseQuoteRef(ref) ? await readQuote(reader, { id, ref }) : null;
    const place = quote?.char_start;
    const look = place == null ? { from } : { around: place };
    return { document: opened.document, quote, window: await readText(reader, { id, look }) };
  });
}

/** The same. Throws not_found. */
export async function getPublicDocument(id: string, look: PublicLook): Promise<PublicDocumentView> {
  const found = await findPublicDocument(id, look);
  if (!found) {
    throw documentNotFound();
  }
  return found;
}

/** Whether anyone may read a document. */
export function isPublicDocument(id: string): Promise<boolean> {
  return asTenant(PUBLIC_ACCOUNT_ID, async () => {
    return (await findOpenDocument(publicReader(), id))?.state === "there";
  });
}

/** May read the public knowledge base and nothing else. */
function publicReader(): KeyContext {
  return {
    account: { id: PUBLIC_ACCOUNT_ID },
    actor: { ...INTERNAL_KEY, id: "key_public", mode: "live", knowledgeScopes: ["public_kb"] },
    requestId: newId("request"),
    signal: new AbortController().signal,
  };
}
