import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { AppError, type ErrorCode } from "@/lib/errors";
import { newId } from "@/lib/id";
import { errorBody } from "@/lib/platform/http/error-response";
import { DATA_HEADERS } from "@/lib/platform/http/security-headers";
import { log } from "@/lib/platform/log";

/** Time for the client to read the rejection while what it still sends is discarded. */
const LINGER_MS = 2000;
/** Beyond these, rejections are logged in one line per second. */
const LOGGED_PER_SECOND = 50;

/** Status and message by the reason for the log: a word or Node's error code. */
const REJECTIONS: Record<string, [status: number, message: string]> = {
  slow: [408, "The request took too long to arrive. Send it again over a faster connection."],
  "too many": [
    429,
    "There are too many connections from this address. Close some, or send one request after the other on the same connection.",
  ],
  tunnel: [
    405,
    "The method CONNECT isn't supported: this server is no proxy. Send it the request itself.",
  ],
  "no host": [400, "The request has no Host header. Add one."],
  "two hosts": [400, "The request has more than one Host header. Send one."],
  "no path": [400, "The request has no path. Begin it with '/', such as /v1/models."],
  expectation: [417, "The request has an unsupported Expect header. Leave it out."],
  HPE_HEADER_OVERFLOW: [
    431,
    "The request headers are larger than 16 kB in total. Send fewer or shorter ones.",
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    "The chunk extensions of the body are too long. Send the body without them.",
  ],
};
const INVALID_HTTP = [
  400,
  "The request isn't valid HTTP. Check its head and the length of its body.",
] as const;

/** Of other statuses, it is invalid_request. */
const CODES: Record<number, ErrorCode> = {
  405: "method_not_allowed",
  413: "payload_too_large",
  429: "rate_limit_exceeded",
};
const HEADERS: Record<number, Record<string, string>> = {
  405: { allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" },
  429: { "retry-after": "1" },
};

/** Responds and closes the connection. */
export function reject(response: ServerResponse, reason: string): void {
  const { status, headers, text } = buildRejection(reason);
  response.writeHead(status, headers).end(text);
}

/** The same when there is no parsed request, only a connection. */
export function rejectSocket(socket: Socket, reason: string, lingerMs = LINGER_MS): void {
  const { status, headers, text } = buildRejection(reason);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const message = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${text}`;
  if (lingerMs === 0) {
    socket.end(message, () => socket.destroy());
    return;
  }
  socket.end(message);
  // Closing at once would discard the response while the client is still sending.
  const end = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once("close", () => clearTimeout(end));
}

function buildRejection(reason: string) {
  const [status, message] = REJECTIONS[reason] ?? INVALID_HTTP;
  const requestId = newId("request");
  const code = CODES[status] ?? "invalid_request";
  const text = JSON.stringify(errorBody(new AppError(code, message)));
  logRejection({ request_id: requestId, status, code, reason });
  const headers: Record<string, string> = {
    ...DATA_HEADERS,
    ...HEADERS[status],
    "x-request-id": requestId,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    date: new Date().toUTCString(),
    connection: "close",
  };
  return { status, headers, text };
}

const second = { logged: 0, rejected: 0, dropped: 0, report: null as NodeJS.Timeout | null };

function logRejection(fields: object): void {
  if (second.logged < LOGGED_PER_SECOND) {
    second.logged += 1;
    log.info(fields, "request rejected");
  } else {
    second.rejected += 1;
  }
  reportSoon();
}

/** A connection that was closed without a word: the server has as many as it may. */
export function countDropped(): void {
  second.dropped += 1;
  reportSoon();
}

function reportSoon(): void {
  second.report ??= setTimeout(() => {
    const { rejected, dropped } = second;
    if (rejected + dropped > 0) {
      log.warn({ rejected, dropped }, "requests and connections rejected");
    }
    Object.assign(second, { logged: 0, rejected: 0, dropped: 0, report: null });
  }, 1000).unref();
}
