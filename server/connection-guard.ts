import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DATA_HEADERS } from "@/lib/http/security-headers";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";
import { type Exchange, probeHalfClosed } from "@/server/half-closed";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What a body must bring on average of each window; a client may well be slow, but not stand still. */
export interface MinimumBodyRate {
  windowMs: number;
  bytesPerSecond: number;
}

const DEFAULT_BODY_RATE: MinimumBodyRate = { windowMs: 20_000, bytesPerSecond: 1024 };
const CHECKS_A_WINDOW = 4;

/** With how much of its body had come when. */
interface TrackedExchange extends Exchange {
  window: { startedAt: number; bytesRead: number };
}

/** Those of a connection in their order: pipelined requests wait for the answers before theirs. */
type Exchanges = Map<Socket, TrackedExchange[]>;

/**
 * Answers a server's requests, and what is no request: bytes that are not HTTP, a head or a body that does not come, a
 * client that has closed its side. Every refusal has the shape of all errors, where HTTP still allows an answer.
 */
export function guardConnections(server: Server, answer: Answer, pace = DEFAULT_BODY_RATE): void {
  const exchanges: Exchanges = new Map();
  // Node's own name for it, which its types do not have: a client that has sent all it wants may close its side.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket: Socket) => {
    socket.once("close", () => exchanges.delete(socket));
    socket.once("end", () => probeHalfClosed(socket, () => openExchanges(exchanges, socket)));
  });
  server.on("request", (request, response) => {
    trackExchange(exchanges, request, response);
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
    pace.windowMs / CHECKS_A_WINDOW,
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

/** What of a connection is not over: an answer that was given early does not end the body. */
function openExchanges(exchanges: Exchanges, socket: Socket): TrackedExchange[] {
  return (exchanges.get(socket) ?? []).filter(
    ({ request, response }) => !request.complete || !response.closed,
  );
}

const rejected = new WeakSet<Socket>();

/** Refuses what comes next on a connection, when the answers before it are out, and closes it. */
function rejectNext(exchanges: Exchanges, socket: Socket, refusal: Rejection | null): void {
  if (rejected.has(socket)) {
    return;
  }
  rejected.add(socket);
  const open = openExchanges(exchanges, socket);
  const last = open.at(-1);
  const unfinished = last && !last.request.complete ? last : null;
  const before = unfinished ? open.slice(0, -1) : open;
  if (!refusal || !socket.writable || unfinished?.response.headersSent) {
    socket.destroy();
    return;
  }
  const answered = before.map(
    ({ response }) =>
      new Promise<void>((resolve) =>
        response.closed ? resolve() : response.once("close", resolve),
      ),
  );
  void Promise.all(answered).then(() => {
    if (unfinished?.response.headersSent) {
      socket.destroySoon();
    } else if (socket.writable) {
      rejectSocket(socket, refusal);
    }
  });
}

/** A body of which nothing waits to be read, and of which less came than its pace asks; or one that is answered. */
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
  message: "The request did not come in time. Send it again over a connection that is not so slow.",
  reason: "slow",
};
const NO_HOST: Rejection = {
  status: 400,
  message: "The request has no Host header. Name the host that it is for.",
  reason: "no host",
};
const UNKNOWN_EXPECTATION: Rejection = {
  status: 417,
  message: "The request expects what this server does not know. Leave the Expect header out.",
  reason: "expectation",
};
const TOO_MANY_HEADERS: Rejection = {
  status: 431,
  message: "The headers of the request are larger than 16 kB together. Send fewer or shorter ones.",
  reason: "HPE_HEADER_OVERFLOW",
};
const LONG_EXTENSIONS: Rejection = {
  status: 413,
  message: "The chunk extensions of the body are too long. Send the body without them.",
  reason: "HPE_CHUNK_EXTENSIONS_OVERFLOW",
};

/** Null when there is nobody to answer. */
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
            message: "The request is not valid HTTP. Check its head, and the length of its body.",
            reason: code,
          }
        : null;
  }
}

/** How long a client may take to read why it was refused, while what it still sends is thrown away. */
const LINGER_MS = 2000;

/** Why a request was not understood, or not waited for. */
export interface Rejection {
  status: 400 | 408 | 413 | 417 | 431;
  message: string;
  /** For the log: Node's code of it. */
  reason: string;
}

const REASONS = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Payload Too Large",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
} as const;

/** Answers a request that has not been answered, and closes its connection. */
export function reject(response: ServerResponse, refusal: Rejection): void {
  const { headers, text } = answerTo(refusal);
  response.writeHead(refusal.status, headers).end(text);
}

/** The same where there is no request, only a connection. */
export function rejectSocket(socket: Socket, refusal: Rejection): void {
  const { headers, text } = answerTo(refusal);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${refusal.status} ${REASONS[refusal.status]}\r\n${head.join("")}\r\n${text}`,
  );
  // To close it at once would take the answer away from a client that is still sending.
  const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(end));
}

function answerTo({ status, message, reason }: Rejection) {
  const requestId = newId("request");
  const code = status === 413 ? "payload_too_large" : "invalid_request";
  const text = JSON.stringify({
    error: { message, type: "invalid_request_error", param: null, code },
  });
  log.info({ request_id: requestId, status, code, reason }, "request refused");
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
