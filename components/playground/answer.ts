import type { Citation, UrlCitation, Verification, Warning } from "@/lib/citations/schema";

/** The answer so far. Retrieval fields are absent until they arrive. */
export interface Answer {
  content: string;
  citations?: Citation[];
  annotations?: UrlCitation[];
  verification?: Verification;
  warnings?: Warning[];
  finishReason?: string;
  usage?: Usage;
  /** Null until the response starts. */
  requestId: string | null;
  /** Milliseconds from sending, as the browser saw them. */
  firstTokenMs?: number;
  totalMs?: number;
}

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  /** A decimal string of US dollars. */
  cost_usd?: string;
}

export const NO_ANSWER: Answer = { content: "", requestId: null };

interface Cited {
  content?: string | null;
  refusal?: string | null;
  annotations?: UrlCitation[];
  verification?: Verification;
}

/** What of a chunk or a whole completion counts here; the door is our own. */
export interface Piece {
  choices?: { delta?: Cited; message?: Cited; finish_reason?: string | null }[];
  citations?: Citation[];
  warnings?: Warning[];
  usage?: Usage | null;
}

/** The answer with a chunk of its stream, or a whole completion, that came `atMs` after sending. */
export function takePiece(answer: Answer, piece: Piece, atMs: number): Answer {
  const choice = piece.choices?.[0];
  const { content, refusal, annotations, verification } = choice?.delta ?? choice?.message ?? {};
  const text = `${content ?? ""}${refusal ?? ""}`;
  // The time of a whole completion is no time to its first token.
  const isFirst = text !== "" && answer.firstTokenMs === undefined && choice?.delta !== undefined;
  return {
    ...answer,
    content: answer.content + text,
    ...(piece.citations && { citations: piece.citations }),
    ...(annotations && { annotations }),
    ...(verification && { verification }),
    ...(piece.warnings && { warnings: piece.warnings }),
    ...(piece.usage && { usage: piece.usage }),
    ...(choice?.finish_reason && { finishReason: choice.finish_reason }),
    ...(isFirst && { firstTokenMs: atMs }),
  };
}
