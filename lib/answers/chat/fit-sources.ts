import { nonceFor } from "@/lib/answers/citations/nonce";
import { groundMessages, toPromptSources } from "@/lib/answers/citations/prompt";
import { AppError } from "@/lib/errors";
import type { Passage } from "@/lib/library/retrieval/read/passages";
import type { Notice } from "@/lib/library/retrieval/schema";
import type { Model } from "@/lib/models/catalogue";
import { countPromptTokens } from "@/lib/models/message-tokens";
import { outputLimit } from "@/lib/models/model-request";
import type { ModelRequest } from "@/lib/models/schema";
import type { TokenBound } from "@/lib/models/sent-call";
import { countTokens } from "@/lib/text/tokens";

/** Of the context, the most that is kept free for an answer, which may end before its limit. */
const ANSWER_SHARE = 0.125;
/** Small models have smaller vocabularies, which usually need this many tokens for one of ours. */
const USUAL_FACTOR = 1.2;
const MAX_NAMED = 5;

interface Asked {
  request: ModelRequest;
  model: Model;
  /** The most tokens that the call can have. */
  bound: TokenBound;
}

interface Frame {
  accountId: string;
  isSearchedAlone: boolean;
}

/**
 * The messages with as many of the passages as fit into the model's context; those at the end are left out, and named in a
 * notice. Throws context_length_exceeded when the first one doesn't fit.
 */
export async function fitSources({ request, model, bound }: Asked, found: Passage[], frame: Frame) {
  const all = { ...withSources(request, found, frame), notices: [] };
  const { contextLength } = model;
  const room = contextLength - Math.min(outputLimit(request, model), contextLength * ANSWER_SHARE);
  if (found.length === 0 || bound.prompt <= room) {
    return all;
  }
  let tokens = await countPromptTokens({ ...request, messages: all.messages });
  let kept = found.length;
  while (tokens * USUAL_FACTOR > room && kept > 1) {
    kept -= 1;
    tokens -= countTokens(all.promptSources[kept]?.text ?? "");
  }
  if (tokens > contextLength) {
    throw contextError(model, "Your messages and the first source");
  }
  return kept === found.length
    ? all
    : {
        ...withSources(request, found.slice(0, kept), frame),
        notices: [leftOut(found.slice(kept), model)],
      };
}

function withSources(
  { messages }: ModelRequest,
  passages: Passage[],
  { accountId, isSearchedAlone }: Frame,
) {
  const promptSources = toPromptSources(passages);
  const nonce = nonceFor([accountId, promptSources]);
  return {
    passages,
    promptSources,
    messages: groundMessages(messages, promptSources, { nonce, isSearchedAlone }),
  };
}

function leftOut(passages: readonly Passage[], { contextLength }: Model): Notice {
  const titles = [...new Set(passages.map(({ title }) => `"${title.slice(0, 100)}"`))];
  const named = titles.slice(0, MAX_NAMED).join(", ");
  const more = titles.length > MAX_NAMED ? ` and ${titles.length - MAX_NAMED} more` : "";
  const message = `The model's context of ${contextLength} tokens had no room for the last ${passages.length} of the passages found, from ${named}${more}. Lower citations.top_k, or shorten the messages.`;
  return { code: "sources_left_out", message: message.toWellFormed() };
}

/** In OpenAI's words, which clients such as LiteLLM go by. */
export function contextError({ id, contextLength }: Model, what: string): AppError {
  return new AppError(
    "context_length_exceeded",
    `This model's maximum context length is ${contextLength} tokens. ${what} have more than ${id} accepts: shorten the messages, or leave earlier ones out.`,
    { param: "messages" },
  );
}
