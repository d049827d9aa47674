import { FastResponse } from "srvx";
import type { AppError } from "@/lib/errors";
import { abortReason } from "@/lib/platform/http/shutdown";
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

/** How a protocol writes its events. */
interface EventFormat {
  write: (event: unknown) => string;
  /** The last text after a failure. */
  fail: (error: AppError) => string;
  /** The last text otherwise. */
  end: string;
}

/** That of OpenAI's chat completions. */
const DATA_ONLY: EventFormat = {
  write: toEvent,
  fail: (error) => toEvent(errorBody(error)),
  end: "data: [DONE]\n\n",
};

/** A handler returns this to stream: route() sends it as server-sent events. */
export class EventStream {
  constructor(
    readonly events: AsyncIterable<unknown>,
    readonly format: EventFormat,
    readonly headers: Record<string, string> = {},
  ) {}
}

export function sse(events: AsyncIterable<unknown>, format = DATA_ONLY): EventStream {
  return new EventStream(events, format);
}

/** `streamed`: what a Node host can write directly, without a web stream. Header names are in lower case. */
export type StreamedResponse = Response & {
  readonly streamed: { headers: Record<string, string>; text: EventText };
};

/**
 * Streams events in OpenAI's wire format. A failure becomes one last error event; a disconnect cancels the source;
 * comments keep an idle connection open. Events are pulled only as they are read.
 */
export function eventStreamResponse(
  stream: EventStream,
  facts: StreamFacts,
  headers: Record<string, string> = {},
): StreamedResponse {
  const text = readEventText(stream, facts);
  const all = { ...stream.headers, ...headers, ...HEADERS };
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

type EventText = ReturnType<typeof readEventText>;

function readEventText({ events, format }: EventStream, facts: StreamFacts) {
  const source = bindToRequest(events, facts);
  let heartbeat: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    clearInterval(heartbeat);
  };
  return {
    /** Writes a comment every 15 seconds until the stream ends. */
    startHeartbeat(write: (comment: string) => unknown): void {
      if (!hasEnded) {
        heartbeat ??= setInterval(() => write(HEARTBEAT), HEARTBEAT_MS).unref();
      }
    },

    /** The next event, or null at the end. Never throws: a failure is the last event. */
    async next(): Promise<string | null> {
      if (hasEnded) {
        return null;
      }
      try {
        const next = await source.next();
        if (!next.done) {
          return format.write(next.value);
        }
        const aborted = abortReason(facts.signal);
        if (aborted) {
          throw aborted;
        }
        end();
        facts.onEnd({ isCut: source.isCanceled() });
        return format.end || null;
      } catch (thrown) {
        end();
        const error = toAppError(thrown);
        facts.onEnd({ error, isCut: true });
        return format.fail(error);
      }
    },

    async cancel(): Promise<void> {
      if (!hasEnded) {
        end();
        facts.onDisconnect();
        await source.cancel();
      }
    },
  };
}

function toEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
