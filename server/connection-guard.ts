import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import { appendPeerAddress } from "@/lib/http/request";
import { DATA_HEADERS } from "@/lib/http/security-headers";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";

/** The average a request body must reach in each window: slow is fine, stalled isn't. */
export interface MinimumBodyRate {
  windowMs: number;
  bytesPerSecond: number;
}

const DEFAULT_BODY_RATE: MinimumBodyRate = { windowMs: 20_000, bytesPerSecond: 1024 };
/** Nobody there has a key or a session: these small bodies must be complete within one window. */
const ANONYMOUS_PATH = /^\/api\/(?:account|auth|webhooks)\//;
const CHECKS_PER_WINDOW = 4;
/** Waits between probes of a half-closed connection. */
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5000;
/** Time for the client to read the rejection while what it still sends is discarded. */
const LINGER_MS = 2000;

/** A request being read or its response being written. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  window: { startedAt: number; bytesRead: number };
}

/** Per connection, in order: pipelined requests wait for the responses before theirs. */
type Exchanges = Map<Socket, Exchange[]>;

/**
 * Handles what isn't a normal request: malformed HTTP, a head or body that doesn't arrive, a half-closed connection.
 * Rejections use the API's error shape wherever HTTP still allows a response.
 */
export function guardConnections(
  server: Server,
  answer: RequestListener,
  pace = DEFAULT_BODY_RATE,
): void {
  const exchanges: Exchanges = new Map();
  // Missing in Node's types: lets a client close its side and still get its response.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket: Socket) => {
    socket.once("close", () => exchanges.delete(socket));
    socket.once("end", () => probeHalfClosed(socket, exchanges));
  });
  server.on("request", (request, response) => {
    trackExchange(exchanges, request, response);
    appendPeerAddress(request);
    toOriginForm(request);
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      reject(response, "no host");
    } else {
      answer(request, response);
    }
  });
  server.on("checkExpectation", (request, response) => {
    trackExchange(exchanges, request, response);
    reject(response, "expectation");
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    rejectNext(exchanges, socket as Socket, reasonOf(error));
  });
  const sweep = setInterval(
    () => rejectSlow(exchanges, pace),
    pace.windowMs / CHECKS_PER_WINDOW,
  ).unref();
  server.once("close", () => clearInterval(sweep));
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)([^#]*)/i;

/** "GET http://host/path", as to a proxy: servers must accept it, and take its host (RFC 9112, 3.2.2). */
function toOriginForm(request: IncomingMessage): void {
  const [, host, path = ""] = ABSOLUTE_FORM.exec(request.url ?? "") ?? [];
  if (host) {
    request.url = path.startsWith("/") ? path : `/${path}`;
    request.headers.host = host;
  }
}

function trackExchange(
  exchanges: Exchanges,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { socket } = request;
  const window = { startedAt: Date.now(), bytesRead: socket.bytesRead };
  exchanges.set(socket, [...openExchanges(exchanges, socket), { request, response, window }]);
}

/** Exchanges that haven't ended: an early response doesn't end the request body. */
function openExchanges(exchanges: Exchanges, socket: Socket): Exchange[] {
  return (exchanges.get(socket) ?? []).filter(
    ({ request, response }) => !request.complete || !response.closed,
  );
}

const rejected = new WeakSet<Socket>();

/** Rejects the next request on a connection once earlier responses are out, then closes it. */
function rejectNext(exchanges: Exchanges, socket: Socket, reason: string | null): void {
  if (rejected.has(socket)) {
    return;
  }
  rejected.add(socket);
  const open = openExchanges(exchanges, socket);
  const unfinished = open.at(-1)?.request.complete ? undefined : open.pop();
  if (!reason || !socket.writable || unfinished?.response.headersSent) {
    socket.destroy();
    return;
  }
  const answered = open.map(
    ({ response }) =>
      new Promise<void>((resolve) =>
        response.closed ? resolve() : response.once("close", resolve),
      ),
  );
  void Promise.all(answered).then(() => {
    if (unfinished?.response.headersSent) {
      socket.destroySoon();
    } else if (socket.writable) {
      rejectSocket(socket, reason);
    }
  });
}

/** Rejects a body slower than the minimum rate with nothing left for us to read, or one already answered. */
function rejectSlow(exchanges: Exchanges, { windowMs, bytesPerSecond }: MinimumBodyRate): void {
  const now = Date.now();
  for (const socket of exchanges.keys()) {
    const open = openExchanges(exchanges, socket);
    exchanges.set(socket, open);
    const last = open.at(-1);
    if (!last || last.request.complete || now - last.window.startedAt < windowMs) {
      continue;
    }
    const seconds = (now - last.window.startedAt) / 1000;
    const isSlow =
      socket.bytesRead - last.window.bytesRead < bytesPerSecond * seconds ||
      ANONYMOUS_PATH.test(last.request.url ?? "");
    const isAnswered = last.response.writableFinished;
    if (isAnswered || (isSlow && last.request.readableLength === 0 && !socket.isPaused())) {
      rejectNext(exchanges, socket, "slow");
    } else {
      last.window = { startedAt: now, bytesRead: socket.bytesRead };
    }
  }
}

/** Status and message by the reason for the log: a word or Node's error code. */
const REJECTIONS: Record<string, [status: number, message: string]> = {
  slow: [408, "The request took too long to arrive. Send it again over a faster connection."],
  "no host": [400, "The request has no Host header. Add one."],
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
const INVALID_HTTP: [status: number, message: string] = [
  400,
  "The request isn't valid HTTP. Check its head and the length of its body.",
];

/** Null when there is no one to answer. */
function reasonOf({ code = "unknown" }: NodeJS.ErrnoException): string | null {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return "slow";
  }
  return code.startsWith("HPE_") ? code : null;
}

/** Responds and closes the connection. */
function reject(response: ServerResponse, reason: string): void {
  const { status, headers, text } = buildRejection(reason);
  response.writeHead(status, headers).end(text);
}

/** The same when there is no parsed request, only a connection. */
function rejectSocket(socket: Socket, reason: string): void {
  const { status, headers, text } = buildRejection(reason);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${text}`);
  // Closing at once would discard the response while the client is still sending.
  const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(end));
}

function buildRejection(reason: string) {
  const [status, message] = REJECTIONS[reason] ?? INVALID_HTTP;
  const requestId = newId("request");
  const code = status === 413 ? "payload_too_large" : "invalid_request";
  const text = JSON.stringify({
    error: { message, type: "invalid_request_error", param: null, code },
  });
  log.info({ request_id: requestId, status, code, reason }, "request rejected");
  const headers: Record<string, string> = {
    ...DATA_HEADERS,
    "x-request-id": requestId,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    date: new Date().toUTCString(),
    connection: "close",
  };
  return { status, headers, text };
}

/**
 * A half-closed client is either waiting for its response or gone, and only a write can tell. While the response is in
 * progress, this writes what HTTP clients ignore: if the client is gone, its host answers with a reset and the next
 * write fails. HTTP/1.0 has no such message, and its proxies half-close when their own client leaves, so it counts as gone.
 */
function probeHalfClosed(socket: Socket, exchanges: Exchanges): void {
  let waitMs = FIRST_WAIT_MS;
  const probe = () => {
    const [first] = openExchanges(exchanges, socket);
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
