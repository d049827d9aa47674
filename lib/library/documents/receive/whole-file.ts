import { createHash } from "node:crypto";
import { HEAD_BYTES } from "@/lib/reading/receive/form-parser";
import type { UploadedFile } from "../uploaded-file";

/** A file that is in memory, to be stored together with its document. */
export function toUploadedFile(
  name: string | null,
  content: Uint8Array<ArrayBuffer>,
): UploadedFile {
  return {
    name,
    sizeBytes: content.byteLength,
    hash: createHash("sha256").update(content).digest(),
    head: content.subarray(0, HEAD_BYTES),
    content,
  };
}
