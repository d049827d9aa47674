import type { Readable } from "node:stream";
import { AppError } from "@/lib/errors";
import { exceedsValueCount } from "./json-values";

/** Requests other than uploads. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Far more than any schema of ours; what reads a body further on calls itself for each level. */
const MAX_NESTING = 200;

/** As much: 256 messages with their parts, tools and schemas are some thousands. */
const MAX_VALUES = 100_000;

/** The media type of the request in lower case, without parameters; empty when it has none. */
export function mediaTypeOf(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The parsed JSON body. Throws unsupported_media_type, payload_too_large or invalid_request. */
export async function readJson(request: Request, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  const mediaType = mediaTypeOf(request);
  if (mediaType !== "application/json") {
    throw new AppError(
      "unsupported_media_type",
      `The body must be JSON, but its content type is '${mediaType.slice(0, 100) || "not given"}'. Send it with the header 'Content-Type: application/json'.`,
      { headers: { accept: "application/json" } },
    );
  }
  const bytes = await readBytes(request, maxBytes);
  if (exceedsValueCount(bytes, MAX_VALUES)) {
    throw new AppError(
      "invalid_request",
      `The body holds too many values: at most ${MAX_VALUES} objects, arrays, texts and numbers in all.`,
    );
  }
  const value = parse(bytes);
  if (isDeeper(value, MAX_NESTING)) {
    throw new AppError(
      "invalid_request",
      `The body is nested too deeply: at most ${MAX_NESTING} objects and arrays may stand in each other.`,
    );
  }
  return value;
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

/** Whether more than `levels` objects and arrays stand in each other; looks no deeper than that. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** The body, read no further than the limit. Throws payload_too_large. */
export async function readBytes(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) {
    throw tooLarge(maxBytes);
  }
  const { node } = (request as HostedRequest).runtime ?? {};
  const chunks = await (node
    ? readNodeStream(node.req, maxBytes)
    : readWebStream(request.body, maxBytes));
  return chunks.length === 1 && chunks[0] ? chunks[0] : new Uint8Array(Buffer.concat(chunks));
}

/** As our own host makes it: over Node's own stream, which is read in a fraction of a web stream's time. */
interface HostedRequest extends Request {
  runtime?: { node?: { req: Readable } };
}

type Chunks = Uint8Array<ArrayBuffer>[];

async function readWebStream(body: Request["body"], maxBytes: number): Promise<Chunks> {
  const chunks: Chunks = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw tooLarge(maxBytes);
    }
    chunks.push(chunk);
  }
  return chunks;
}

function readNodeStream(stream: Readable, maxBytes: number): Promise<Chunks> {
  return new Promise((resolve, reject) => {
    const chunks: Chunks = [];
    let length = 0;
    const onData = (chunk: Uint8Array<ArrayBuffer>) => {
      length += chunk.byteLength;
      chunks.push(chunk);
      if (length > maxBytes) {
        // The rest is thrown away: left unread, it would stand before the connection's next request for good.
        stream.off("data", onData).resume();
        reject(tooLarge(maxBytes));
      }
    };
    // A client that left in the middle of its body: the stream closes without its end.
    const onClose = () => reject(new Error("the body broke off"));
    if (stream.destroyed) {
      onClose();
    }
    stream.on("data", onData);
    stream.once("end", () => {
      stream.off("close", onClose);
      resolve(chunks);
    });
    stream.once("error", reject);
    stream.once("close", onClose);
  });
}

function tooLarge(maxBytes: number): AppError {
  const limit =
    maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MB` : `${maxBytes} bytes`;
  return new AppError(
    "payload_too_large",
    `The request body is larger than ${limit}. Send less in one request.`,
  );
}
