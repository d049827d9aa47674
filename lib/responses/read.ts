import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { findStoredAnswers, getStoredConversation, type StoredConversation } from "@/lib/chat/read";
import { AppError } from "@/lib/errors";
import { sliceOpenAIPage } from "@/lib/http/list-page";
import type { ChatMessage, Completion } from "@/lib/models/schema";
import type { FindItem } from "./conversation";
import type { SourceTexts } from "./evidence";
import { toConversationItems } from "./items";
import { completionIdOf, RESPONSE_ID, suffixOf, toCallItems, toResponse } from "./output";
import type { ListInputItems } from "./query-schema";
import type { ItemPage, ResponseObject, ResponseSettings } from "./response-schema";
import type { InputItem } from "./schema";
import { toEarlierTurns } from "./turns";

/** A stored response. Throws not_found for one the key may not read. */
export async function getResponse(
  ctx: KeyContext,
  { id, includesResults }: { id: string; includesResults: boolean },
): Promise<ResponseObject> {
  const { completion, settings } = await getStoredTurn(ctx, id, "response_id");
  const { evidence, metadata, request_id: _request, ...answer } = completion;
  const texts: SourceTexts = new Map(
    evidence.map(({ citation_id, excerpt: text, permalink: link }) => [
      citation_id,
      { text, link },
    ]),
  );
  const frame = {
    settings: settings as ResponseSettings,
    metadata,
    isStored: true,
    includesResults,
  };
  return toResponse(answer as Completion, frame, texts);
}

/** The turns that led to a stored response, newest first unless asked otherwise. Throws as `getResponse` does. */
export async function listInputItems(
  ctx: KeyContext,
  { id, ...bounds }: ListInputItems & { id: string },
): Promise<ItemPage> {
  const { completion, messages } = await getStoredTurn(ctx, id, "response_id");
  const items = toConversationItems(messages, suffixOf(completion.id));
  return sliceOpenAIPage(items, bounds, "item of this response");
}

/** The turns up to and including a stored response. Throws not_found for one the key may not read. */
export async function getEarlierTurns(ctx: KeyContext, id: string): Promise<ChatMessage[]> {
  const { completion, messages } = await getStoredTurn(ctx, id, "previous_response_id");
  return toEarlierTurns(messages, completion as Completion);
}

export function getStoredTurn(
  ctx: KeyContext,
  id: string,
  param: string,
): Promise<StoredConversation> {
  return getStoredConversation(ctx, RESPONSE_ID.test(id) ? completionIdOf(id) : "", param);
}

/** The message of an answer, or one of its calls. */
const TURN = /^(msg|fc)_([0-9a-z]{1,60})(?:_(\d{1,4}))?$/;
/** As many as a conversation has messages. */
const MAX_REFERENCED = 256;
type Answer = Completion["choices"][number]["message"];
/** No turns, so they are passed over. */
const PASSED_OVER = /^(fs|rs)_/;

/** Finds what references in the input stand for, with one query. The function throws not_found for an item not stored. */
export async function resolveItems(
  ctx: KeyContext,
  input: string | readonly InputItem[],
): Promise<FindItem> {
  const ids = new Set(
    (typeof input === "string" ? [] : input).flatMap((item) => {
      const suffix = item.type === "item_reference" ? TURN.exec(item.id)?.[2] : undefined;
      return suffix ? [completionIdOf(`resp_${suffix}`)] : [];
    }),
  );
  if (ids.size > MAX_REFERENCED) {
    throw new AppError(
      "invalid_request",
      `The input refers to ${ids.size} responses, and at most ${MAX_REFERENCED} are allowed. Leave earlier turns out.`,
      { param: "input" },
    );
  }
  const answers = await findStoredAnswers(ctx, [...ids]);
  return (id, param) => {
    if (PASSED_OVER.test(id)) {
      return null;
    }
    const [, kind, suffix = "", index = "0"] = TURN.exec(id) ?? [];
    const answer = answers.get(completionIdOf(`resp_${suffix}`));
    const found = answer && (kind === "msg" ? wordsOf(answer) : callOf(answer, suffix, index));
    if (!found) {
      throw notStored(id, param);
    }
    return found;
  };
}

function wordsOf({ content, refusal }: Answer): InputItem {
  const text = content ?? (typeof refusal === "string" ? refusal : "");
  return { type: "message", role: "assistant", content: text };
}

function callOf({ tool_calls }: Answer, suffix: string, index: string): InputItem | undefined {
  return toCallItems(suffix, tool_calls, "completed")[Number(index)];
}

function notStored(id: string, param: string): AppError {
  return new AppError(
    "not_found",
    `The item '${id.slice(0, 60)}' isn't stored for this key: responses are stored only with 'store': true. Send the item itself instead of a reference; in the AI SDK, set providerOptions.openai.store to false or true.`,
    { param },
  );
}
