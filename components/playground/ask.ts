import { EventSourceParserStream } from "eventsource-parser/stream";
import type { PlaygroundPreset } from "@/lib/money/keys/playground";
import type { Piece } from "./answer";
import type { RequestBody } from "./settings";

const ENDPOINT = "/api/playground/chat";

interface Ask {
  preset: PlaygroundPreset;
  body: RequestBody;
  /** Stops the request and keeps the text received so far. */
  signal: AbortSignal;
  onOpen: (requestId: string | null) => void;
  onPiece: (piece: Piece) => void;
}

/** Sends a request and reports chunks as they arrive. Returns the failure, or null when it completed or was stopped. */
export async function ask({ preset, body, signal, onOpen, onPiece }: Ask): Promise<Failure | null> {
  let requestId: string | null = null;
  try {
    const response = await fetch(ENDPOINT, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, preset }),
      signal,
    });
    requestId = response.headers.get("x-request-id");
    onOpen(requestId);
    if (!response.ok) {
      return toFailure(await response.json().catch(() => null), response);
    }
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (response.body && isStream) {
      return await readEvents(response, onPiece);
    }
    onPiece((await response.json()) as Piece);
    return null;
  } catch {
    return signal.aborted ? null : lostFailure(requestId);
  }
}

/** Reads a stream to its end. A stream without [DONE] was cut off. */
async function readEvents(
  response: Response,
  onPiece: (piece: Piece) => void,
): Promise<Failure | null> {
  const events = response.body
    ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .pipeThrough(new EventSourceParserStream());
  const reader = events?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) {
      return lostFailure(response.headers.get("x-request-id"));
    }
    const { data } = next.value;
    if (data === "[DONE]") {
      return null;
    }
    const value: unknown = JSON.parse(data);
    if (typeof value === "object" && value !== null && "error" in value) {
      return toFailure(value, response);
    }
    onPiece(value as Piece);
  }
}

/** Why a request failed, as the API reports it. */
export interface Failure {
  /** Null without a response. */
  status: number | null;
  code: string;
  message: string;
  param: string | null;
  requestId: string | null;
  /** For insufficient_balance: decimal strings of US dollars. */
  balance?: string;
  required?: string;
  /** For rate_limit_exceeded: seconds. */
  retryAfter?: string;
}

/** The error in an HTTP response or a stream's error event. */
function toFailure(answer: unknown, response: Response): Failure {
  const error = (answer as { error?: Record<string, unknown> } | null)?.error;
  const text = (name: string) => {
    const value = error?.[name];
    return typeof value === "string" ? value : null;
  };
  const balance = text("balance");
  const required = text("required");
  const retryAfter = response.headers.get("retry-after");
  return {
    status: response.ok ? null : response.status,
    code: text("code") ?? "internal_error",
    message: text("message") ?? "The server sent an invalid response.",
    param: text("param"),
    requestId: response.headers.get("x-request-id"),
    ...(balance && { balance }),
    ...(required && { required }),
    ...(retryAfter && { retryAfter }),
  };
}

/** The failure of a request without a response, or with an incomplete one. */
function lostFailure(requestId: string | null): Failure {
  return {
    status: null,
    code: "connection_lost",
    message: requestId
      ? "The connection was lost before the answer was complete."
      : "We couldn’t reach the server.",
    param: null,
    requestId,
  };
}

/** What the user can do here about a failure, in addition to the API's message. */
const ADVICE: Record<string, string> = {
  insufficient_scope: "“Ask as” decides which knowledge bases can be searched.",
  context_length_exceeded: "Start a new conversation to shorten it.",
  payload_too_large: "Start a new conversation to shorten it.",
  retrieval_unavailable: "Turn off “Require sources” to get an answer without sources.",
  connection_lost: "Check your connection.",
};

export function adviseOn({ code }: Failure): string | null {
  return ADVICE[code] ?? null;
}
