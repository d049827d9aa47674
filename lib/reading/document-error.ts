import { FORMAT_LABELS } from "./formats";

/** Default messages. Code that knows a number gives a more specific one. */
const SENTENCES = {
  no_extractable_text: "The document has no text. Upload one that does.",
  unsupported_format: `The file's format is not supported. Upload ${FORMAT_LABELS}.`,
  password_protected:
    "The document is protected by a password. Remove the password and upload it again.",
  damaged_file:
    "The file is damaged or cut off, so it cannot be opened. Open it in the program that made it, save it again and upload that.",
  too_large_expanded: "The unpacked file is too large. Split it and upload the parts.",
  too_many_pages: "The document has too many pages. Split it and upload the parts.",
  too_many_chunks: "The document has too many chunks. Split it and upload the parts.",
  too_complex:
    "Reading the document takes too much time or memory. Split it or save it in a simpler format, and upload that.",
  insufficient_balance:
    "The document has more text than its size suggested, and the available balance does not cover it. Add funds and upload it again.",
  key_budget_exceeded:
    "The document has more text than its size suggested, and the key's monthly budget does not cover it. Use a key with a larger budget or wait for the next month, and upload it again.",
  processing_failed: "The document could not be processed. Upload it again.",
};

export type DocumentErrorCode = keyof typeof SENTENCES;

/** Why a document can never be processed. Fails its job, with this message for the caller. */
export class DocumentError extends Error {
  override name = "DocumentError";
  readonly code: DocumentErrorCode;
  /** What parsing used before it was given up: 0 unless the document is too complex. */
  readonly cpuMs: number;

  constructor(code: DocumentErrorCode, message: string = SENTENCES[code], cpuMs = 0) {
    super(message);
    this.code = code;
    this.cpuMs = cpuMs;
  }
}

/** A DocumentError as plain data. Rethrows other errors. */
export function faultOf(error: unknown): {
  fault: Pick<DocumentError, "code" | "message" | "cpuMs">;
} {
  if (!(error instanceof DocumentError)) {
    throw error;
  }
  return { fault: { code: error.code, message: error.message, cpuMs: error.cpuMs } };
}
