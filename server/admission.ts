import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { env } from "@/lib/platform/env";
import { errorResponse } from "@/lib/platform/http/error-response";
import type { BufferedResponse } from "@/lib/platform/http/json-response";
import { bodyTooLarge, MAX_ANONYMOUS_BODY_BYTES } from "@/lib/platform/http/read-body";
import { withRequestSlot } from "@/lib/platform/http/request-slot";
import { DATA_HEADERS } from "@/lib/platform/http/security-headers";
import { isDraining } from "@/lib/platform/http/shutdown";
import { log } from "@/lib/platform/log";
import { watchLoad } from "@/server/load-shedding";
import { RequestSlots } from "@/server/request-slots";

/** They tell a platform whether the process lives, and what it suffers from. */
const ALWAYS_ADMITTED = /^\/api\/(?:live|health|metrics)(?:\?|$)/;

/** Of one account or client address: three can be greedy at once without keeping others out. */
const SHARE = 1 / 4;
const SWEEP_MS = 100;

/** Rejections are logged in one line per second. */
const REPORT_MS = 1000;

/** Whoever sends there has no key and no session. */
const ANONYMOUS_PATH = /^\/api\/(?:account|auth)\//;

const OVERLOADED = new AppError(
  "service_unavailable",
  "The server is overloaded. Wait a second and try again.",
  { headers: { "retry-after": "1" } },
);

export interface Admission {
  answer: RequestListener;
  close(): void;
}

export interface AdmissionOptions {
  maxInFlight?: number;
  maxPerAccount?: number | undefined;
  isOverloaded?: () => boolean;
  /** Answers a body that takes too long, and closes its connection. */
  rejectSlow?: (request: IncomingMessage) => void;
}

/**
 * Passes requests to `next` while they can be answered in time, and rejects the rest cheaply. While draining, each
 * connection closes with its response.
 */
export function createAdmission(
  next: RequestListener,
  {
    maxInFlight = env.MAX_CONCURRENT_REQUESTS,
    maxPerAccount = env.MAX_CONCURRENT_REQUESTS_PER_ACCOUNT,
    isOverloaded = watchLoad(),
    rejectSlow = (request) => request.destroy(),
  }: AdmissionOptions = {},
): Admission {
  let rejected = 0;
  const slots = new RequestSlots({
    maxRunning: maxInFlight,
    maxShare: maxPerAccount ?? Math.ceil(maxInFlight * SHARE),
    rejectSlow,
  });
  const sweep = setInterval(() => slots.sweep(), SWEEP_MS).unref();
  const report = setInterval(() => {
    if (rejected > 0) {
      log.warn({ rejected }, "shedding load: requests rejected");
      rejected = 0;
    }
  }, REPORT_MS).unref();
  const answer: RequestListener = (request, response) => {
    if (isDraining()) {
      response.shouldKeepAlive = false;
    }
    if (ALWAYS_ADMITTED.test(request.url ?? "")) {
      next(request, response);
      return;
    }
    // Before Next, which spends far more on a request that only has to be rejected.
    if (isTooLong(request)) {
      reject(response, bodyTooLarge(MAX_ANONYMOUS_BODY_BYTES));
      return;
    }
    const slot = isOverloaded() ? null : slots.open(request, response);
    if (!slot) {
      reject(response, OVERLOADED);
      rejected += 1;
      return;
    }
    withRequestSlot(
      (accountId) => slots.assign(slot, accountId),
      () => next(request, response),
    );
  };
  const close = () => {
    clearInterval(sweep);
    clearInterval(report);
  };
  return { answer, close };
}

function isTooLong({ url = "", headers }: IncomingMessage): boolean {
  const bytes = Number(headers["content-length"] ?? 0);
  return bytes > MAX_ANONYMOUS_BODY_BYTES && ANONYMOUS_PATH.test(url);
}

function reject(response: ServerResponse, error: AppError): void {
  const { buffered } = errorResponse(error, DATA_HEADERS) as BufferedResponse;
  const { status, headers, text } = buffered;
  response.writeHead(status, {
    ...headers,
    "x-request-id": newId("request"),
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
