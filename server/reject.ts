import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DATA_HEADERS } from "@/lib/http/security-headers";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";

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
