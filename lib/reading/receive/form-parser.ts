import { createHash } from "node:crypto";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { AppError, invalidRequest } from "@/lib/errors";

const MAX_PARTS = 32;
const MAX_NAME_LENGTH = 100;
const MEGABYTE = 1024 * 1024;
const MAX_FIELD_BYTES = 64 * 1024;
/** Of one part. */
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_HEADERS = 16;

/** A file is passed on and stored in slices of this size, so that its size doesn't matter to memory. */
export const SLICE_BYTES = 1024 * 1024;
/** What a title can be found in. */
export const HEAD_BYTES = 4096;

export interface FormLimits {
  /** The only field that can be a file. */
  fileField: string;
  maxFileBytes: number;
  /** The most that the body can have, so that a small file gets a small buffer. */
  maxBytes: number;
}

export interface ReceivedFile {
  name: string | null;
  sizeBytes: number;
  /** SHA-256 of the bytes. */
  hash: Uint8Array<ArrayBuffer>;
  /** The first bytes. */
  head: Uint8Array<ArrayBuffer>;
  /** What follows the slices that were passed on: all of a file of at most one slice. */
  rest: Uint8Array<ArrayBuffer>;
}

export interface ReceivedForm {
  fields: Record<string, string>;
  file: ReceivedFile | null;
}

/**
 * Parses a multipart body as it arrives, with at most one file. Full slices of the file are passed on while more of it
 * follows. Throws 400 or 413 at the first thing that is wrong. Runs in a thread for large bodies.
 */
export class FormParser {
  readonly #parser: BusboyInstance;
  readonly #form: FormCollector;

  constructor(
    contentType: string,
    limits: FormLimits,
    onSlice: (slice: Uint8Array<ArrayBuffer>) => void,
  ) {
    this.#form = new FormCollector(limits, onSlice);
    this.#parser = openParser(contentType, this.#form);
  }

  async write(chunk: Uint8Array): Promise<void> {
    await new Promise((resolve) => this.#parser.write(chunk, resolve));
    this.#form.throwIfInvalid();
  }

  async end(): Promise<ReceivedForm> {
    await new Promise<void>((resolve) => {
      this.#parser.once("finish", resolve).once("error", () => resolve());
      this.#parser.end();
    });
    this.#form.throwIfInvalid();
    return this.#form.end();
  }
}

function openParser(contentType: string, form: FormCollector): BusboyInstance {
  const limits = {
    parts: MAX_PARTS,
    fieldSize: MAX_FIELD_BYTES,
    headerSize: MAX_HEADER_BYTES,
    headerPairs: MAX_HEADERS,
  };
  let parser: BusboyInstance;
  try {
    parser = new Busboy({ headers: { "content-type": contentType }, limits });
  } catch (cause) {
    throw malformed(cause);
  }
  return parser
    .on("field", (name, value, ...[, isCut]) => form.addField(name, isCut ? null : value))
    .on("file", (name, stream, fileName) => form.addFile(name, stream, fileName))
    .on("partsLimit", () => {
      const message = `The form has more than ${MAX_PARTS} parts. Send each field once, and one document per request.`;
      form.reject(invalidRequest(message));
    })
    .on("error", (cause) => form.reject(malformed(cause)));
}

/** The parser can't be stopped within a chunk, so the first problem is remembered until it has returned. */
class FormCollector {
  readonly #names = new Set<string>();
  readonly #fields = new Map<string, string>();
  readonly #limits: FormLimits;
  readonly #onSlice: (slice: Uint8Array<ArrayBuffer>) => void;
  #problem: AppError | undefined;
  #file: FileCollector | undefined;

