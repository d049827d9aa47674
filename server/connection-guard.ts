import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { appendPeerAddress } from "@/lib/platform/http/request";
import {
  type ConnectionLimits,
  connectionLimits,
  limitConnections,
} from "@/server/connection-limits";
import { countDropped, reject, rejectSocket } from "@/server/rejections";

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
  {
    pace = DEFAULT_BODY_RATE,
    limits = connectionLimits(),
  }: { pace?: MinimumBodyRate | undefined; limits?: ConnectionLimits | undefined } = {},
): void {
  const exchanges: Exchanges = new Map();
  // Before anything else knows of the connection.
  limitConnections(server, limits, {
    reject: (socket) => {
      rejected.add(socket);
      rejectSocket(socket, "too many", 0);
    },
    onDropped: countDropped,
  });
  // Missing in Node's types: lets a client close its side and still get its response.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket: Socket) => {
    socket.once("close", () => exchanges.delete(socket));
    socket.once("end", () => probeHalfClosed(socket, exchanges));
  });
  server.on("request", (request, response) => {
    if (rejected.has(request.socket)) {
      return;
    }
    trackExchange(exchanges, request, response);
    appendPeerAddress(request);
    const reason = invalidityOf(request);
    if (reason) {
      reject(response, reason);
    } else {
      answer(request, response);
    }
  });
  server.on("checkExpectation", (request, response) => {
    trackExchange(exchanges, request, response);
    reject(response, "expectation");
  });
  server.on("connect", (_request, socket) => rejectSocket(socket as Socket, "tunnel"));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    rejectNext(exchanges, socket as Socket, reasonOf(error));
  });
  const sweep = setInterval(
    () => rejectSlow(exchanges, pace),
    pace.windowMs / CHECKS_PER_WINDOW,
  ).unref();
  server.once("close", () => clearInterval(sweep));
}

/** Why a parsed request can't be answered; null if it can. Its target gets the form that handlers expect. */
function invalidityOf(request: IncomingMessage): string | null {
  const { method, httpVersion, rawHeaders, headers } = request;
  const isHost = (name: string, at: number) => at % 2 === 0 && name.toLowerCase() === "host";
  if (rawHeaders.filter(isHost).length > 1) {
    return "two hosts";
  }
  toOriginForm(request);
  if (headers.host === undefined && httpVersion === "1.1") {
    return "no host";
  }
  const isOfServer = request.url === "*" && method === "OPTIONS";
  return request.url?.startsWith("/") || isOfServer ? null : "no path";
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

/** Null when there is no one to answer. */
function reasonOf({ code = "unknown" }: NodeJS.ErrnoException): string | null {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return "slow";
  }
  return code.startsWith("HPE_") ? code : null;
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
