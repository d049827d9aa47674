import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { appendPeerAddress } from "@/lib/http/request";
import { DATA_HEADERS } from "@/lib/http/security-headers";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";
import { type Exchange, probeHalfClosed } from "@/server/half-closed";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The average a request body must reach in each window: slow is fine, stalled isn't. */
export interface MinimumBodyRate {
  windowMs: number;
  bytesPerSecond: number;
}

const DEFAULT_BODY_RATE: MinimumBodyRate = { windowMs: 20_000, bytesPerSecond: 1024 };
const CHECKS_PER_WINDOW = 4;

interface TrackedExchange extends Exchange {
  window: { startedAt: number; bytesRead: number };
}

/** Per connection, in order: pipelined requests wait for the responses before theirs. */
type Exchanges = Map<Socket, TrackedExchange[]>;

/**
 * Handles what isn't a normal request: malformed HTTP, a head or body that doesn't arrive, a half-closed connection.
 * Rejections use the API's error shape wherever HTTP still allows a response.
 */
export function guardConnections(server: Server, answer: Answer, pace = DEFAULT_BODY_RATE): void {
  const exchanges: Exchanges = new Map();
  // Missing in Node's types: lets a client close its side and still get its response.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket: Socket) => {
    socket.once("close", () => exchanges.delete(socket));
    socket.once("end", () => probeHalfClosed(socket, () => openExchanges(exchanges, socket)));
  });
  server.on("request", (request, response) => {
    trackExchange(exchanges, request, response);
    appendPeerAddress(request);
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      reject(response, NO_HOST);
    } else {
      answer(request, response);
    }
  });
  server.on("checkExpectation", (request, response) => {
    trackExchange(exchanges, request, response);
    reject(response, UNKNOWN_EXPECTATION);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    rejectNext(exchanges, socket as Socket, rejectionFor(error));
  });
  const sweep = setInterval(
    () => rejectSlow(exchanges, pace),
    pace.windowMs / CHECKS_PER_WINDOW,
  ).unref();
  server.once("close", () => clearInterval(sweep));
}

function trackExchange(
  exchanges: Exchanges,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { socket } = request;
  const all = openExchanges(exchanges, socket);
  all.push({
    request,
    response,
    window: { startedAt: Date.now(), bytesRead: socket.bytesRead },
  });
  exchanges.set(socket, all);
}

/** Exchanges that haven't ended: an early response doesn't end the request body. */
function openExchanges(exchanges: Exchanges, socket: Socket): TrackedExchange[] {
  return (exchanges.get(socket) ?? []).filter(
    ({ request, response }) => !request.complete || !response.closed,
  );
}

const rejected = new WeakSet<Socket>();

/** Rejects the next request on a connection once earlier responses are out, then closes it. */
function rejectNext(exchanges: Exchanges, socket: Socket, rejection: Rejection | null): void {
  if (rejected.has(socket)) {
    return;
  }
  rejected.add(socket);
  const open = openExchanges(exchanges, socket);
  const last = open.at(-1);
  const unfinished = last && !last.request.complete ? last : null;
  const earlier = unfinished ? open.slice(0, -1) : open;
  if (!rejection || !socket.writable || unfinished?.response.headersSent) {
    socket.destroy();
    return;
  }
  const answered = earlier.map(
    ({ response }) =>
      new Promise<void>((resolve) =>
        response.closed ? resolve() : response.once("close", resolve),
      ),
  );
  void Promise.all(answered).then(() => {
    if (unfinished?.response.headersSent) {
      socket.destroySoon();
    } else if (socket.writable) {
      rejectSocket(socket, rejection);
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
    const isSlow = socket.bytesRead - last.window.bytesRead < bytesPerSecond * seconds;
    const isAnswered = last.response.writableFinished;
    if (isAnswered || (isSlow && last.request.readableLength === 0 && !socket.isPaused())) {
      rejectNext(exchanges, socket, TOO_SLOW);
    } else {
      last.window = { startedAt: now, bytesRead: socket.bytesRead };
    }
  }
}

const TOO_SLOW: Rejection = {
  status: 408,
  message: "The request took too long to arrive. Send it again over a faster connection.",
  reason: "slow",
};
const NO_HOST: Rejection = {
  status: 400,
  message: "The request has no Host header. Add one.",
  reason: "no host",
};
const UNKNOWN_EXPECTATION: Rejection = {
  status: 417,
  message: "The request has an unsupported Expect header. Leave it out.",
  reason: "expectation",
};
const TOO_MANY_HEADERS: Rejection = {
  status: 431,
  message: "The request headers are larger than 16 kB in total. Send fewer or shorter ones.",
  reason: "HPE_HEADER_OVERFLOW",
};
const LONG_EXTENSIONS: Rejection = {
  status: 413,
  message: "The chunk extensions of the body are too long. Send the body without them.",
  reason: "HPE_CHUNK_EXTENSIONS_OVERFLOW",
};

/** Null when there is no one to answer. */
function rejectionFor({ code = "unknown" }: NodeJS.ErrnoException): Rejection | null {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return TOO_MANY_HEADERS;
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return LONG_EXTENSIONS;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return TOO_SLOW;
    default:
      return code.startsWith("HPE_")
        ? {
            status: 400,
            message: "The request isn't valid HTTP. Check its head and the length of its body.",
            reason: code,
          }
        : null;
  }
}

/** Time for the client to read the rejection while what it still sends is discarded. */
const LINGER_MS = 2000;

interface Rejection {
  status: 400 | 408 | 413 | 417 | 431;
  message: string;
  /** For the log: Node's error code. */
  reason: string;
}

const REASONS = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Payload Too Large",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
} as const;

/** Responds and closes the connection. */
function reject(response: ServerResponse, rejection: Rejection): void {
  const { headers, text } = buildRejection(rejection);
  response.writeHead(rejection.status, headers).end(text);
}

/** The same when there is no parsed request, only a connection. */
function rejectSocket(socket: Socket, rejection: Rejection): void {
  const { headers, text } = buildRejection(rejection);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${rejection.status} ${REASONS[rejection.status]}\r\n${head.join("")}\r\n${text}`,
  );
  // Closing at once would discard the response while the client is still sending.
  const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(end));
}

function buildRejection({ status, message, reason }: Rejection) {
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
  return { headers, text };
}
