import { EventSourceParserStream } from "eventsource-parser/stream";
import type { PlaygroundPreset } from "@/lib/keys/playground";
import type { Piece } from "./answer";
import { type Failure, lostFailure, toFailure } from "./failure";
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
