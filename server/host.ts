import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { BufferedResponse } from "@/lib/http/json-response";
import type { StreamedResponse } from "@/lib/http/sse";
import { log } from "@/lib/log";
import { type Match, METHODS, type RouteModule, routeTable } from "./routes";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A path that reads the same to everyone. Escapes, empty parts, dots in front and a slash at the end are
 * for Next to understand, as it does without this host.
 */
const PLAIN_PATH = /^\/v1(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)+$/;

export interface Host {
  answer: Answer;
  /** Resolves when no route file is at work, not even for a client that has left. */
  idle(): Promise<void>;
}

/**
 * Answers requests by the route files themselves. What they do not answer alone, such as HEAD, OPTIONS or an
 * address that is to be corrected, goes to `otherwise`.
 */
export function createHost(files: Record<string, RouteModule>, otherwise: Answer): Host {
  const find = routeTable(files);
  const running = new Set<Promise<void>>();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const found = findFor(request, find);
    const handler = found?.module[request.method ?? ""];
    if (!found || !handler) {
      otherwise(request, response);
      return;
    }
    const context = { params: Promise.resolve(found.params) };
    const failed = (cause: unknown) => {
      log.error({ err: cause }, "an answer was not sent");
      response.destroy();
    };
    const run = handler(new NodeRequest({ req: request, res: response }), context).then(
      // Not waited for: to a client that has left it never ends.
      (result) => void send(response, result).catch(failed),
      failed,
    );
    running.add(run);
    void run.then(() => running.delete(run));
  };
  return {
    answer,
    idle: async () => {
      while (running.size > 0) {
        await Promise.all(running);
      }
    },
  };
}

function findFor(
  { method = "", url = "" }: IncomingMessage,
  find: (pathname: string) => Match<RouteModule> | null,
): Match<RouteModule> | null {
  if (!(METHODS as readonly string[]).includes(method)) {
    return null;
  }
  const query = url.indexOf("?");
  const pathname = query < 0 ? url : url.slice(0, query);
  return PLAIN_PATH.test(pathname) ? find(pathname) : null;
}

/** Sends an answer. Resolves when it is sent or its client has left; to one that does not read it may never end. */
export async function send(response: ServerResponse, answer: Response): Promise<void> {
  const { whole, streamed } = answer as Partial<BufferedResponse & StreamedResponse>;
  if (whole) {
    const { status, headers, text } = whole;
    // With its length said, head and body are one write.
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
    response.end(text);
  } else if (streamed) {
    await sendEvents(response, streamed);
  } else {
    await sendNodeResponse(response, answer);
  }
}

/** Events as they come, no faster than the client reads them. */
async function sendEvents(
  response: ServerResponse,
  { headers, text }: StreamedResponse["streamed"],
): Promise<void> {
  if (response.destroyed) {
    await text.cancel();
    return;
  }
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  void closed.then(() => text.cancel());
  response.writeHead(200, headers);
  text.startHeartbeat((comment) => !response.destroyed && response.write(comment));
  for (let event = await text.next(); event !== null; event = await text.next()) {
    if (response.destroyed) {
      return;
    }
    if (!response.write(event)) {
      await Promise.race([new Promise((resolve) => response.once("drain", resolve)), closed]);
    }
  }
  response.end();
}
