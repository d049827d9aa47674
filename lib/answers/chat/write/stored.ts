import "server-only";

import { createHash } from "node:crypto";
import { UrlCitation } from "@/lib/answers/citations/schema";
import { permalinkOf } from "@/lib/library/documents/permalink";
import { excerptOf, type Passage } from "@/lib/library/retrieval/read/passages";
import type { ChatMessage, Completion } from "@/lib/models/schema";
import type { KeyContext } from "@/lib/platform/auth/context";
import { type Query, query } from "@/lib/platform/db/client";
import {
  encodeJsonb,
  READABLE_BY_KEY_SQL,
  requireReadable,
  STORED_COLUMNS,
  type StoredRow,
  toStored,
} from "../read/stored";
import type { Evidence, EvidenceQuote, StoredCompletion, UpdateStored } from "../stored-schema";
import { countStoredBytes, toStoredMessages } from "./storage";

export interface StoreInput {
  /** The caller's own messages, without the sources. */
  messages: readonly ChatMessage[];
  /** What a protocol other than chat completions needs to show the answer again. */
  settings?: object | null;
  metadata: Readonly<Record<string, string>>;
  /** The answer as it is sent, except for its cost. */
  response: Completion;
  /** The passages the model got; the first is citation 1. */
  passages: readonly Passage[];
  /** The scopes that were searched, by this request and for the earlier answers it repeats. */
  knowledgeScopes: readonly string[];
}

/**
 * Stores an answer with a snapshot of its evidence, in the caller's transaction if it passes one; once when repeated.
 * Only its metadata can change later. Does nothing for a closed account.
 */
export async function storeCompletion(
  ctx: KeyContext,
  input: StoreInput,
  run: Query = query,
): Promise<void> {
  const { messages, metadata, response, passages, settings } = input;
  const scopes = new Set([...input.knowledgeScopes, ...passages.map(({ scope }) => scope)]);
  const evidence = evidenceOf(response, passages, await readVersions(run, passages));
  const documents = [
    encodeJsonb(toStoredMessages(messages, response.id)),
    encodeJsonb(response),
    encodeJsonb(evidence),
    settings ? encodeJsonb(settings) : null,
  ];
  const bytes = documents.reduce((sum, document) => sum + Buffer.byteLength(document ?? ""), 0);
  await run(
    "chat_store_completion",
    // The settlement that follows takes the same lock; two transactions with a weaker one would deadlock.
    `INSERT INTO stored_completion (id, account_id, request_id, key_id, person_id, knowledge_scopes, model,
                                    metadata, messages, response, evidence, response_settings, bytes)
     SELECT $1, id, $3, $4, $5, $6::text[], $7, $8::jsonb, $9::jsonb, $10::jsonb, $11::jsonb,
            $12::jsonb, $13
       FROM account WHERE id = $2 AND closed_at IS NULL FOR NO KEY UPDATE
     ON CONFLICT (id, account_id) DO NOTHING`,
    [
      response.id,
      ctx.account.id,
      ctx.requestId,
      ctx.actor.id,
      ctx.actor.personId,
      [...scopes],
      response.model,
      JSON.stringify(metadata),
      ...documents,
      bytes,
    ],
  );
  countStoredBytes(ctx.account.id, bytes);
}

/** By chunk, because a document replaced since the search has another hash but no longer this chunk. */
async function readVersions(
  run: Query,
  passages: readonly Passage[],
): Promise<Map<string, string>> {
  if (passages.length === 0) {
    return new Map();
  }
  const rows = await run<{ id: string; version: string }>(
    "chat_document_versions",
    `SELECT c.id, encode(d.content_hash, 'hex') AS version
       FROM chunk c JOIN document d ON d.id = c.document_id AND d.account_id = c.account_id WHERE c.id = ANY($1)`,
    [passages.map(({ chunkId }) => chunkId)],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Each source the model got, with the claims that cite it. `versions`: content hashes by chunk; deleted chunks have none. */
function evidenceOf(
  response: Completion,
  passages: readonly Passage[],
  versions: ReadonlyMap<string, string>,
): Evidence[] {
  const quotes = response.choices.flatMap(quotesOf);
  return passages.map((passage, index) => ({
    ...sourceOf(passage, index + 1),
    document_version: versions.get(passage.chunkId) ?? null,
    quotes: quotes.flatMap(({ citation_id, ...quote }) =>
      citation_id === index + 1 ? [quote] : [],
    ),
  }));
}

function sourceOf(passage: Passage, citationId: number) {
  const { charStart, charEnd, text } = passage;
  return {
    citation_id: citationId,
    scope: passage.scope,
    document_id: passage.documentId,
    title: passage.title,
    source_type: passage.sourceType,
    url: passage.url,
    published_at: passage.publishedAt?.toISOString().slice(0, 10) ?? null,
    chunk_id: passage.chunkId,
    chunk_hash: createHash("sha256").update(text).digest("hex"),
    char_start: charStart,
    char_end: charEnd,
    page: passage.pageStart,
    page_end: passage.pageEnd,
    section: passage.headings.join(" › ") || null,
    excerpt: excerptOf(text),
    permalink: permalinkOf(passage.documentId, { text, start: charStart, end: charEnd }),
  };
}

/** An upstream's own annotations cite none of our sources; they stay in the response only. */
function quotesOf({ index, message }: Completion["choices"][number]) {
  const annotations = Array.isArray(message.annotations) ? message.annotations : [];
  return annotations.flatMap((annotation) => {
    const { data } = UrlCitation.safeParse(annotation);
    return data ? [toQuote(index, data.url_citation)] : [];
  });
}

function toQuote(
  choiceIndex: number,
  { citation_id, claim, quote, verification }: UrlCitation["url_citation"],
): EvidenceQuote & { citation_id: number } {
  return {
    citation_id,
    choice_index: choiceIndex,
    claim: claim.text,
    text: quote?.text ?? null,
    char_start: quote?.char_start ?? null,
    char_end: quote?.char_end ?? null,
    permalink: quote?.permalink ?? null,
    verdict: verification?.verdict ?? null,
    score: verification?.score ?? null,
    reason: verification?.reason ?? null,
    method: verification?.method ?? null,
  };
}

/** Replaces the metadata of a stored answer. Throws not_found for one the key may not read. */
export async function updateStored(
  ctx: KeyContext,
  { id, metadata }: UpdateStored & { id: string },
): Promise<StoredCompletion> {
  const row = await requireReadable<StoredRow>(ctx, id, {
    name: "chat_update_stored",
    sql: `UPDATE stored_completion SET metadata = $6::jsonb WHERE ${READABLE_BY_KEY_SQL} AND id = $5
         RETURNING ${STORED_COLUMNS}`,
    more: [JSON.stringify(metadata ?? {})],
  });
  return toStored(row);
}
