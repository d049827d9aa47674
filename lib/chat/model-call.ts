import type { TokenCount } from "@/lib/citations/verdict/model-judge";
import { AppError } from "@/lib/errors";
import { findModel, type Model, withFallbackOf } from "@/lib/models/catalogue";
import { cachedTokensOf, countMessageTokens, usageOf } from "@/lib/models/message-tokens";
import type { ChatMessage, Completion, ModelRequest } from "@/lib/models/schema";
import { countTokens } from "@/lib/text/tokens";
import { type AskedModel, chatModel } from "./dispatch";

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
  /** Told which model has the request. */
  asked: AskedModel;
}

/** A call of our own beside the answer, at temperature 0: the text, and its tokens as reported or else counted. */
export async function callModel(
  model: Model,
  {
    messages,
    outputTokens,
    fields = {},
  }: { messages: ChatMessage[]; outputTokens: number; fields?: Record<string, unknown> },
  call: Call,
): Promise<{ text: string; usage: TokenCount }> {
  const request = {
    model: model.id,
    messages,
    [model.limitField]: outputTokens,
    temperature: 0,
    ...fields,
  };
  const completion = await complete(model, request, call);
  const text = completion.choices[0]?.message.content ?? "";
  const usage = await usageOf(completion.usage, {
    prompt: () => countMessageTokens(messages),
    completion: () => countTokens(text),
  });
  const { prompt_tokens: prompt, completion_tokens } = usage;
  return { text, usage: { prompt, completion: completion_tokens, cached: cachedTokensOf(usage) } };
}

async function complete(model: Model, request: ModelRequest, call: Call): Promise<Completion> {
  const refused = refusedFields.get(model.id) ?? new Set<string>();
  refusedFields.set(model.id, refused);
  const sent = Object.entries(request).filter(([field]) => !refused.has(field));
  try {
    const options = { asked: call.asked, sources: null, searched: null };
    return await chatModel(withFallbackOf(model), options).complete(
      Object.fromEntries(sent) as ModelRequest,
      call.signal,
    );
  } catch (thrown) {
    const field = sent.map(([name]) => name).find((name) => isRefused(name, thrown));
    if (field === undefined) {
      throw thrown;
    }
    refused.add(field);
    return complete(model, request, call);
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
