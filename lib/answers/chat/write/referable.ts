import "server-only";

import type { Completion } from "@/lib/models/schema";
import type { KeyContext } from "@/lib/platform/auth/context";
import { query } from "@/lib/platform/db/client";
import { asSystem } from "@/lib/platform/db/tenant-context";
import { log } from "@/lib/platform/log";
import { encodeJsonb } from "../read/stored";
import { countReferable, hasRoomToRefer, toStoredMessages } from "./storage";
import type { StoreInput } from "./stored";

/** For how long a response can be referred to that nobody asked to store. */
const REFERABLE_HOURS = 1;

/**
 * Keeps the words and calls of an answer for requests that refer to it, if the account has room for them. Never fails: whoever
 * asked gets the answer all the same.
 */
export async function keepReferable(ctx: KeyContext, input: StoreInput): Promise<void> {
  const { response, passages } = input;
  const kept = {
    messages: encodeJsonb(toStoredMessages(input.messages, response.id)),
    response: encodeJsonb(toReferable(response)),
    settings: encodeJsonb(input.settings ?? {}),
  };
  const documents = Object.values(kept);
  const bytes = documents.reduce((sum, document) => sum + Buffer.byteLength(document), 0);
  const scopes = new Set([...input.knowledgeScopes, ...passages.map(({ scope }) => scope)]);
  const { account, actor, requestId } = ctx;
  try {
    await asSystem(async () => {
      if (!(await hasRoomToRefer(account.id, bytes))) {
        return;
      }
      await query(
        "chat_keep_referable",
        `INSERT INTO stored_completion (id, account_id, request_id, key_id, person_id, knowledge_scopes, model, evidence,
                                        messages, response, response_settings, bytes, expires_at)
         SELECT $1, id, $3, $4, $5, $6::text[], $7, '[]', $8::jsonb, $9::jsonb, $10::jsonb, $11,
                now() + make_interval(hours => $12)
           FROM account WHERE id = $2 AND closed_at IS NULL
         ON CONFLICT (id, account_id) DO NOTHING`,
        [
          ...[response.id, account.id, requestId, actor.id, actor.personId, [...scopes]],
          ...[response.model, ...documents, bytes, REFERABLE_HOURS],
        ],
      );
      countReferable(account.id, bytes);
    });
  } catch (cause) {
    log.warn({ err: cause, request_id: requestId }, "response not kept for references");
  }
}

/** What the next request repeats of an answer. */
function toReferable({ id, model, choices }: Completion): object {
  return {
    id,
    model,
    choices: choices.slice(0, 1).map(({ index, message }) => {
      const { annotations: _annotations, ...said } = message;
      return { index, message: said };
    }),
  };
}
