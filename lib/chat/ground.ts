import type { KeyContext } from "@/lib/auth/context";
import { groundMessages, newNonce } from "@/lib/citations/prompt";
import type { Citation, Warning } from "@/lib/citations/schema";
import { AppError } from "@/lib/errors";
import { type ModelRequest, textOf } from "@/lib/models/schema";
import { toFoundPassage } from "@/lib/retrieval/passage";
import { search } from "@/lib/retrieval/read/search";
import type { Plan } from "./plan";

/** What goes to the model, and what retrieval did. */
export interface Grounded {
  request: ModelRequest;
  /** Null when retrieval did not run. */
  citations: Citation[] | null;
  warnings: Warning[];
  /** Whether the answer is prose; JSON that a program reads passes as the model wrote it. */
  isProse: boolean;
}

/**
 * Searches with the last user message and gives the model the passages as numbered sources. Where
 * retrieval cannot run, it throws when the request requires it, and warns otherwise.
 */
export async function ground(ctx: KeyContext, { request, retrieval }: Plan): Promise<Grounded> {
  const isProse = !asksForJson(request);
  if (!retrieval) {
    return { request, citations: null, warnings: [], isProse };
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
      citations: passages.map((passage, index) => ({ id: index + 1, ...toFoundPassage(passage) })),
      warnings: [],
      isProse,
    };
  } catch (thrown) {
    if (bounds.required || !(thrown instanceof AppError)) {
      throw thrown;
    }
    return { request, citations: null, warnings: [warningOf(thrown)], isProse };
  }
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
