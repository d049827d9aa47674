import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { mediaTypeOf, readBytes, readJson } from "@/lib/http/read-body";

/** For the other fields and the multipart boundaries. */
const FRAME_BYTES = 256 * 1024;

/**
 * Reads the fields of an upload, as multipart with `file` or JSON with `text`, into `{file: {name, bytes}, ...}` for
 * the schema. Throws 400, 413 or 415.
 */
export async function readUpload(request: Request): Promise<unknown> {
  const mediaType = mediaTypeOf(request);
  if (mediaType === "multipart/form-data") {
    return readMultipart(request);
  }
  if (mediaType !== "application/json") {
    throw new AppError(
      "unsupported_media_type",
      "Upload a document as multipart/form-data with a 'file' field, or as application/json with a 'text' field.",
    );
  }
  const raw = await readJson(request, env.MAX_UPLOAD_BYTES + FRAME_BYTES);
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw invalid('The body is not a JSON object. Send {"scope": …, "text": …}.');
  }
  const { text, ...fields } = raw as Record<string, unknown>;
  if (typeof text !== "string") {
    const message = "'text' is missing or not a string. Put the document's text there.";
    throw invalid(message, { param: "text" });
  }
  return {
    ...fields,
    file: checked({ name: null, bytes: new TextEncoder().encode(text) }, "text"),
  };
}

async function readMultipart(request: Request): Promise<unknown> {
  const bytes = await readBytes(request, env.MAX_UPLOAD_BYTES + FRAME_BYTES);
  const form = await new Response(bytes, {
    headers: { "content-type": request.headers.get("content-type") ?? "" },
  })
    .formData()
    .catch((cause: unknown) => {
      const message = "The multipart body is malformed. Check its boundary and send it again.";
      throw invalid(message, { cause });
    });
  const twice = [...form.keys()].find((name) => form.getAll(name).length > 1);
  if (twice !== undefined) {
    const message =
      "A form field appears more than once. Send each field once, and one document per request.";
    throw invalid(message, { param: twice });
  }
  const { file, metadata, ...fields } = Object.fromEntries(form);
  if (!(file instanceof File)) {
    const message = "'file' is missing. Attach the document as the form field 'file'.";
    throw invalid(message, { param: "file" });
  }
  return {
    ...fields,
    ...(metadata !== undefined && { metadata: parseMetadata(metadata) }),
    file: checked(
      { name: file.name || null, bytes: new Uint8Array(await file.arrayBuffer()) },
      "file",
    ),
  };
}

function parseMetadata(metadata: FormDataEntryValue): unknown {
  try {
    return JSON.parse(String(metadata));
  } catch (cause) {
    const message = "'metadata' is not valid JSON. Send a JSON object as text.";
    throw invalid(message, { param: "metadata", cause });
  }
}

function checked(file: { name: string | null; bytes: Uint8Array }, param: string): typeof file {
  if (file.bytes.byteLength === 0) {
    throw invalid("The document is empty. Send one that has text.", { param });
  }
  if (file.bytes.byteLength > env.MAX_UPLOAD_BYTES) {
    throw new AppError(
      "payload_too_large",
      `The document is larger than ${Math.floor(env.MAX_UPLOAD_BYTES / 1024 / 1024)} MB. Split it and upload the parts.`,
      { param },
    );
  }
  return file;
}

function invalid(message: string, options?: { param?: string; cause?: unknown }): AppError {
  return new AppError("invalid_request", message, options);
}
