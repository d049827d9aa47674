import { isLeading } from "@/lib/answers/citations/prompt";
import { AppError } from "@/lib/errors";
import type { ChatMessage } from "@/lib/models/schema";

/** "messages[2]", "messages.2", "'messages', 2" as FastAPI writes it, and a part of such a message: "messages[2].content[1]". */
const POSITION =
  /\b(?<before>messages(?:\[|\.|['"],\s?))(?<index>\d+)(?:(?<between>\]?\.content(?:\[|\.)|,\s?['"]content['"],\s?)(?<part>\d+))?/g;

interface Sent {
  /** The caller's messages. */
  own: readonly ChatMessage[];
  /** With the rules and the sources. */
  sent: readonly ChatMessage[];
}

/** Translates positions in an upstream's error back to the caller's messages. */
export function toCallerPositions(thrown: unknown, { own, sent }: Sent): unknown {
  if (own === sent || !(thrown instanceof AppError) || thrown.status !== 400) {
    return thrown;
  }
  const added = isLeading(own[0]) ? 0 : 1;
  const renumber = (text: string) =>
    text.replace(POSITION, (...match) => {
      const { before, index, between, part } = match.at(-1) as Record<string, string>;
      const message = lowered(index, added);
      const addedParts = partCount(sent[Number(index)]) - partCount(own[message]);
      return `${before}${message}${between ? between + lowered(part, addedParts) : ""}`;
    });
  const { code, message, param, cause, headers, details } = thrown;
  return new AppError(code, renumber(message), {
    param: param && renumber(param),
    cause,
    headers,
    details,
  });
}

function lowered(index: string | undefined, by: number): number {
  return Math.max(0, Number(index) - by);
}

function partCount(message: ChatMessage | undefined): number {
  return Array.isArray(message?.content) ? message.content.length : 0;
}
