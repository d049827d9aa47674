import type { IncomingHttpHeaders } from "node:http";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";
import type { CallOutcome, UpstreamCall } from "./upstream-call";

/** Received but unread: beyond it, reading pauses. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** Far more than 128 choices with their log probabilities. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

export interface UpstreamRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Before the response starts and between its pieces. */
  idleTimeoutMs: number;
  observer?: UpstreamCall;
  /** Over connections of its own, so that requests never wait behind it. */
  isBackground?: boolean;
  /** Called when the request is written to a connection. */
  onSent?: () => void;
  onPiece?: () => void;
}

/** The connection failed before a response started. */
export class ConnectionError extends Error {
  override name = "ConnectionError";
}

export class IdleTimeoutError extends Error {
  override name = "IdleTimeoutError";
}

export class ResponseTooLargeError extends Error {
  override name = "ResponseTooLargeError";
}

/** Where an OpenAI-compatible upstream takes a kind of call, and the headers of one. */
export function endpointOf(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  path: "chat/completions" | "responses" | "embeddings",
) {
  return {
    url: new URL(`${baseUrl.replace(/\/$/, "")}/${path}`),
    headers: {
      accept: "application/json",
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "user-agent": "footnote",
    },
  };
}

/** Whether a call ran out of time, as a whole or between two pieces. */
export function isTimeout(cause: unknown): boolean {
  return (
    cause instanceof IdleTimeoutError || (cause instanceof Error && cause.name === "TimeoutError")
  );
}

/** How a call without a whole response ended, unless its caller aborted it. */
export function outcomeOfFailure(cause: unknown): CallOutcome {
  if (isTimeout(cause)) {
    return "timeout";
  }
  return cause instanceof ConnectionError ? "unreachable" : "broken";
}

export type UpstreamResponse = Pick<UpstreamExchange, "status" | "headers" | "text" | "pieces">;

/**
 * Resolves with the response head, whatever its status; redirects aren't followed. Throws ConnectionError,
 * IdleTimeoutError or the signal's reason. Uses undici's handlers directly, which halves the time of its stream API.
 */
export async function postUpstream(call: UpstreamRequest): Promise<UpstreamResponse> {
  call.signal.throwIfAborted();
  const outcome = Promise.withResolvers<UpstreamResponse>();
  const { url, headers, body, isBackground = false } = call;
  // Shared by the process, without a limit per upstream.
  const upstreams = processSingleton(
    `${isBackground ? "background" : "upstream"} connections`,
    () => (env.NODE_USE_ENV_PROXY ? new EnvHttpProxyAgent() : new Agent()),
  );
  upstreams.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: "POST",
      headers,
      body,
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    new UpstreamExchange(call, outcome),
  );
  return outcome.promise;
}

class UpstreamExchange implements Dispatcher.DispatchHandler {
  status = 0;
  headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | null = null;
  #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  #end: { cause?: unknown } | null = null;
  #wake: () => void = () => {};
  readonly #idleTimer: NodeJS.Timeout;
  readonly #onAbort = () => this.#abort(this.call.signal.reason);

  constructor(
    private readonly call: UpstreamRequest,
    private readonly outcome: PromiseWithResolvers<UpstreamResponse>,
  ) {
    this.#idleTimer = setTimeout(() => this.#onIdle(), call.idleTimeoutMs);
    call.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#end) {
      controller.abort(toError(this.#end.cause));
      return;
    }
    this.call.onSent?.();
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) {
      this.#idleTimer.refresh();
      this.status = status;
      this.headers = headers;
      this.call.observer?.began(status);
      this.outcome.resolve(this);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#idleTimer.refresh();
    this.call.onPiece?.();
    this.#pieces.push(piece);
    this.#waitingBytes += piece.byteLength;
    if (this.#waitingBytes > MAX_BUFFERED_BYTES) {
      controller.pause();
    }
    this.#wake();
  }

  onResponseEnd(): void {
    this.#finish({});
  }

  onResponseError(_controller: unknown, cause: Error): void {
    const hasBegun = this.status > 0;
    this.#finish({
      cause: hasBegun ? cause : new ConnectionError("the upstream could not be reached", { cause }),
    });
  }

  /** Throws ResponseTooLargeError. Most responses are one piece, for which a generator costs several times as much. */
  async text(maxBytes = MAX_BODY_BYTES): Promise<string> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    do {
      await this.#more();
      for (const piece of this.#take()) {
        bytes += piece.byteLength;
        pieces.push(piece);
      }
      if (bytes > maxBytes) {
        const cause = new ResponseTooLargeError("the upstream's response is too large");
        this.#abort(cause);
        throw cause;
      }
    } while (!this.#end);
    if (this.#end.cause !== undefined) {
      throw this.#end.cause;
    }
    return Buffer.concat(pieces).toString();
  }

  /** Leaving the loop ends the call. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      while (!this.#end || this.#pieces.length > 0) {
        for (const piece of this.#take()) {
          yield piece;
        }
        if (!this.#end) {
          await this.#more();
        }
      }
      if (this.#end?.cause !== undefined) {
        throw this.#end.cause;
      }
    } finally {
      this.#abort(READER_DONE);
    }
  }

  #take(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#waitingBytes = 0;
    if (this.#controller?.paused && !this.#end) {
      this.#idleTimer.refresh();
      this.#controller.resume();
    }
    return pieces;
  }

  #more(): Promise<void> {
    return this.#pieces.length > 0 || this.#end
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#wake = resolve;
        });
  }

  #onIdle(): void {
    if (this.#controller?.paused) {
      // We paused it.
      this.#idleTimer.refresh();
    } else {
      this.#abort(new IdleTimeoutError("no response in time"));
    }
  }

  #abort(cause: unknown): void {
    if (!this.#end) {
      this.#finish({ cause });
      this.#controller?.abort(toError(cause));
    }
  }

  #outcomeOf({ cause }: { cause?: unknown }): CallOutcome {
    if (this.call.signal.aborted) {
      return "aborted";
    }
    return cause === undefined || cause === READER_DONE ? "ok" : outcomeOfFailure(cause);
  }

  /** The first call counts: undici reports an abort as a failure. */
  #finish(end: { cause?: unknown }): void {
    if (this.#end) {
      return;
    }
    this.#end = end;
    clearTimeout(this.#idleTimer);
    this.call.signal.removeEventListener("abort", this.#onAbort);
    this.call.observer?.ended(this.#outcomeOf(end));
    // No effect once the head has arrived.
    this.outcome.reject(end.cause);
    this.#wake();
  }
}

/** A stream's end marker comes before its connection closes. */
const READER_DONE = new Error("the reader is done");

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
