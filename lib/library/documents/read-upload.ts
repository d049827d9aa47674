import { AppError, invalidRequest } from "@/lib/errors";
import { ingestCost } from "@/lib/money/billing/rates";
import { requireFunds } from "@/lib/money/billing/write/hold";
import type { KeyContext, MemberContext } from "@/lib/platform/auth/context";
import { env } from "@/lib/platform/env";
import {
  contentLengthOf,
  mediaTypeOf,
  readJson,
  rejectLongBody,
} from "@/lib/platform/http/read-body";
import type { Admission } from "@/lib/platform/http/route";
import { acquireUpload } from "@/lib/platform/limits/uploads-in-flight";
import { log } from "@/lib/platform/log";
import { documentTooLarge, SLICE_BYTES } from "@/lib/reading/receive/form-parser";
import { requireWritableCollection } from "./collections";
import { receiveForm } from "./receive/receive-form";
import { toUploadedFile } from "./receive/whole-file";
import { writeFile } from "./write/upload-slices";

/** For the other fields and the multipart boundaries. */
export const FRAME_BYTES = 256 * 1024;
/** JSON can't be parsed in pieces. This much takes a few milliseconds. */
const MAX_JSON_BYTES = 1024 * 1024;
/** What an upload of any size holds: the slice being stored, twice while it is sent, the next one, and what was just read. */
export const UPLOAD_MEMORY_BYTES = 4 * SLICE_BYTES;

interface BodyLimit {
  maxBytes: number;
  advice?: string;
}

const FORM: BodyLimit = { maxBytes: env.MAX_UPLOAD_BYTES + FRAME_BYTES };
const JSON_TEXT: BodyLimit = {
  maxBytes: MAX_JSON_BYTES,
  advice: "Send a longer text as multipart/form-data, as a file in the field 'file'.",
};

/**
 * Checks what the headers tell about an upload, and reserves memory for it. Throws 415, 413, insufficient_scope or 402,
 * or what `acquireUpload` throws.
 */
export async function admitUpload(
  ctx: KeyContext | MemberContext,
  request: Request,
): Promise<Admission> {
  const { maxBytes, advice } = limitOf(request);
  rejectLongBody(request, maxBytes, advice);
  requireWritableCollection(ctx);
  const sentBytes = contentLengthOf(request) ?? 0;
  // The hold that the upload will place is for the file alone: never less than this.
  const leastFileBytes = isForm(request) ? sentBytes - FRAME_BYTES : 0;
  await requireFunds(ctx, ingestCost(Math.max(1, leastFileBytes)));
  const { account, signal } = ctx;
  const bytes = Math.min(sentBytes || maxBytes, UPLOAD_MEMORY_BYTES);
  const release = await acquireUpload({ accountId: account.id, bytes, signal });
  const file = writeFile({ accountId: account.id, maxBytes: sentBytes || maxBytes });
  return {
    read: () => (isForm(request) ? readMultipart(request, file) : readText(request)),
    release: async () => {
      // What can't be deleted now is deleted when it has expired.
      await file
        .discard()
        .catch((err: unknown) => log.error({ err }, "could not discard an upload"));
      release();
    },
  };
}

/** A document's text in JSON, as the fields and the file of an upload. Throws 400 or 413. */
async function readText(request: Request): Promise<unknown> {
  const raw = await readJson(request, JSON_TEXT.maxBytes, JSON_TEXT.advice);
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw invalidRequest('The body is not a JSON object. Send {"scope": …, "text": …}.');
  }
  const { text, ...fields } = raw as Record<string, unknown>;
  if (typeof text !== "string") {
    const message = "'text' is missing or not a string. Put the document's text there.";
    throw invalidRequest(message, "text");
  }
  return { ...fields, file: toTextFile(text) };
}

/** Throws 400 or 413. */
function toTextFile(text: string) {
  const content = new TextEncoder().encode(text);
  requireSize(content.byteLength, "text");
  return toUploadedFile(null, content);
}

function isForm(request: Request): boolean {
  return mediaTypeOf(request) === "multipart/form-data";
}

function limitOf(request: Request): BodyLimit {
  if (isForm(request)) {
    return FORM;
  }
  if (mediaTypeOf(request) === "application/json") {
    return JSON_TEXT;
  }
  throw new AppError(
    "unsupported_media_type",
    "Upload a document as multipart/form-data with a 'file' field, or as application/json with a 'text' field.",
  );
}

/** The fields and the file of a form. A large file is stored while it arrives. Throws 400 or 413. */
async function readMultipart(
  request: Request,
  { store, finish }: ReturnType<typeof writeFile>,
): Promise<unknown> {
  const limits = { fileField: "file", maxFileBytes: env.MAX_UPLOAD_BYTES, ...FORM };
  const form = await receiveForm(request, limits, store);
  const { metadata, text, ...others } = form.fields;
  const fields = {
    ...others,
    ...(metadata !== undefined && { metadata: parseMetadata(metadata) }),
  };
  if (!form.file && text !== undefined) {
    return { ...fields, file: toTextFile(text) };
  }
  if (!form.file || text !== undefined) {
    const message = form.file
      ? "There are a 'file' and a 'text'. Send one of them: each is a document of its own."
      : "'file' is missing. Attach the document as the form field 'file', or send its text in 'text'.";
    throw invalidRequest(message, form.file ? "text" : "file");
  }
  requireSize(form.file.sizeBytes, "file");
  return { ...fields, file: await finish(form.file) };
}

function parseMetadata(metadata: string): unknown {
  try {
    return JSON.parse(metadata);
  } catch (cause) {
    const message = "'metadata' is not valid JSON. Send a JSON object as text.";
    throw new AppError("invalid_request", message, { param: "metadata", cause });
  }
}

function requireSize(sizeBytes: number, param: string): void {
  if (sizeBytes === 0) {
    throw invalidRequest("The document is empty. Send one that has text.", param);
  }
  if (sizeBytes > env.MAX_UPLOAD_BYTES) {
    throw documentTooLarge(env.MAX_UPLOAD_BYTES, param);
  }
}
