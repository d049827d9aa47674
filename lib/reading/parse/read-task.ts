import type { TermWeights } from "@/lib/text/bm25";
import type { SpellableWords } from "@/lib/text/spelling";
import type { RecognizedRanges } from "../canonical-text";
import type { ChunkDraft, ChunkLimits } from "../chunk";
import type { faultOf } from "../document-error";
import type { OcrMode } from "../ocr/ocr-mode";
import type { PageBoxes } from "../page-boxes";
import type { Attachment } from "./block";
import type { Recognition, Scan } from "./scans";

export interface ReadTask {
  bytes: Uint8Array;
  name: string | null;
  /** The caller's own title, if any. */
  title: string | null;
  /** text/plain or text/markdown if known; null to detect the format from the bytes. */
  mediaType: string | null;
  /** Whether to recognize text in images: absent, it isn't. */
  ocr?: OcrMode;
  /** What was recognized; absent until then. */
  recognition?: Recognition;
  /** Whether an email's attachments are returned; absent, they are left out. */
  takesAttachments?: boolean;
}

/** A passage with its term weights. */
export interface ReadChunk extends Omit<ChunkDraft, "isHidden" | "isRecognized">, TermWeights {
  /** Codes. */
  warnings: string[];
}

export interface ReadDocument {
  mediaType: string;
  title: string;
  text: string;
  pages: number | null;
  emptyPages: number | null;
  pageConfidence: (number | null)[] | null;
  /** Offsets in the text at which its pages begin, from page 1; null without pages. */
  pageStarts: number[] | null;
  /** Where its text was recognized in images, and in how many pages; absent if in none. */
  recognized?: RecognizedRanges & { pages: number };
  /** How it was read, if another value would have made a difference. */
  ocr?: OcrMode;
  /** Where the words of its pages are, as far as that is known. */
  pageBoxes: PageBoxes[];
  /** Each code appears once, with a count in its message. */
  warnings: { code: string; message: string }[];
  chunks: ReadChunk[];
  /** Words of all chunks, for the collection's vocabulary. */
  words: SpellableWords;
  /** Of an email, if the task takes them; bytes are null if they can't be read. */
  attachments?: Attachment[];
}

/** Limits on documents. */
export interface ReadLimits extends ChunkLimits {
  maxPages: number;
  maxExpandedBytes: number;
}

/** Its files are sent beside it, one per task. An answer for each task is returned as plain data. */
export interface ReadMessage {
  tasks: Omit<ReadTask, "bytes">[];
  limits: ReadLimits;
}
export type FaultAnswer = ReturnType<typeof faultOf>;
export type ReadAnswer = { document: ReadDocument } | { scan: Scan } | FaultAnswer;
