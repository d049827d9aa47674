import type { KeyContext } from "@/lib/auth/context";
import { groundMessages, newNonce } from "@/lib/citations/prompt";
import type { CitationsRequest, Warning } from "@/lib/citations/schema";
import type { AnswerSource } from "@/lib/citations/verification";
import { AppError } from "@/lib/errors";
import { type ModelRequest, textOf } from "@/lib/models/schema";
import { type Passage, toFoundPassage } from "@/lib/retrieval/passage";
import { search } from "@/lib/retrieval/read/search";
import type { Plan } from "./plan";

/** What a search gave the model to cite. */
export interface Retrieved {
  bounds: CitationsRequest;
  /** In the order of their numbers, from 1. */
  sources: AnswerSource[];
  passages: readonly Passage[];
}

/** What goes to the model, and what retrieval did. */
export interface Grounded {
  request: ModelRequest;
  /** Null when retrieval did not run. */
  retrieved: Retrieved | null;
  warnings: Warning[];
  /** Whether the answer is prose; JSON that a program reads passes as the model wrote it. */
  isProse: boolean;
  /** Whether the model is not to be asked, because nothing was found. */
  isAbstaining: boolean;
}

/**
 * Searches with the last user message and gives the model the passages as numbered sources. Where
 * retrieval cannot run, it throws when the request requires it, and warns otherwise.
 */
export async function ground(ctx: KeyContext, { request, retrieval }: Plan): Promise<Grounded> {
  const isProse = !asksForJson(request);
  if (!retrieval) {
    return { request, retrieved: null, warnings: [], isProse, isAbstaining: false };
  }
  const { bounds, collections } = retrieval;
  try {
    const { passages } = await search(ctx, {
      query: lastUserText(request),
      collections,
      topK: bounds.top_k,
      sourceTypes: bounds.source_types,
      minScore: bounds.min_score,
    });
    return {
      request: { ...request, messages: groundMessages(request.messages, passages, newNonce()) },
      retrieved: { bounds, passages, sources: passages.map(toSource) },
      warnings: [],
      isProse,
      isAbstaining: passages.length === 0 && bounds.on_empty === "abstain",
    };
  } catch (thrown) {
    if (bounds.required || !(thrown instanceof AppError)) {
      throw thrown;
    }
    const warnings = [warningOf(thrown)];
    return { request, retrieved: null, warnings, isProse, isAbstaining: false };
  }
}

function toSource(passage: Passage, index: number): AnswerSource {
  return {
    citation: { id: index + 1, ...toFoundPassage(passage) },
    text: passage.text,
    charStart: passage.charStart,
  };
}

function asksForJson({ response_format: format }: ModelRequest): boolean {
  const type = typeof format === "object" && format !== null && "type" in format && format.type;
  return type === "json_object" || type === "json_schema";
}

function warningOf({ code }: AppError): Warning {
  const reason =
    code === "invalid_request" ? "the search was rejected" : "the retrieval service did not answer";
  return {
    code,
    message: `Citation retrieval was unavailable (${reason}) and the response was generated without citations.`,
  };
}

/** The search query. Throws invalid_request when no user message has text. */
function lastUserText({ messages }: ModelRequest): string {
  const text = textOf(messages.findLast(({ role }) => role === "user")?.content);
  if (!text.trim()) {
    throw new AppError(
      "invalid_request",
      "Citations need a user message with text to search with. Add one to 'messages'.",
      { param: "messages" },
    );
  }
  return text;
}
