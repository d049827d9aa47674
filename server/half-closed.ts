import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5000;

/** A request being read or its response being written. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * A half-closed client is either waiting for its response or gone, and only a write can tell. While the response is in
 * progress, this writes what HTTP clients ignore: if the client is gone, its host answers with a reset and the next
 * write fails. HTTP/1.0 has no such message, and its proxies half-close when their own client leaves, so it counts as gone.
 */
export function probeHalfClosed(socket: Socket, openExchanges: () => readonly Exchange[]): void {
  let waitMs = FIRST_WAIT_MS;
  const probe = () => {
    const [first] = openExchanges();
    if (!first || socket.destroyed) {
      return;
    }
    if (first.request.httpVersion === "1.0") {
      socket.destroy();
      return;
    }
    if (first.request.complete) {
      writeProbe(first.response);
    }
    setTimeout(probe, waitMs).unref();
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
  };
  probe();
}

function writeProbe(response: ServerResponse): void {
  if (!response.headersSent) {
    response.writeProcessing();
  } else if (isEventStream(response)) {
    response.write(":\n\n");
  }
}

/** Node stores the head passed to writeHead only as text, in a private field. */
function isEventStream(response: ServerResponse): boolean {
  const head: unknown = Reflect.get(response, "_header");
  return typeof head === "string" && /^content-type: text\/event-stream/im.test(head);
}