  constructor(limits: FormLimits, onSlice: (slice: Uint8Array<ArrayBuffer>) => void) {
    this.#limits = limits;
    this.#onSlice = onSlice;
  }

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
      const message = `The form field is larger than ${MAX_FIELD_BYTES / 1024} kB. Send a shorter one; only '${this.#limits.fileField}' can be large.`;
      this.reject(new AppError("payload_too_large", message, { param: name }));
    } else {
      this.#fields.set(name, value);
    }
  }

  addFile(name: string | undefined, stream: BusboyFileStream, fileName: string | undefined): void {
    const { fileField, maxBytes } = this.#limits;
    // The parser reports the same error itself.
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => this.#addBytes(chunk));
    if (!this.#isNewName(name)) {
      return;
    }
    if (name === fileField) {
      this.#file = new FileCollector(fileName || null, maxBytes, this.#onSlice);
    } else {
      const message = `Only the form field '${fileField}' can be a file. Send this one as text.`;
      this.reject(invalidRequest(message, name));
    }
  }

  end(): ReceivedForm {
    return { fields: Object.fromEntries(this.#fields), file: this.#file?.end() ?? null };
  }

  #addBytes(chunk: Buffer): void {
    if (this.#problem || !this.#file) {
      return;
    }
    const { maxFileBytes, fileField } = this.#limits;
    if (this.#file.sizeBytes + chunk.length > maxFileBytes) {
      this.reject(documentTooLarge(maxFileBytes, fileField));
    } else {
      this.#file.add(chunk);
    }
  }

  #isNewName(name: string | undefined): name is string {
    if (this.#problem) {
      return false;
    }
    if (!name || name.length > MAX_NAME_LENGTH) {
      const message = `A form field has no name, or one of more than ${MAX_NAME_LENGTH} characters. Correct its name.`;
      this.reject(invalidRequest(message));
      return false;
    }
    if (this.#names.has(name)) {
      const message =
        "A form field appears more than once. Send each field once, and one document per request.";
      this.reject(invalidRequest(message, name));
      return false;
    }
    this.#names.add(name);
    return true;
  }
}

class FileCollector {
  readonly #name: string | null;
  readonly #maxBytes: number;
  readonly #onSlice: (slice: Uint8Array<ArrayBuffer>) => void;
  readonly #hash = createHash("sha256");
  #head: Uint8Array<ArrayBuffer> | undefined;
  #slice: Buffer<ArrayBuffer>;
  #filled = 0;
  sizeBytes = 0;

  constructor(
    name: string | null,
    maxBytes: number,
    onSlice: (slice: Uint8Array<ArrayBuffer>) => void,
  ) {
    this.#name = name;
    this.#maxBytes = maxBytes;
    this.#onSlice = onSlice;
    this.#slice = this.#nextSlice();
  }

  add(bytes: Buffer): void {
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length; ) {
      if (this.#filled === this.#slice.length) {
        this.#head ??= new Uint8Array(this.#slice.subarray(0, HEAD_BYTES));
        this.#onSlice(this.#slice);
        this.#slice = this.#nextSlice();
        this.#filled = 0;
      }
      const copied = bytes.copy(this.#slice, this.#filled, at);
      this.#filled += copied;
      this.sizeBytes += copied;
      at += copied;
    }
  }

  end(): ReceivedFile {
    const rest = this.#slice.subarray(0, this.#filled);
    return {
      name: this.#name,
      sizeBytes: this.sizeBytes,
      // Copies of their own: Node's pool would be sent along to another thread.
      hash: new Uint8Array(this.#hash.digest()),
      head: this.#head ?? new Uint8Array(rest.subarray(0, HEAD_BYTES)),
      rest,
    };
  }

  /** Not from Node's pool: slices are transferred between threads. What isn't written costs nothing. */
  #nextSlice(): Buffer<ArrayBuffer> {
    return Buffer.allocUnsafeSlow(Math.min(SLICE_BYTES, this.#maxBytes - this.sizeBytes));
  }
}

function malformed(cause: unknown): AppError {
  const message = "The multipart body is malformed. Check its boundary and send it again.";
  return new AppError("invalid_request", message, { cause });
}

export function documentTooLarge(maxBytes: number, param: string): AppError {
  const most = maxBytes < MEGABYTE ? `${maxBytes} bytes` : `${Math.floor(maxBytes / MEGABYTE)} MB`;
  const message = `The document is larger than ${most}. Split it and upload the parts.`;
  return new AppError("payload_too_large", message, { param });
}
