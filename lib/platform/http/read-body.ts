import type { Readable } from "node:stream";
import { AppError, invalidRequest } from "@/lib/errors";
import { yieldIfLong } from "@/lib/event-loop";
import { nodeOf } from "./request";

/** For everything but uploads. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** From someone without a key or a session: a name, an email, a password and a token, with room to spare. */
export const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024;

/** Deeper than any schema needs; later validation is recursive and would overflow the stack. */
const MAX_NESTING = 200;

/** 256 messages with their parts, tools and schemas have a few thousand values. */
const MAX_VALUES = 100_000;

/** The media type of the request in lower case, without parameters; empty when it has none. */
export function mediaTypeOf(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The stated length of the body in bytes; null without a valid one. */
export function contentLengthOf(request: Request): number | null {
  const stated = request.headers.get("content-length") ?? "";
  return /^\d+$/.test(stated) ? Number(stated) : null;
}

/** The parsed JSON body. Throws unsupported_media_type, payload_too_large or invalid_request. */
export async function readJson(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  advice?: string,
): Promise<unknown> {
  const mediaType = mediaTypeOf(request);
  if (mediaType !== "application/json") {
    throw otherMediaType("JSON", "application/json", mediaType);
  }
  const bytes = await readBytes(request, maxBytes, advice);
  if (exceedsValueCount(bytes, MAX_VALUES)) {
    throw tooManyValues();
  }
  await yieldIfLong();
  const value = parse(bytes);
  await yieldIfLong();
  checkValues(value, MAX_NESTING);
  await yieldIfLong();
  return value;
}

function otherMediaType(name: string, accept: string, sent: string): AppError {
  const but = sent ? `its content type is '${sent.slice(0, 100)}'` : "it has no content type";
  return new AppError(
    "unsupported_media_type",
    `The body must be ${name}, but ${but}. Send it with the header 'Content-Type: ${accept}'.`,
    { headers: { accept } },
  );
}

export const JSON_LINES = "application/jsonl";
const LINES_TYPES = [JSON_LINES, "application/x-ndjson", "application/x-jsonlines"];

/** A body of JSON Lines as text, whose lines are still to be parsed. Throws as `readJson` does. */
export async function readJsonLines(request: Request): Promise<string> {
  const mediaType = mediaTypeOf(request);
  if (!LINES_TYPES.includes(mediaType)) {
    throw otherMediaType("JSON Lines", JSON_LINES, mediaType);
  }
  const bytes = await readBytes(request, MAX_BODY_BYTES, "Send the lines in several batches.");
  if (exceedsValueCount(bytes, MAX_VALUES)) {
    throw tooManyValues();
  }
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError("invalid_request", "The body is not valid UTF-8. Encode it as UTF-8.", {
      cause,
    });
  }
}

function tooManyValues(): AppError {
  return invalidRequest(
    `The body has more than ${MAX_VALUES.toLocaleString("en-US")} values (objects, arrays, strings and numbers). Split it into several requests.`,
  );
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new AppError(
      "invalid_request",
      "The body is not valid JSON. Check its quotes, commas and braces, and that numbers are finite.",
      { cause },
    );
  }
}

/** Rejects nesting below `levels`, and numbers such as 1e999, which JSON.parse reads as Infinity. */
function checkValues(value: unknown, levels: number): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw invalidRequest(
      `The body has a number out of range. Keep numbers between -${Number.MAX_VALUE} and ${Number.MAX_VALUE}.`,
    );
  }
  if (typeof value !== "object" || value === null) {
    return;
  }
  if (levels === 0) {
    throw invalidRequest(
      `The body is nested more than ${MAX_NESTING} levels deep. Flatten it, and send the request again.`,
    );
  }
  for (const inner of Object.values(value)) {
    checkValues(inner, levels - 1);
  }
}

/** Stops reading at the limit. Throws payload_too_large. */
export async function readBytes(
  request: Request,
  maxBytes: number,
  advice?: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const node = nodeOf(request);
  if (node) {
    rejectEncoded(request);
    rejectLongBody(request, maxBytes, advice);
    return readStream(node.req, () => bodyTooLarge(maxBytes, advice), maxBytes);
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of readChunks(request, maxBytes, advice)) {
    chunks.push(chunk);
  }
  return joined(chunks);
}

