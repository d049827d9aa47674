import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { query } from "@/lib/db/client";
import type { ChatMessage, Completion } from "@/lib/models/schema";
import type { Passage } from "@/lib/retrieval/passage";
import { evidenceOf } from "../evidence";
import { encodeJsonb } from "../jsonb";
import type { StoredMessage } from "../stored-schema";

export interface StoreInput {
  /** The caller's own, without the sources that were put before them. */
  messages: readonly ChatMessage[];
  metadata: Readonly<Record<string, string>>;
  /** The object as it was answered, its usage included. */
  response: Completion;
  /** What the model was given; the first is citation 1. */
  passages: readonly Passage[];
  /** Those that were searched. */
  knowledgeScopes: readonly string[];
}

/**
 * Keeps an answer with its evidence as it stands now. Nothing but its metadata can change afterwards. An account
 * that was closed in the meantime keeps nothing.
 */
export async function storeCompletion(ctx: KeyContext, input: StoreInput): Promise<void> {
  const { messages, metadata, response, passages } = input;
  const scopes = new Set([...input.knowledgeScopes, ...passages.map(({ scope }) => scope)]);
  const evidence = evidenceOf(response, passages, await versionsOf(passages));
  await query(
    "chat_store_completion",
    `INSERT INTO stored_completion (id, account_id, request_id, key_id, person_id, knowledge_scopes, model,
                                    metadata, messages, response, evidence)
     SELECT $1, id, $3, $4, $5, $6::text[], $7, $8::jsonb, $9::jsonb, $10::jsonb, $11::jsonb
       FROM account WHERE id = $2 AND closed_at IS NULL FOR SHARE`,
    [
      response.id,
      ctx.account.id,
      ctx.requestId,
      ctx.actor.id,
      ctx.actor.personId,
      [...scopes],
      response.model,
      JSON.stringify(metadata),
      encodeJsonb(
        messages.map((message, index) => toStoredMessage(message, `${response.id}-${index}`)),
      ),
      encodeJsonb(response),
      encodeJsonb(evidence),
    ],
  );
}

/**
 * Asked for by chunk: a document that was replaced since the search has another hash, but no longer the chunk, and
 * one that was deleted has neither.
 */
async function versionsOf(passages: readonly Passage[]): Promise<Map<string, string>> {
  if (passages.length === 0) {
    return new Map();
  }
  const rows = await query<{ id: string; version: string }>(
    "chat_document_versions",
    `SELECT c.id, encode(d.content_hash, 'hex') AS version
       FROM chunk c JOIN document d ON d.id = c.document_id WHERE c.id = ANY($1)`,
    [passages.map(({ chunkId }) => chunkId)],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** OpenAI's form: text, or parts beside a content of null. */
function toStoredMessage(message: ChatMessage, id: string): StoredMessage {
  const { content, name, ...rest } = message;
  return {
    ...rest,
    id,
    content: typeof content === "string" ? content : null,
    name: typeof name === "string" ? name : null,
    content_parts: Array.isArray(content) ? content : null,
  };
}
