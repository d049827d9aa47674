import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/** A request on its way in or its answer on its way out. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * A client that has closed its side either waits for its answer or is gone; only what is written to it tells. While its
 * answer is being made it gets what HTTP lets everybody ignore: the first makes a machine whose program is gone say so,
 * and the next one fails and closes the connection. HTTP/1.0 has nothing of the kind, and its proxies close their side
 * when their own client has left: such a client is gone.
 */
export function probeHalfClosed(socket: Socket, openExchanges: () => readonly Exchange[]): void {
  let waitMs = FIRST_WAIT_MS;
  const ask = () => {
    const [first] = openExchanges();
    if (!first || socket.destroyed) {
      return;
    }
    if (first.request.httpVersion === "1.0") {
      socket.destroy();
      return;
    }
    if (first.request.complete) {
      writeNothing(first.response);
    }
    setTimeout(ask, waitMs).unref();
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  };
  ask();
}

function writeNothing(response: ServerResponse): void {
  if (!response.headersSent) {
    response.writeProcessing();
  } else if (isEventStream(response)) {
    response.write(":\n\n");
  }
}

/** Node keeps what was given to writeHead as the head's text alone, and nowhere in public. */
function isEventStream(response: ServerResponse): boolean {
  const head: unknown = Reflect.get(response, "_header");
  return typeof head === "string" && /^content-type: text\/event-stream/im.test(head);
}
