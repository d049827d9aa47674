import "server-only";

import type { Completion } from "@/lib/models/schema";
import type { KeyContext } from "@/lib/platform/auth/context";
import type { KnowledgeScope } from "@/lib/platform/auth/schema";
import { query } from "@/lib/platform/db/client";
import type { StoredCompletion, StoredMessage } from "../stored-schema";
import {
  decodeJsonb,
  LIST_BATCH,
  OF_KEY_SQL,
  READABLE_BY_KEY_SQL,
  readableByKey,
  requireReadable,
  STORED_COLUMNS,
  type StoredRow,
  toStored,
} from "./stored";

/** The answers a key may refer to: those it may read, and what it made itself within the hour without storing it. $6 is the key. */
const REFERABLE_BY_KEY_SQL = `${OF_KEY_SQL} AND (expires_at IS NULL OR (expires_at > now() AND key_id = $6))`;

const CONVERSATION_SQL = `SELECT ${STORED_COLUMNS}, messages, response_settings, knowledge_scopes
   FROM stored_completion WHERE id = $5 AND response_settings IS NOT NULL AND`;

export const WITHOUT_STORE =
  "Without 'store', a response can be referred to for one hour and by its own key only; 'store': true keeps it, and 'store': false keeps nothing.";

interface ConversationRow extends StoredRow {
  messages: unknown;
  response_settings: unknown;
  knowledge_scopes: KnowledgeScope[];
}

/** A stored answer with the turns before it, as a response needs them. */
export interface StoredConversation {
  completion: StoredCompletion;
  messages: StoredMessage[];
  /** What the response repeats of its request. */
  settings: object;
  /** The scopes that its answers came from. */
  knowledgeScopes: KnowledgeScope[];
}

type Answer = Completion["choices"][number]["message"];
const NO_ANSWER: Answer = { role: "assistant", content: null };
/** The words and calls of a stored answer, and the scopes that they came from. */
export type StoredAnswer = Answer & { knowledgeScopes: KnowledgeScope[] };

/** A stored answer of the Responses API. Throws not_found, also for one of chat completions. */
export async function getStoredConversation(
  ctx: KeyContext,
  id: string,
): Promise<StoredConversation> {
  const row = await requireReadable<ConversationRow>(ctx, id, {
    name: "chat_get_stored_conversation",
    sql: `${CONVERSATION_SQL} ${READABLE_BY_KEY_SQL}`,
    param: "response_id",
    missing:
      "There is no such stored response for this key. Check its id; responses can be read only with 'store': true.",
  });
  return toConversation(row);
}

/** One that the next request continues: also of the last hour. Throws as `getStoredConversation` does. */
export async function getPreviousConversation(
  ctx: KeyContext,
  id: string,
): Promise<StoredConversation> {
  const row = await requireReadable<ConversationRow>(ctx, id, {
    name: "chat_get_previous_conversation",
    sql: `${CONVERSATION_SQL} ${REFERABLE_BY_KEY_SQL}`,
    more: [ctx.actor.id],
    param: "previous_response_id",
    missing: `This key can't continue from that response: there is none with this id, or it is gone. ${WITHOUT_STORE} Send the earlier turns in 'input' instead.`,
  });
  return toConversation(row);
}

function toConversation(row: ConversationRow): StoredConversation {
  return {
    completion: toStored(row),
    messages: decodeJsonb<StoredMessage[]>(row.messages),
    settings: decodeJsonb<object>(row.response_settings),
    knowledgeScopes: row.knowledge_scopes,
  };
}

/** What the answers of these ids that the key may refer to say, by id. Reads a batch at a time and keeps no sources. */
export async function findStoredAnswers(
  ctx: KeyContext,
  ids: readonly string[],
): Promise<Map<string, StoredAnswer>> {
  const found = new Map<string, StoredAnswer>();
  for (let start = 0; start < ids.length; start += LIST_BATCH) {
    const rows = await query<Pick<ConversationRow, "id" | "response" | "knowledge_scopes">>(
      "chat_find_stored_answers",
      `SELECT id, response, knowledge_scopes FROM stored_completion WHERE ${REFERABLE_BY_KEY_SQL} AND id = ANY($5)`,
      [...readableByKey(ctx), ids.slice(start, start + LIST_BATCH), ctx.actor.id],
    );
    for (const { id, response, knowledge_scopes: knowledgeScopes } of rows) {
      const { role, content, refusal, tool_calls } =
        decodeJsonb<Completion>(response).choices[0]?.message ?? NO_ANSWER;
      found.set(id, { role, content, refusal, tool_calls, knowledgeScopes });
    }
  }
  return found;
}
