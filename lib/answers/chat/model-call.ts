import { AppError } from "@/lib/errors";
import { findModel, type Model, withFallbackOf } from "@/lib/models/catalogue";
import type { ChatMessage, ChatModel, Completion, ModelRequest } from "@/lib/models/schema";
import type { SentCalls } from "@/lib/models/sent-call";
import { chatModel } from "./dispatch";

/** Some models refuse any temperature, some servers any response format; they answer without. */
const OPTIONAL_FIELDS = ["temperature", "response_format"];
/** The fields that each model has refused so far. */
const refusedFields = new Map<string, Set<string>>();

/** The model that a variable names for calls of our own. Throws a sentence for the operator when it can't be asked. */
export function requireUpstreamModel(variable: string, id: string): Model {
  const model = findModel(id);
  if (!model?.upstream) {
    throw new Error(
      `${variable} names '${id}', which isn't a model of MODELS with an upstream. Name another.`,
    );
  }
  return model;
}

interface Call {
  signal: AbortSignal;
  /** Records what models are sent. */
  calls: SentCalls;
  /** The most tokens of the prompt. */
  promptTokens: number;
}

interface Prompt {
  messages: ChatMessage[];
  outputTokens: number;
  fields?: Record<string, unknown>;
}

export type AskedMessage = Completion["choices"][number]["message"];

/** The text of a call of our own beside the answer, at temperature 0. */
export async function callModel(model: Model, prompt: Prompt, call: Call): Promise<string> {
  return (await askModel(model, prompt, call)).content ?? "";
}

/** The message of such a call. */
export async function askModel(
  model: Model,
  { messages, outputTokens, fields = {} }: Prompt,
  call: Call,
): Promise<AskedMessage> {
  const request = {
    model: model.id,
    messages,
    [model.limitField]: outputTokens,
    temperature: 0,
    ...fields,
  };
  const most = { prompt: call.promptTokens, completion: outputTokens };
  const options = { calls: call.calls, most, sources: null, searched: null };
  const asked = chatModel(withFallbackOf(model), options);
  const { choices } = await complete(asked, request, call.signal);
  return choices[0]?.message ?? { role: "assistant", content: null };
}

async function complete(
  model: ChatModel,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Completion> {
  const refused = refusedFields.get(request.model) ?? new Set<string>();
  refusedFields.set(request.model, refused);
  const sent = Object.entries(request).filter(([field]) => !refused.has(field));
  try {
    return await model.complete(Object.fromEntries(sent) as ModelRequest, signal);
  } catch (thrown) {
    const field = sent.map(([name]) => name).find((name) => isRefused(name, thrown));
    if (field === undefined) {
      throw thrown;
    }
    refused.add(field);
    return complete(model, request, signal);
  }
}

function isRefused(field: string, thrown: unknown): boolean {
  return (
    OPTIONAL_FIELDS.includes(field) &&
    thrown instanceof AppError &&
    thrown.code === "invalid_request" &&
    (thrown.param === field || thrown.message.includes(field))
  );
}
