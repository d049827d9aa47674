import type { RequestListener, ServerResponse } from "node:http";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { errorResponse } from "@/lib/http/error-response";
import type { BufferedResponse } from "@/lib/http/json-response";
import { DATA_HEADERS } from "@/lib/http/security-headers";
import { isDraining } from "@/lib/http/shutdown";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";
import { watchLoad } from "@/server/load-shedding";

/** Health checks, metrics, and assets of a page already loading. */
const ALWAYS_ADMITTED = /^\/(api\/(health|metrics)\b|_next\/)/;

/** Rejections are logged in one line per second. */
const REPORT_MS = 1000;

const REJECTION = errorResponse(
  new AppError("service_unavailable", "The server is overloaded. Wait a second and try again.", {
    headers: { "retry-after": "1" },
  }),
  DATA_HEADERS,
) as BufferedResponse;

export interface Admission {
  answer: RequestListener;
  close(): void;
}

/**
 * Passes requests to `next` while they can be answered in time, and rejects the rest cheaply. While draining, each
 * connection closes with its response.
 */
export function createAdmission(
  next: RequestListener,
  { maxInFlight = env.MAX_CONCURRENT_REQUESTS, isOverloaded = watchLoad() } = {},
): Admission {
  let rejected = 0;
  let inFlight = 0;
  const report = setInterval(() => {
    if (rejected > 0) {
      log.warn({ rejected }, "shedding load: requests rejected");
      rejected = 0;
    }
  }, REPORT_MS).unref();
  const onClose = () => {
    inFlight -= 1;
  };
  const answer: RequestListener = (request, response) => {
    if (isDraining()) {
      response.shouldKeepAlive = false;
    }
    const isFull = inFlight >= maxInFlight || isOverloaded();
    if (isFull && !ALWAYS_ADMITTED.test(request.url ?? "")) {
      sendRejection(response);
      rejected += 1;
      return;
    }
    inFlight += 1;
    response.once("close", onClose);
    next(request, response);
  };
  return { answer, close: () => clearInterval(report) };
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
