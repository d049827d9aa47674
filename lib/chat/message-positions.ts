import { AppError } from "@/lib/errors";

/** "messages[2]", "messages.2", and "'messages', 2" as FastAPI writes it. */
const POSITION = /\b(messages(?:\[|\.|['"],\s?))(\d+)\b/g;

/** An upstream's error about a message, by its position in the caller's request; `added`: messages of ours before it. */
export function toCallerPositions(thrown: unknown, added: number): unknown {
  if (added === 0 || !(thrown instanceof AppError) || thrown.status !== 400) {
    return thrown;
  }
  const renumber = (text: string) =>
    text.replace(POSITION, (_, before: string, index: string) => {
      return before + Math.max(0, Number(index) - added);
    });
  const { code, message, param, cause, headers, details } = thrown;
  return new AppError(code, renumber(message), {
    param: param && renumber(param),
    cause,
    headers,
    details,
  });
}
