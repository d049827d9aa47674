import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { errorResponse } from "@/lib/http/error-response";
import type { BufferedResponse } from "@/lib/http/json-response";
import { DATA_HEADERS } from "@/lib/http/security-headers";
import { isDraining } from "@/lib/http/shutdown";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";
import { watchLoad } from "@/server/load-shedding";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Health checks, metrics, and assets of a page already loading. */
const ALWAYS_ADMITTED = /^\/(api\/(health|metrics)\b|_next\/)/;

const REJECTION = errorResponse(
  new AppError("service_unavailable", "The server is overloaded. Wait a second and try again.", {
    headers: { "retry-after": "1" },
  }),
  DATA_HEADERS,
) as BufferedResponse;

export interface Admission {
  answer: Answer;
  close(): void;
}

/**
 * Passes requests to `next` while they can be answered in time, and rejects the rest cheaply. While draining, each
 * connection closes with its response.
 */
export function createAdmission(
  next: Answer,
  { maxInFlight = env.MAX_CONCURRENT_REQUESTS, isOverloaded = watchLoad() } = {},
): Admission {
  const rejected = countRejections();
  let inFlight = 0;
  const onClose = () => {
    inFlight -= 1;
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (isDraining()) {
      response.shouldKeepAlive = false;
    }
    const isFull = inFlight >= maxInFlight || isOverloaded();
    if (isFull && !ALWAYS_ADMITTED.test(request.url ?? "")) {
      sendRejection(response);
      rejected.add();
      return;
    }
    inFlight += 1;
    response.once("close", onClose);
    next(request, response);
  };
  return { answer, close: rejected.close };
}

function sendRejection(response: ServerResponse): void {
  const { status, headers, text } = REJECTION.buffered;
  response.writeHead(status, {
    ...headers,
    "x-request-id": newId("request"),
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** Logs one line per second. */
function countRejections() {
  let count = 0;
  const timer = setInterval(() => {
    if (count > 0) {
      log.warn({ rejected: count }, "shedding load: requests rejected");
      count = 0;
    }
  }, 1000).unref();
  return {
    add: () => {
      count += 1;
    },
    close: () => clearInterval(timer),
  };
}
