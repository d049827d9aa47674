import { createHash } from "node:crypto";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { AppError } from "@/lib/errors";
import { contentLengthOf, readChunks } from "@/lib/http/read-body";
import { paceUpload } from "@/lib/limits/upload-pace";

const MAX_PARTS = 32;
const MAX_NAME_LENGTH = 100;
const MAX_FIELD_BYTES = 64 * 1024;
/** Of one part. */
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_HEADERS = 16;

export interface UploadedFile {
  name: string | null;
  bytes: Uint8Array;
  /** SHA-256 of the bytes. */
  hash: Uint8Array;
}

interface UploadForm {
  fields: Record<string, string>;
  file: UploadedFile | null;
}

interface Limits {
  maxFileBytes: number;
  /** Of the whole body. */
  maxBytes: number;
}

/**
 * Parses a multipart body as it arrives, with at most one file, in the field `file`. Stops reading at the first thing
 * that is wrong. Throws 400 or 413.
 */
export async function readUploadForm(
  request: Request,
  { maxFileBytes, maxBytes }: Limits,
): Promise<UploadForm> {
  // Without a length, the file's memory is reserved for the most it can have; what isn't written costs nothing.
  const length = contentLengthOf(request) ?? maxBytes;
  const form = new FormCollector(Math.min(length, maxFileBytes));
  const parser = openParser(request, form);
  for await (const chunk of readChunks(request, maxBytes)) {
    await new Promise((resolve) => parser.write(chunk, resolve));
    form.throwIfInvalid();
    await paceUpload(chunk.length);
  }
  await new Promise<void>((resolve) => {
    parser.once("finish", resolve).once("error", () => resolve());
    parser.end();
  });
  form.throwIfInvalid();
  return form.end();
}

function openParser(request: Request, form: FormCollector): BusboyInstance {
  const limits = {
    parts: MAX_PARTS,
    fieldSize: MAX_FIELD_BYTES,
    headerSize: MAX_HEADER_BYTES,
    headerPairs: MAX_HEADERS,
  };
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  let parser: BusboyInstance;
  try {
    parser = new Busboy({ headers, limits });
  } catch (cause) {
    throw malformed(cause);
  }
  return parser
    .on("field", (name, value, ...[, isCut]) => form.addField(name, isCut ? null : value))
    .on("file", (name, stream, fileName) => form.addFile(name, stream, fileName))
    .on("partsLimit", () => {
      const message = `The form has more than ${MAX_PARTS} parts. Send each field once, and one document per request.`;
      form.reject(invalidUpload(message));
    })
    .on("error", (cause) => form.reject(malformed(cause)));
}

/** The parser can't be stopped within a chunk, so the first problem is remembered until it has returned. */
class FormCollector {
  readonly #names = new Set<string>();
  readonly #fields = new Map<string, string>();
  readonly #hash = createHash("sha256");
  #problem: AppError | undefined;
  #file: { name: string | null; bytes: Buffer; length: number } | undefined;

  constructor(private readonly maxFileBytes: number) {}

  reject(problem: AppError): void {
    this.#problem ??= problem;
  }

  throwIfInvalid(): void {
    if (this.#problem) {
      throw this.#problem;
    }
  }

  /** The value is null if it is too large. */
  addField(name: string | undefined, value: string | null): void {
    if (!this.#isNewName(name)) {
      return;
    }
    if (value === null) {
      const message = `The form field is larger than ${MAX_FIELD_BYTES / 1024} kB. Send a shorter one; only 'file' can be large.`;
      this.reject(new AppError("payload_too_large", message, { param: name }));
    } else {
      this.#fields.set(name, value);
    }
  }

  addFile(name: string | undefined, stream: BusboyFileStream, fileName: string | undefined): void {
    // The parser reports the same error itself.
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => this.#addBytes(chunk));
    if (!this.#isNewName(name)) {
      return;
    }
    if (name === "file") {
      const bytes = Buffer.allocUnsafeSlow(this.maxFileBytes);
      this.#file = { name: fileName || null, bytes, length: 0 };
    } else {
      const message = "Only the form field 'file' can be a file. Send this one as text.";
      this.reject(invalidUpload(message, { param: name }));
    }
  }

  end(): UploadForm {
    const fields = Object.fromEntries(this.#fields);
    if (!this.#file) {
      return { fields, file: null };
    }
    const { name, bytes, length } = this.#file;
    return { fields, file: { name, bytes: bytes.subarray(0, length), hash: this.#hash.digest() } };
  }

  #addBytes(chunk: Buffer): void {
    if (this.#problem || !this.#file) {
      return;
    }
    const { bytes, length } = this.#file;
    if (length + chunk.length > bytes.length) {
      this.reject(documentTooLarge(bytes.length, "file"));
      return;
    }
    bytes.set(chunk, length);
    this.#hash.update(chunk);
    this.#file.length += chunk.length;
  }

  #isNewName(name: string | undefined): name is string {
    if (this.#problem) {
      return false;
    }
    if (!name || name.length > MAX_NAME_LENGTH) {
      const message = `A form field has no name, or one of more than ${MAX_NAME_LENGTH} characters. Correct its name.`;
      this.reject(invalidUpload(message));
      return false;
    }
    if (this.#names.has(name)) {
      const message =
        "A form field appears more than once. Send each field once, and one document per request.";
      this.reject(invalidUpload(message, { param: name }));
      return false;
    }
    this.#names.add(name);
    return true;
  }
}

function malformed(cause: unknown): AppError {
  const message = "The multipart body is malformed. Check its boundary and send it again.";
  return invalidUpload(message, { cause });
}

export function invalidUpload(
  message: string,
  options?: { param?: string; cause?: unknown },
): AppError {
  return new AppError("invalid_request", message, options);
}

export function documentTooLarge(maxBytes: number, param: string): AppError {
  const message = `The document is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB. Split it and upload the parts.`;
  return new AppError("payload_too_large", message, { param });
}
