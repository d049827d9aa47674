import { invalidRequest } from "@/lib/errors";
import type { Notice, Retrieval } from "@/lib/library/retrieval/schema";
import { type ChatMessage, textOf } from "@/lib/models/schema";
import type { Plan } from "./plan";
import { refersBack } from "./refers-back";
import { isQuestion, MAX_TURN_LENGTH, toStandaloneQuery } from "./standalone-query";
import { plainText } from "./turn-words";

export interface SearchQuery {
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
  const said = messages.slice(0, asked + 1);
  const { text, dependsOnConversation } = toStandaloneQuery(said);
  const isFollowUp = dependsOnConversation || refersToEarlier(said, last);
  if (query === "last") {
    return { text: last, method: "last", dependsOnConversation: isFollowUp };
  }
  const rewritten = await rewrite?.ask(signal);
  if (rewritten) {
    return { text: rewritten, method: "model", dependsOnConversation: false };
  }
  const isLast = asked === messages.findLastIndex(isUser);
  return dependsOnConversation
    ? { text, method: "rules", dependsOnConversation: false }
    : { text, method: isLast ? "last" : "rules", dependsOnConversation: isFollowUp };
}

/** A longer message brings its own subject. */
const MAX_FOLLOW_UP_LENGTH = 400;

/** By the words of other languages than English, whose rules don't make a query. */
function refersToEarlier(messages: readonly ChatMessage[], last: string): boolean {
  const earlier = messages.filter(isUser).slice(-3, -1);
  const said = earlier.map(({ content }) => textOf(content).slice(-MAX_TURN_LENGTH));
  return (
    said.length > 0 &&
    last.length <= MAX_FOLLOW_UP_LENGTH &&
    refersBack(plainText(last), said.join("\n"))
  );
}

function isUser({ role }: ChatMessage): boolean {
  return role === "user";
}

/** Throws invalid_request for a message without text. */
function textToSearch(message: ChatMessage | undefined, field: string): string {
  const text = textOf(message?.content);
  if (!text.trim()) {
    throw invalidRequest(
      `Citations need a user message with text to search with. Add one to '${field}'.`,
      "messages",
    );
  }
  return text;
}

export function noticesOf({
  dependsOnConversation,
}: Pick<SearchQuery, "dependsOnConversation">): Notice[] {
  const message =
    'The last message refers to earlier ones, but was searched alone, so the sources may be about something else. Send citations.query as {"text": "…"} with a question that stands alone, or as "conversation" in English or where a model makes it.';
  return dependsOnConversation ? [{ code: "query_depends_on_conversation", message }] : [];
}