function joined(chunks: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  return chunks.length === 1 && chunks[0] ? chunks[0] : new Uint8Array(Buffer.concat(chunks));
}

/** By events, because most bodies are one chunk, for which an iterator costs several times as much. */
function readStream(
  stream: Readable,
  tooLarge: () => AppError,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const onClose = () => reject(stream.errored ?? new Error("the request was aborted"));
  // What comes beyond the limit is read and discarded: left unread, it would block the connection's next request.
  stream.on("data", (chunk: Uint8Array<ArrayBuffer>) => {
    length += chunk.byteLength;
    if (length > maxBytes) {
      chunks.length = 0;
      reject(tooLarge());
    } else {
      chunks.push(chunk);
    }
  });
  stream.once("end", () => {
    // Every request closes in the end.
    stream.off("close", onClose);
    resolve(joined(chunks));
  });
  stream.once("error", reject);
  stream.once("close", onClose);
  if (stream.destroyed || stream.readableEnded) {
    onClose();
  }
  return promise;
}

/** The body as it arrives, up to the limit. Throws payload_too_large. */
export async function* readChunks(
  request: Request,
  maxBytes: number,
  advice?: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  rejectEncoded(request);
  rejectLongBody(request, maxBytes, advice);
  const node = nodeOf(request);
  const web = node ? null : request.body;
  const source =
    node?.req.iterator({ destroyOnReturn: false }) ?? web?.values({ preventCancel: true }) ?? [];
  let length = 0;
  try {
    for await (const chunk of source) {
      length += chunk.byteLength;
      if (length > maxBytes) {
        throw bodyTooLarge(maxBytes, advice);
      }
      yield chunk;
    }
  } finally {
    // Discard the rest: left unread, it would block the connection's next request. Canceled, it would close the
    // connection before the client has its response.
    node?.req.resume();
    web?.pipeTo(new WritableStream()).catch(() => {});
  }
}

/** Throws unsupported_media_type for a compressed body: its length says nothing of what it holds. */
function rejectEncoded({ headers }: Request): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() || "identity";
  if (encoding !== "identity") {
    throw new AppError(
      "unsupported_media_type",
      `The body is encoded with '${encoding.slice(0, 100)}', which isn't supported. Send it as it is, without a Content-Encoding header.`,
      { headers: { "accept-encoding": "identity" } },
    );
  }
}

/** Throws payload_too_large if the headers already say that the body is. */
export function rejectLongBody(request: Request, maxBytes: number, advice?: string): void {
  if ((contentLengthOf(request) ?? 0) > maxBytes) {
    throw bodyTooLarge(maxBytes, advice);
  }
}

export function bodyTooLarge(maxBytes: number, advice = "Send less in one request."): AppError {
  const limit =
    maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MB` : `${maxBytes} bytes`;
  return new AppError("payload_too_large", `The request body is larger than ${limit}. ${advice}`);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;

/**
 * Whether JSON text has more than `most` values, counted by the commas and brackets outside its strings. Takes a few
 * milliseconds for 4 MB; parsing and validating a million objects would take seconds and hundreds of megabytes.
 */
export function exceedsValueCount(bytes: Uint8Array, most: number): boolean {
  // A view, for Buffer's native indexOf.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) {
      at = endOfString(text, at);
    } else if (byte === COMMA || byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      values += 1;
    }
    if (values > most) {
      return true;
    }
  }
  return false;
}

/** The index of the closing quote, or the text's length when there is none. */
function endOfString(text: Buffer, start: number): number {
  let end = text.indexOf(QUOTE, start + 1);
  while (end >= 0 && isEscaped(text, end)) {
    end = text.indexOf(QUOTE, end + 1);
  }
  return end < 0 ? text.length : end;
}

function isEscaped(text: Buffer, at: number): boolean {
  let first = at;
  while (text[first - 1] === BACKSLASH) {
    first -= 1;
  }
  return (at - first) % 2 === 1;
}
