import { AppError } from "@/lib/errors";

/** Requests other than uploads. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Far more than any schema of ours; what reads a body further on calls itself for each level. */
const MAX_NESTING = 200;

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
  const value = parse(bytes);
  if (isTooDeep(value)) {
    throw new AppError(
      "invalid_request",
      `The body is nested too deeply: at most ${MAX_NESTING} objects and arrays may stand in each other.`,
    );
  }
  return value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError(
      "invalid_request",
      "The body is not valid JSON. Check its quotes, commas and braces, and that numbers are finite.",
      { cause },
    );
  }
}

/** Goes level by level, because calling itself would overflow on what it looks for. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MAX_NESTING) {
      return true;
    }
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The body, read no further than the limit. Throws payload_too_large. */
export async function readBytes(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) {
    throw tooLarge(maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw tooLarge(maxBytes);
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function tooLarge(maxBytes: number): AppError {
  const limit =
    maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MB` : `${maxBytes} bytes`;
  return new AppError(
    "payload_too_large",
    `The request body is larger than ${limit}. Send less in one request.`,
  );
}
