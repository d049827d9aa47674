/** Why a document can never be processed; ends its job as failed, with a sentence for the caller. */
export class DocumentFault extends Error {
  override name = "DocumentFault";

  constructor(
    readonly code:
      | "no_extractable_text"
      | "unsupported_format"
      | "too_many_chunks"
      | "processing_failed",
    message: string,
  ) {
    super(message);
  }
}
