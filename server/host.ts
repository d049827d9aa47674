import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeRequest } from "srvx/node";
import { log } from "@/lib/log";
import { type Match, METHODS, type RouteModule, routeTable } from "./routes";
import { send } from "./send";

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
