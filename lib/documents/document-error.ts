/** What is wrong with a document, and what its sender can do; a thrower that knows a number says more. */
const SENTENCES = {
  no_extractable_text: "The document holds no text. Upload one that does.",
  unsupported_format:
    "The file is none of the formats that can be read. Upload PDF, DOCX, PPTX, XLSX, ODT, HTML, EPUB, Markdown, CSV or plain text.",
  password_protected:
    "The document is protected by a password. Remove the password and upload it again.",
  damaged_file:
    "The file is damaged or cut off, so it cannot be opened. Open it in the program that made it, save it anew and upload that.",
  too_large_expanded: "The file is too large once it is unpacked. Split it and upload the parts.",
  too_many_pages: "The document has too many pages. Split it and upload the parts.",
  too_many_chunks: "The document makes too many chunks. Split it and upload the parts.",
  too_complex:
    "Reading the document takes too much time or memory. Split it or save it in a simpler format, and upload that.",
  insufficient_balance:
    "The document holds more text than its size let expect, and the free balance does not cover it. Add funds and upload it again.",
  key_budget_exceeded:
    "The document holds more text than its size let expect, and the key's monthly budget does not cover it. Use a key with a larger budget or wait for the next month, and upload it again.",
  processing_failed: "The document could not be processed. Upload it again.",
};

export type DocumentErrorCode = keyof typeof SENTENCES;

/** Why a document can never be processed; ends its job as failed, with a sentence for the caller. */
export class DocumentError extends Error {
  override name = "DocumentError";
  readonly code: DocumentErrorCode;

  constructor(code: DocumentErrorCode, message: string = SENTENCES[code]) {
    super(message);
    this.code = code;
  }
}
