import { type StoreInput, storeCompletion } from "@/lib/answers/chat/write/stored";
import { responseIdOf } from "@/lib/answers/responses/output";
import { newId } from "@/lib/id";
import type { Completion } from "@/lib/models/schema";
import type { CreateKey } from "@/lib/money/keys/schema";
import type { KeyContext, MemberContext } from "@/lib/platform/auth/context";
import type { KnowledgeScope } from "@/lib/platform/auth/schema";
import { db } from "@/lib/platform/db/client";
import { keyContext, makeKey } from "./factories";

/** A key's secret, and the context that the gate would create from it. */
export async function makeKeyPair(
  ctx: MemberContext,
  overrides: Partial<CreateKey> = {},
): Promise<{ id: string; secret: string; ctx: KeyContext }> {
  const { id, secret } = await makeKey(ctx, overrides);
  const row = await db().apiKey.findFirstOrThrow({ where: { id } });
  const knowledgeScopes = row.knowledgeScopes as KnowledgeScope[];
  const stores = row.stores.length > 0 ? row.stores : null;
  return {
    id,
    secret,
    ctx: keyContext(ctx, { id, personId: row.personId, knowledgeScopes, stores }),
  };
}

/** An answer with one choice, as stored: before it is charged. */
export function anyAnswer(content = "Salbutamol opens the airways [1]."): Completion {
  return {
    id: newId("completion"),
    object: "chat.completion",
    created: 1_764_000_000,
    model: "scripted",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

/** Stores an answer for a key, from public knowledge by default. Returns its id. */
export async function makeStoredAnswer(
  ctx: KeyContext,
  overrides: Partial<StoreInput> = {},
): Promise<string> {
  const response = overrides.response ?? anyAnswer();
  await storeCompletion(
    { ...ctx, requestId: newId("request") },
    {
      messages: [{ role: "user", content: "How does salbutamol work?" }],
      metadata: {},
      passages: [],
      knowledgeScopes: ["public_kb"],
      ...overrides,
      response,
    },
  );
  return response.id;
}

/** Stores an answer of the Responses API for a key. Returns the response's id. */
export async function makeStoredResponse(
  ctx: KeyContext,
  overrides: Partial<StoreInput> = {},
): Promise<string> {
  const settings = { instructions: null, tools: [], tool_choice: "auto", text: {} };
  return responseIdOf(await makeStoredAnswer(ctx, { settings, ...overrides }));
}
