import { FastResponse } from "srvx";
import { abortReason } from "@/lib/http/shutdown";
import { bindToRequest, type StreamFacts } from "./bind-to-request";
import { errorBody, toAppError } from "./error-response";

const encoder = new TextEncoder();
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ": keep-alive\n\n";
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** What a handler returns to stream: route() turns it into a response of server-sent events. */
export class EventStream {
  constructor(readonly events: AsyncIterable<unknown>) {}
}

/** Names an event source as a stream for route(). */
export function sse(events: AsyncIterable<unknown>): EventStream {
  return new EventStream(events);
}

/** What a host on Node can write itself, without a web stream between. */
interface Streamed {
  /** Names in lower case. */
  headers: Record<string, string>;
  text: EventText;
}

/** A Response of server-sent events. */
export interface StreamedResponse extends Response {
  readonly streamed: Streamed;
}

/**
 * Streams events in OpenAI's wire form. A failure becomes one last error event; a hang-up calls
 * `onHangUp` and ends the source; silence is bridged by comments. Nothing is asked for before it is read.
 */
export function eventStreamResponse(
  stream: EventStream,
  facts: StreamFacts,
  headers: Record<string, string> = {},
): StreamedResponse {
  const text = new EventText(stream.events, facts);
  const all = { ...HEADERS, ...headers };
  const response = new FastResponse(toBody(text), { headers: all });
  return Object.assign(response, { streamed: { headers: all, text } });
}

function toBody(text: EventText): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        text.startHeartbeat((comment) => controller.enqueue(encoder.encode(comment)));
        const event = await text.next();
        if (event === null) {
          controller.close();
        } else {
          controller.enqueue(encoder.encode(event));
        }
      },
      cancel: () => text.cancel(),
    },
    { highWaterMark: 0 },
  );
}

/** The text of a stream's events, one after the other, for whoever writes it. */
class EventText {
  readonly #source: ReturnType<typeof bindToRequest<unknown>>;
  #heartbeat: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    events: AsyncIterable<unknown>,
    private readonly facts: StreamFacts,
  ) {
    this.#source = bindToRequest(events, facts);
  }

  /** Has a comment written every 15 seconds, until the end. */
  startHeartbeat(write: (comment: string) => unknown): void {
    if (!this.#heartbeat && !this.#isOver) {
      this.#heartbeat = setInterval(() => write(HEARTBEAT), HEARTBEAT_MS);
      this.#heartbeat.unref();
    }
  }

  /** The next event; null when all were given. Never throws: a failure is the last event. */
  async next(): Promise<string | null> {
    if (this.#isOver) {
      return null;
    }
    try {
      const next = await this.#source.next();
      if (!next.done) {
        return toEvent(JSON.stringify(next.value));
      }
      const cut = abortReason(this.facts.signal);
      if (cut) {
        throw cut;
      }
      this.#end();
      this.facts.onEnd({ isCut: this.#source.hasLeft() });
      return toEvent("[DONE]");
    } catch (thrown) {
      this.#end();
      const error = toAppError(thrown);
      this.facts.onEnd({ error, isCut: true });
      return toEvent(JSON.stringify(errorBody(error)));
    }
  }

  /** Nobody reads on. */
  async cancel(): Promise<void> {
    if (!this.#isOver) {
      this.#end();
      this.facts.onDisconnect();
      await this.#source.leave();
    }
  }

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#heartbeat);
  }
}

function toEvent(data: string): string {
  return `data: ${data}\n\n`;
}
