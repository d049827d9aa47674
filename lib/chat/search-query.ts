import { AppError } from "@/lib/errors";
import { type ChatMessage, textOf } from "@/lib/models/schema";
import type { Notice, Retrieval } from "@/lib/retrieval/schema";
import type { Plan } from "./plan";
import { isQuestion, toStandaloneQuery } from "./standalone-query";

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
  const { messages } = request;
  const asked = messages.findLastIndex(query === "last" ? isUser : isQuestion);
  const last = textToSearch(messages[asked], origin.fields.messages);
  const { text, dependsOnConversation } = toStandaloneQuery(messages.slice(0, asked + 1));
  if (query === "last") {
    return { text: last, method: "last", dependsOnConversation };
  }
  const rewritten = await rewrite?.ask(signal);
  if (rewritten) {
    return { text: rewritten, method: "model", dependsOnConversation: false };
  }
  const isLast = asked === messages.findLastIndex(isUser);
  const method = dependsOnConversation || !isLast ? "rules" : "last";
  return { text, method, dependsOnConversation: false };
}

function isUser({ role }: ChatMessage): boolean {
  return role === "user";
}

/** Throws invalid_request for a message without text. */
function textToSearch(message: ChatMessage | undefined, field: string): string {
  const text = textOf(message?.content);
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
