import type { Citation, UrlCitation, Verification, Warning } from "@/lib/answers/citations/schema";
import type { Retrieval } from "@/lib/library/retrieval/schema";

/** The answer so far. Retrieval fields are absent until they arrive. */
export interface Answer {
  content: string;
  citations?: Citation[];
  retrieval?: Retrieval;
  annotations?: UrlCitation[];
  verification?: Verification;
  warnings?: Warning[];
  finishReason?: string;
  usage?: Usage;
  /** Null until the response starts. */
  requestId: string | null;
  /** Milliseconds since sending, measured in the browser. */
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

/** The fields used from a chunk or a completion. Not validated, because our own server sends them. */
export interface Piece {
  choices?: { delta?: Cited; message?: Cited; finish_reason?: string | null }[];
  citations?: Citation[];
  retrieval?: Retrieval;
  warnings?: Warning[];
  usage?: Usage | null;
}

/** Adds a stream chunk or a whole completion, received `atMs` after sending, to the answer. */
export function applyPiece(answer: Answer, piece: Piece, atMs: number): Answer {
  const choice = piece.choices?.[0];
  const { content, refusal, annotations, verification } = choice?.delta ?? choice?.message ?? {};
  const text = `${content ?? ""}${refusal ?? ""}`;
  // A plain completion has no time to first token.
  const isFirst = text !== "" && answer.firstTokenMs === undefined && choice?.delta !== undefined;
  return {
    ...answer,
    content: answer.content + text,
    ...(piece.citations && { citations: piece.citations }),
    ...(piece.retrieval && { retrieval: piece.retrieval }),
    ...(annotations && { annotations }),
    ...(verification && { verification }),
    ...(piece.warnings && { warnings: piece.warnings }),
    ...(piece.usage && { usage: piece.usage }),
    ...(choice?.finish_reason && { finishReason: choice.finish_reason }),
    ...(isFirst && { firstTokenMs: atMs }),
  };
}
