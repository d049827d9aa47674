import "server-only";
import { findStoredByRequest } from "@/lib/answers/chat/read/stored";
import type { StoredForConsole } from "@/lib/answers/chat/stored-schema";
import { newId } from "@/lib/id";
import type { Reader } from "@/lib/library/documents/collections";
import type { ListedDocument } from "@/lib/library/documents/library-schema";
import { type LinkedQuote, readQuoteToken } from "@/lib/library/documents/quote-link";
import type { KbQuote } from "@/lib/library/documents/quote-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { findOpenDocument, readQuote } from "@/lib/library/documents/read/open";
import type { Context, MemberContext } from "@/lib/platform/auth/context";
import { isLinkSigned, signLink } from "@/lib/platform/auth/link-signature";
import { findMembers, findUsableKey, isSharingEnabled } from "@/lib/platform/auth/read";
import { query, type Row } from "@/lib/platform/db/client";
import { asTenant } from "@/lib/platform/db/tenant-context";
import { env } from "@/lib/platform/env";
import type { FindLinks, LinkList, SharedLink } from "./schema";

export interface LinkRow extends Row {
  id: string;
  member_id: string;
  created_at: Date;
  expires_at: Date | null;
}

const IS_OPEN = "(expires_at IS NULL OR expires_at > now())";

/** The open links of an answer or a quote, newest first, whichever member created them. */
export async function listLinks(
  { account }: MemberContext,
  { request_id, document_id, quote }: FindLinks,
): Promise<LinkList> {
  const rows = await query<LinkRow>(
    "sharing_list",
    `SELECT id, member_id, created_at, expires_at FROM shared_link
      WHERE account_id = $1 AND request_id IS NOT DISTINCT FROM $2
        AND document_id IS NOT DISTINCT FROM $3 AND quote_ref IS NOT DISTINCT FROM $4 AND ${IS_OPEN}
      ORDER BY id DESC LIMIT 100`,
    [account.id, request_id ?? null, document_id ?? null, quote ?? null],
  );
  const members = await findMembers(
    account.id,
    rows.map(({ member_id }) => member_id),
  );
  return {
    object: "list",
    data: rows.flatMap((row) => {
      const creator = members.get(row.member_id);
      return creator ? [toLink(row, creator)] : [];
    }),
    is_sharing_enabled: await isSharingEnabled(account.id),
  };
}

export function toLink(
  { id, created_at, expires_at }: LinkRow,
  { name, email }: MemberContext["actor"],
): SharedLink {
  return {
    id,
    object: "shared_link",
    url: urlOfLink(id),
    created_by: name ?? email,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
  };
}

export type SharedView =
  | { kind: "answer"; stored: Extract<StoredForConsole, { access: "shown" }> }
  | { kind: "quote"; document: ListedDocument; quote: KbQuote };

interface TargetRow extends Row {
  account_id: string;
  member_id: string;
  request_id: string | null;
  document_id: string | null;
  quote_ref: string | null;
}

/**
 * What a link shows: only what its creator, or the key that linked a quote, may still read. Null when the link is forged,
 * revoked or expired, sharing is off, or its target is gone.
 */
export async function openLink(token: string): Promise<SharedView | null> {
  const linked = readQuoteToken(token);
  if (linked) {
    return openLinkedQuote(linked);
  }
  const id = readToken(token);
  const [row] = id
    ? await query<TargetRow>(
        "sharing_open",
        `SELECT account_id, member_id, request_id, document_id, quote_ref FROM shared_link
          WHERE id = $1 AND ${IS_OPEN}`,
        [id],
      )
    : [];
  return row ? whileShared(row.account_id, () => readTarget(row)) : null;
}

/** A quote that an answer linked. */
async function openLinkedQuote({ keyId, ...target }: LinkedQuote): Promise<SharedView | null> {
  const key = await findUsableKey(keyId);
  return (
    key && whileShared(key.accountId, () => findQuote(toContext(key.accountId, key.actor), target))
  );
}

/** Null while the account doesn't allow sharing. */
async function whileShared<T>(accountId: string, work: () => Promise<T>): Promise<T | null> {
  return (await isSharingEnabled(accountId)) ? asTenant(accountId, work) : null;
}

async function readTarget(row: TargetRow): Promise<SharedView | null> {
  const { account_id, member_id, request_id, document_id, quote_ref } = row;
  const actor = (await findMembers(account_id, [member_id])).get(member_id);
  if (!actor) {
    return null;
  }
  const ctx = toContext(account_id, actor);
  if (request_id) {
    const stored = await findStoredByRequest(ctx, request_id);
    return stored?.access === "shown" ? { kind: "answer", stored } : null;
  }
  return document_id && quote_ref
    ? findQuote(await toReaderContext(ctx), { documentId: document_id, ref: quote_ref })
    : null;
}

async function findQuote(
  reader: Reader,
  { documentId: id, ref }: Omit<LinkedQuote, "keyId">,
): Promise<SharedView | null> {
  const opened = await findOpenDocument(reader, id);
  return opened?.state === "there"
    ? { kind: "quote", document: opened.document, quote: await readQuote(reader, { id, ref }) }
    : null;
}

function toContext<A>(accountId: string, actor: A): Context<A> {
  const { signal } = new AbortController();
  return { account: { id: accountId }, actor, requestId: newId("request"), signal };
}

const TOKEN = /^([0-9a-z]{26})([\w-]{22})$/;
const PREFIX = "shr_";
const KIND = "shared link";

/** The address of a link: its id and a signature, so that an id alone opens nothing. */
function urlOfLink(id: string): string {
  return new URL(`/s/${id.slice(PREFIX.length)}${signLink(KIND, id)}`, env.APP_URL).href;
}

/** The id of the link that a token opens; null if its signature is wrong. */
function readToken(token: string): string | null {
  const [, ulid = "", signature = ""] = TOKEN.exec(token) ?? [];
  const id = `${PREFIX}${ulid}`;
  return signature && isLinkSigned(KIND, id, signature) ? id : null;
}
