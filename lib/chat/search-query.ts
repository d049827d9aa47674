import { AppError } from "@/lib/errors";
import { type ModelRequest, textOf } from "@/lib/models/schema";
import type { Notice, Retrieval } from "@/lib/retrieval/schema";
import type { Plan } from "./plan";
import { toStandaloneQuery } from "./standalone-query";

interface SearchQuery {
  text: string;
  method: Retrieval["method"];
  /** Whether the text can't be understood without the conversation, and is searched all the same. */
  dependsOnConversation: boolean;
}

/**
 * The query to search for. Throws invalid_request when it is to be made from the messages and no user message has text.
 * `signal`: ends the wait for the model that makes it.
 */
export async function chooseQuery(
  { request, rewrite, origin }: Pick<Plan, "request" | "rewrite" | "origin">,
  { query }: Pick<NonNullable<Plan["retrieval"]>, "query">,
  signal: AbortSignal,
): Promise<SearchQuery> {
  if (typeof query === "object") {
    return { text: query.text, method: "given", dependsOnConversation: false };
  }
  const last = lastUserText(request, origin.fields.messages);
  const { text, dependsOnConversation } = toStandaloneQuery(request.messages);
  if (query === "last") {
    return { text: last, method: "last", dependsOnConversation };
  }
  const rewritten = await rewrite?.ask(signal);
  if (rewritten) {
    return { text: rewritten, method: "model", dependsOnConversation: false };
  }
  const method = dependsOnConversation ? "rules" : "last";
  return { text, method, dependsOnConversation: false };
}

/** Throws invalid_request when no user message has text. */
function lastUserText({ messages }: ModelRequest, field: string): string {
  const text = textOf(messages.findLast(({ role }) => role === "user")?.content);
  if (!text.trim()) {
    throw new AppError(
      "invalid_request",
      `Citations need a user message with text to search with. Add one to '${field}'.`,
      { param: "messages" },
    );
  }
  return text;
}

export function noticesOf({
  dependsOnConversation,
}: Pick<SearchQuery, "dependsOnConversation">): Notice[] {
  const message =
    'The last message refers to earlier ones, but was searched alone, so the sources may be about something else. Send citations.query as "conversation", or as {"text": "…"} with a question that stands alone.';
  return dependsOnConversation ? [{ code: "query_depends_on_conversation", message }] : [];
}
