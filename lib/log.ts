import pino from "pino";
import { env } from "./env";
import { processSingleton } from "./singleton";

/** Standard output, once for all lines of one turn of the event loop: each write is a system call. */
class Output {
  readonly #stdout = pino.destination({ sync: true });
  #lines = "";

  constructor() {
    // Pino's own way out at the end of a process; this one comes first.
    process.prependListener("exit", () => this.#flush());
  }

  write(line: string): void {
    if (!this.#lines) {
      setImmediate(() => this.#flush());
    }
    this.#lines += line;
  }

  #flush(): void {
    if (this.#lines) {
      this.#stdout.write(this.#lines);
      this.#lines = "";
    }
  }
}

/** One JSON line an event. Callers never pass a key's secret, a message's text or a passage's text. */
export const log = pino(
  {
    serializers: { err: describeError },
    level: env.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
  },
  processSingleton("log output", () => new Output()),
);

/** An upstream chooses its request ids, and its error codes: real ones are short, and theirs are words. */
const LONGEST_FOREIGN_ID = 100;
const CODE_OF_WORDS = /^[a-z]+(?:[_.-][a-z]+)*$/i;

/** An error's other members may hold what a caller or an upstream sent; they stay out of the log. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) {
    return { type: typeof error };
  }
  const facts = { type: error.name, stack: framesOf(error) };
  const code = stringOf(error, "code");
  if (!isAnswer(error)) {
    return { ...facts, code, message: error.message };
  }
  // The message of an answer over HTTP repeats its body, which may repeat a prompt or a key; so may its code.
  return {
    ...facts,
    code: code && CODE_OF_WORDS.test(code) ? code : undefined,
    status: statusOf(error),
    upstream_request_id:
      stringOf(error, "requestID") ?? stringOf(error, "request_id") ?? stringOf(error, "requestId"),
  };
}

/** An upstream's error inside a stream has a body and no status; a connection that failed has neither. */
function isAnswer(error: Error): boolean {
  const hasRequestId = ["requestID", "request_id", "requestId"].some((name) => name in error);
  const hasBody = "error" in error && error.error !== undefined;
  return hasRequestId && (hasBody || statusOf(error) !== undefined);
}

/** Clients of different vendors name it differently. */
function statusOf(error: Error): number | undefined {
  const status: unknown = Reflect.get(error, "status") ?? Reflect.get(error, "statusCode");
  return typeof status === "number" ? status : undefined;
}

function stringOf(error: Error, name: string): string | undefined {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value.slice(0, LONGEST_FOREIGN_ID) : undefined;
}

/** Where it was thrown, without the message that a stack begins with. */
function framesOf({ stack, message }: Error): string | undefined {
  return stack
    ?.replace(message, () => "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}
