import { AppError } from "@/lib/errors";

/** "messages[2]", "messages.2", and "'messages', 2" as FastAPI writes it. */
const POSITION = /\b(messages(?:\[|\.|['"],\s?))(\d+)\b/g;

/** Translates positions in an upstream's error back to the caller's messages. `added` is how many we put before them. */
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
