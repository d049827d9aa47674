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

/** What tells how the process is, and what a browser has begun to load. */
const ALWAYS = /^\/(api\/(health|metrics)\b|_next\/)/;

const REJECTION = errorResponse(
  new AppError(
    "service_unavailable",
    "The server has more requests than it can answer. Wait a second and try again.",
    { headers: { "retry-after": "1" } },
  ),
  DATA_HEADERS,
) as BufferedResponse;

export interface Admission {
  answer: Answer;
  close(): void;
}

/**
 * Lets as many requests through to `otherwise` as can be answered in time; the rest are told to come back, for
 * a fraction of what an answer costs. Of a process that is to stop, each connection ends with its answer.
 */
export function createAdmission(
  otherwise: Answer,
  { mostAtWork = env.MAX_CONCURRENT_REQUESTS, isPressed = watchLoad() } = {},
): Admission {
  const refused = countRejections();
  let atWork = 0;
  const onClose = () => {
    atWork -= 1;
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (isDraining()) {
      response.shouldKeepAlive = false;
    }
    const isFull = atWork >= mostAtWork || isPressed();
    if (isFull && !ALWAYS.test(request.url ?? "")) {
      sendRejection(response);
      refused.add();
      return;
    }
    atWork += 1;
    response.once("close", onClose);
    otherwise(request, response);
  };
  return { answer, close: refused.close };
}

function sendRejection(response: ServerResponse): void {
  const { status, headers, text } = REJECTION.whole;
  response.writeHead(status, {
    ...headers,
    "x-request-id": newId("request"),
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** One line of the log for all of a second. */
function countRejections() {
  let count = 0;
  const timer = setInterval(() => {
    if (count > 0) {
      log.warn({ refused: count }, "requests refused: the server is overloaded");
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
