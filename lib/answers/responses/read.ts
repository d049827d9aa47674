import "server-only";

import {
  findStoredAnswers,
  getPreviousConversation,
  getStoredConversation,
  type StoredAnswer,
  type StoredConversation,
  WITHOUT_STORE,
} from "@/lib/answers/chat/read/conversation";
import { type AppError, invalidRequest, notFound } from "@/lib/errors";
import type { ChatMessage, Completion } from "@/lib/models/schema";
import type { KeyContext } from "@/lib/platform/auth/context";
import type { KnowledgeScope } from "@/lib/platform/auth/schema";
import { sliceOpenAIPage } from "@/lib/platform/http/list-page";
import type { FindItem } from "./conversation";
import type { SourceTexts } from "./evidence";
import { toConversationItems } from "./items";
import { completionIdOf, RESPONSE_ID, suffixOf, toCallItems, toResponse } from "./output";
import type { ListInputItems } from "./query-schema";
import type { ItemPage, ResponseObject, ResponseSettings } from "./response-schema";
import type { InputItem, ResponsesRequest } from "./schema";
import { toEarlierTurns } from "./turns";

/** A stored response. Throws not_found for one the key may not read. */
export async function getResponse(
  ctx: KeyContext,
  { id, includesResults }: { id: string; includesResults: boolean },
): Promise<ResponseObject> {
  const { completion, settings } = await getStoredTurn(ctx, id);
  const { evidence, metadata, request_id: _request, ...answer } = completion;
  const texts: SourceTexts = new Map(
    evidence.map(({ citation_id, excerpt: text, permalink: link }) => [
      citation_id,
      { text, link },
    ]),
  );
  const { completed_at: completedAt = completion.created, ...repeated } =
    settings as StoredSettings;
  const frame = {
    settings: { ...repeated, ...withDefaults(repeated) },
    metadata,
    isStored: true,
    includesResults,
    completedAt: () => completedAt,
  };
  return toResponse(answer as Completion, frame, texts);
}

type StoredSettings = ResponseSettings & { completed_at?: number };

/** What settings lacked when earlier responses were stored. */
function withDefaults(settings: Partial<ResponseSettings>) {
  return {
    frequency_penalty: settings.frequency_penalty ?? 0,
    presence_penalty: settings.presence_penalty ?? 0,
    service_tier: settings.service_tier ?? "default",
    temperature: settings.temperature ?? 1,
    top_p: settings.top_p ?? 1,
  };
}

/** The turns that led to a stored response, newest first unless asked otherwise. Throws as `getResponse` does. */
export async function listInputItems(
  ctx: KeyContext,
  { id, ...bounds }: ListInputItems & { id: string },
): Promise<ItemPage> {
  const { completion, messages, settings } = await getStoredTurn(ctx, id);
  const { tools } = settings as ResponseSettings;
  const items = toConversationItems(messages, { suffix: suffixOf(completion.id), tools });
  return sliceOpenAIPage(items, bounds, "item of this response");
}

/** What a request repeats of earlier answers. */
interface Repeated {
  /** The turns up to and including its previous response. */
  messages: ChatMessage[];
  findItem: FindItem;
  /** The scopes that these and the answers in its input may have come from. */
  knowledgeScopes: readonly KnowledgeScope[];
}

/** Throws not_found for a previous response that the key may not read, as `findItem` does for items. */
export async function readRepeated(
  ctx: KeyContext,
  { previous_response_id: previous, input }: ResponsesRequest,
): Promise<Repeated> {
  const [turn, answers] = await Promise.all([
    typeof previous === "string" ? getPreviousConversation(ctx, storedIdOf(previous)) : null,
    findReferenced(ctx, input),
  ]);
  const isSent = typeof input !== "string" && !input.every(isOfCaller);
  return {
    messages: turn ? toEarlierTurns(turn.messages, turn.completion as Completion) : [],
    findItem: itemsOf(answers),
    knowledgeScopes: [
      ...(isSent ? ctx.actor.knowledgeScopes : []),
      ...(turn?.knowledgeScopes ?? []),
      ...[...answers.values()].flatMap(({ knowledgeScopes }) => knowledgeScopes),
    ],
  };
}

/** Neither an answer nor the output of a call, which may repeat what the key once found. */
function isOfCaller(item: InputItem): boolean {
  return item.type === "item_reference" || (item.type === "message" && item.role !== "assistant");
}

export function getStoredTurn(ctx: KeyContext, id: string): Promise<StoredConversation> {
  return getStoredConversation(ctx, storedIdOf(id));
}

/** Empty for what is no response's id. */
function storedIdOf(id: string): string {
  return RESPONSE_ID.test(id) ? completionIdOf(id) : "";
}

/** The message of an answer, or one of its calls. */
const TURN = /^(msg|fc|ctc)_([0-9a-z]{1,60})(?:_(\d{1,4}))?$/;
/** Each is read from the database. */
const MAX_REFERENCED = 1024;
/** No turns, so they are passed over. */
const PASSED_OVER = /^(fs|rs)_/;

/** The stored answers that the input refers to. */
async function findReferenced(
  ctx: KeyContext,
  input: string | readonly InputItem[],
): Promise<Map<string, StoredAnswer>> {
  const ids = new Set(
    (typeof input === "string" ? [] : input).flatMap((item) => {
      const suffix = item.type === "item_reference" ? TURN.exec(item.id)?.[2] : undefined;
      return suffix ? [completionIdOf(`resp_${suffix}`)] : [];
    }),
  );
  if (ids.size > MAX_REFERENCED) {
    throw invalidRequest(
      `The input refers to ${ids.size} responses, and at most ${MAX_REFERENCED} are allowed. Leave earlier turns out.`,
      "input",
    );
  }
  return findStoredAnswers(ctx, [...ids]);
}

/** The function throws not_found for an item that isn't stored. */
function itemsOf(answers: ReadonlyMap<string, StoredAnswer>): FindItem {
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

function wordsOf({ content, refusal }: StoredAnswer): InputItem {
  const text = content ?? (typeof refusal === "string" ? refusal : "");
  return { type: "message", role: "assistant", content: text };
}

function callOf(
  { tool_calls }: StoredAnswer,
  suffix: string,
  index: string,
): InputItem | undefined {
  return toCallItems(suffix, tool_calls, { status: "completed", tools: [] })[Number(index)];
}

function notStored(id: string, param: string): AppError {
  return notFound(
    `This key can't refer to the item '${id.slice(0, 60)}': there is none with this id, or it is gone. ${WITHOUT_STORE} Send the item itself instead of a reference; in the AI SDK, set providerOptions.openai.store to false.`,
    param,
  );
}
