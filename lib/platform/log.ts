import pino from "pino";
import { processSingleton } from "@/lib/singleton";
import { env } from "./env";

/** Writes all lines of an event-loop turn at once, because each write is a system call. */
class Output {
  readonly #stdout = pino.destination({ sync: true });
  #lines = "";

  constructor() {
    // Before pino's own exit handler.
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

/** One JSON line per event. Never log a key's secret, a message's text or a passage's text. */
export const log = pino(
  {
    serializers: { err: describeError },
    level: env.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
  },
  processSingleton("log output", () => new Output()),
);

/** Upstreams choose their request ids and error codes: real ids are short, real codes are words. */
const MAX_FOREIGN_ID = 100;
const WORD_CODE = /^[a-z]+(?:[_.-][a-z]+)*$/i;

/** Leaves out other properties, which may contain what a caller or an upstream sent. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) {
    return { type: typeof error };
  }
  const facts = { type: error.name, stack: framesOf(error) };
  const code = stringOf(error, "code");
  if (!isAnswer(error)) {
    return { ...facts, code, message: error.message };
  }
  // An HTTP error's message and code may repeat its body, and so a prompt or a key.
  return {
    ...facts,
    code: code && WORD_CODE.test(code) ? code : undefined,
    status: statusOf(error),
    upstream_request_id:
      stringOf(error, "requestID") ?? stringOf(error, "request_id") ?? stringOf(error, "requestId"),
  };
}

/** An upstream's error event has a body but no status; a connection error has neither. */
function isAnswer(error: Error): boolean {
  const hasRequestId = ["requestID", "request_id", "requestId"].some((name) => name in error);
  const hasBody = "error" in error && error.error !== undefined;
  return hasRequestId && (hasBody || statusOf(error) !== undefined);
}

/** Vendors' clients name it differently. */
function statusOf(error: Error): number | undefined {
  const status: unknown = Reflect.get(error, "status") ?? Reflect.get(error, "statusCode");
  return typeof status === "number" ? status : undefined;
}

function stringOf(error: Error, name: string): string | undefined {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value.slice(0, MAX_FOREIGN_ID) : undefined;
}

/** The stack without the message. */
function framesOf({ stack, message }: Error): string | undefined {
  return stack
    ?.replace(message, () => "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}
