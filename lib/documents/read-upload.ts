import { createHash } from "node:crypto";
import type { KeyContext, MemberContext } from "@/lib/auth/context";
import { ingestCost } from "@/lib/billing/rates";
import { requireFunds } from "@/lib/billing/write/hold";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { contentLengthOf, mediaTypeOf, readJson, rejectLongBody } from "@/lib/http/read-body";
import { acquireUpload } from "@/lib/limits/uploads-in-flight";
import { requireWritableCollection } from "./collections";
import { documentTooLarge, invalidUpload, readUploadForm, type UploadedFile } from "./upload-form";

/** For the other fields and the multipart boundaries. */
const FRAME_BYTES = 256 * 1024;
/** JSON can't be parsed in pieces. This much takes a few milliseconds. */
const MAX_JSON_BYTES = 1024 * 1024;

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
 * Checks what the headers tell about an upload, and reserves memory for it. The returned function releases it. Throws
 * 415, 413, insufficient_scope or 402, or what `acquireUpload` throws.
 */
export async function admitUpload(
  ctx: KeyContext | MemberContext,
  request: Request,
): Promise<() => void> {
  const { maxBytes, advice } = limitOf(request);
  rejectLongBody(request, maxBytes, advice);
  requireWritableCollection(ctx);
  const sentBytes = contentLengthOf(request) ?? 0;
  // The hold that the upload will place is for the file alone: never less than this.
  const leastFileBytes = isForm(request) ? sentBytes - FRAME_BYTES : 0;
  await requireFunds(ctx, ingestCost(Math.max(1, leastFileBytes)));
  const { account, signal } = ctx;
  return acquireUpload({ accountId: account.id, bytes: sentBytes || maxBytes, signal });
}

/**
 * Reads the fields of an upload, as multipart with `file` or JSON with `text`, into `{file: {name, bytes, hash}, ...}`
 * for the schema. Throws 400, 413 or 415.
 */
export async function readUpload(request: Request): Promise<unknown> {
  const { maxBytes, advice } = limitOf(request);
  if (isForm(request)) {
    return readMultipart(request, maxBytes);
  }
  const raw = await readJson(request, maxBytes, advice);
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw invalidUpload('The body is not a JSON object. Send {"scope": …, "text": …}.');
  }
  const { text, ...fields } = raw as Record<string, unknown>;
  if (typeof text !== "string") {
    const message = "'text' is missing or not a string. Put the document's text there.";
    throw invalidUpload(message, { param: "text" });
  }
  const bytes = new TextEncoder().encode(text);
  const hash = createHash("sha256").update(bytes).digest();
  return { ...fields, file: checked({ name: null, bytes, hash }, "text") };
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

async function readMultipart(request: Request, maxBytes: number): Promise<unknown> {
  const form = await readUploadForm(request, { maxBytes, maxFileBytes: env.MAX_UPLOAD_BYTES });
  const { metadata, ...fields } = form.fields;
  if (!form.file) {
    const message = "'file' is missing. Attach the document as the form field 'file'.";
    throw invalidUpload(message, { param: "file" });
  }
  return {
    ...fields,
    ...(metadata !== undefined && { metadata: parseMetadata(metadata) }),
    file: checked(form.file, "file"),
  };
}

function parseMetadata(metadata: string): unknown {
  try {
    return JSON.parse(metadata);
  } catch (cause) {
    const message = "'metadata' is not valid JSON. Send a JSON object as text.";
    throw invalidUpload(message, { param: "metadata", cause });
  }
}

function checked(file: UploadedFile, param: string): UploadedFile {
  if (file.bytes.byteLength === 0) {
    throw invalidUpload("The document is empty. Send one that has text.", { param });
  }
  if (file.bytes.byteLength > env.MAX_UPLOAD_BYTES) {
    throw documentTooLarge(env.MAX_UPLOAD_BYTES, param);
  }
  return file;
}
