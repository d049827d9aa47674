import "server-only";

import { AppError, invalidRequest } from "@/lib/errors";
import { env } from "@/lib/platform/env";
import { contentLengthOf, mediaTypeOf, rejectLongBody } from "@/lib/platform/http/read-body";
import type { Admission } from "@/lib/platform/http/route";
import { acquireUpload } from "@/lib/platform/limits/uploads-in-flight";
import { log } from "@/lib/platform/log";
import { findUpload, listParts, type StoredUpload, type Uploader } from "./read/uploads";
import { FRAME_BYTES, UPLOAD_MEMORY_BYTES } from "./read-upload";
import { receiveForm } from "./receive/receive-form";
import { MAX_PARTS } from "./upload-schema";
import { uploadEnded, writePart } from "./write/upload-slices";

/** Of its declared size: parts that are sent again under another id are deleted when it is completed. */
const MOST_STORED = 2;

/**
 * Checks what can be known of a part before its body is read, and reserves memory for it. Throws 415, 413, not_found,
 * conflict for an upload that has ended, or what `acquireUpload` throws.
 */
export async function admitPart(
  ctx: Uploader,
  request: Request,
  { id: uploadId }: { id: string },
): Promise<Admission> {
  const upload = await findUpload(ctx, uploadId);
  if (mediaTypeOf(request) !== "multipart/form-data") {
    throw new AppError(
      "unsupported_media_type",
      "The body is not a form. Send a part as multipart/form-data, with its bytes in the field 'data'.",
    );
  }
  const maxBytes = upload.size_bytes + FRAME_BYTES;
  rejectLongBody(request, maxBytes, "A part can't be larger than its upload.");
  if (upload.status !== "pending") {
    throw uploadEnded();
  }
  const sentBytes = contentLengthOf(request) ?? maxBytes;
  await rejectTooMuch(ctx, upload, sentBytes - FRAME_BYTES);
  const accountId = ctx.account.id;
  const bytes = Math.min(sentBytes, UPLOAD_MEMORY_BYTES);
  const release = await acquireUpload({ accountId, bytes, signal: ctx.signal });
  const part = writePart({ uploadId, accountId });
  let isFinished = false;
  const read = async () => {
    const limits = { fileField: "data", maxFileBytes: upload.size_bytes, maxBytes };
    const { fields, file } = await receiveForm(request, limits, part.store);
    if (!file || file.sizeBytes === 0) {
      const message = "'data' is missing or empty. Attach the bytes of the part as a file.";
      throw invalidRequest(message, "data");
    }
    const finish = async (number: number | null) => {
      await part.finish(file, number);
      isFinished = true;
    };
    return { ...fields, data: { id: part.id, file, finish } };
  };
  return {
    read,
    release: async () => {
      if (!isFinished) {
        // What can't be deleted now is deleted with the upload.
        await part
          .discard()
          .catch((err: unknown) => log.error({ err }, "could not discard a part"));
      }
      release();
    },
  };
}

/** Reserves memory for reading an upload that is completed. */
export async function admitCompletion({ account, signal }: Uploader): Promise<Admission> {
  const bytes = UPLOAD_MEMORY_BYTES;
  return { release: await acquireUpload({ accountId: account.id, bytes, signal }) };
}

async function rejectTooMuch(ctx: Uploader, upload: StoredUpload, bytes: number): Promise<void> {
  const most = MOST_STORED * upload.size_bytes;
  if (upload.stored_bytes + bytes > Math.min(most, MOST_STORED * env.MAX_UPLOAD_BYTES)) {
    const message = `The upload's parts have more than twice the ${upload.size_bytes} bytes it was created for. Complete it with the parts that you need, or cancel it.`;
    throw new AppError("payload_too_large", message, { param: "data" });
  }
  const parts = await listParts(ctx, upload.id);
  if (parts.length >= 2 * MAX_PARTS) {
    throw invalidRequest(`The upload has ${parts.length} parts. Send larger ones.`, "data");
  }
}
