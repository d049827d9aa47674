import { log } from "@/lib/log";
import { errorBody, toAppError } from "./error-response";

const encoder = new TextEncoder();
const HEARTBEAT_MS = 15_000;

/** What a handler returns to stream: route() turns it into a response of server-sent events. */
export class EventStream {
  constructor(readonly events: AsyncIterable<unknown>) {}
}

/** Names an event source as a stream for route(). */
export function sse(events: AsyncIterable<unknown>): EventStream {
  return new EventStream(events);
}

export interface StreamFacts {
  requestId: string;
  onHangUp: () => void;
}

/**
 * Streams events in OpenAI's wire form. A failure becomes one last error event; a hang-up calls
 * `onHangUp` and ends the source; silence is bridged by comments.
 */
export function eventStreamResponse(
  stream: EventStream,
  { requestId, onHangUp }: StreamFacts,
): Response {
  const source = stream.events[Symbol.asyncIterator]();
  let heartbeat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      heartbeat = setInterval(
        () => controller.enqueue(encoder.encode(": keep-alive\n\n")),
        HEARTBEAT_MS,
      );
      heartbeat.unref();
    },
    async pull(controller) {
      const send = (data: string) => controller.enqueue(toEvent(data));
      const done = await pullOne(source, send).catch((thrown: unknown) => {
        send(failureEvent(thrown, requestId));
        return true;
      });
      if (done) {
        clearInterval(heartbeat);
        controller.close();
      }
    },
    async cancel() {
      clearInterval(heartbeat);
      onHangUp();
      await source.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

function toEvent(data: string): Uint8Array {
  return encoder.encode(`data: ${data}\n\n`);
}

/** Sends the source's next event. Returns whether that was the end. */
async function pullOne(
  source: AsyncIterator<unknown>,
  send: (data: string) => void,
): Promise<boolean> {
  const next = await source.next();
  send(next.done ? "[DONE]" : JSON.stringify(next.value));
  return next.done ?? false;
}

function failureEvent(thrown: unknown, requestId: string): string {
  const error = toAppError(thrown);
  const line = { request_id: requestId, code: error.code, err: error.cause ?? error };
  log.error(line, "stream failed after its first byte");
  return JSON.stringify(errorBody(error));
}
