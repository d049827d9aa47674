import { ERROR_KINDS, type ErrorCode } from "@/lib/errors";

/** Internal details: stack frames, file paths, SQL statements and library names. */
const INTERNALS = [
  /\bat .{0,200}:\d+:\d+/,
  /node_modules|\.next\/|file:\/\/|\/lib\/\w+\/|\.[cm]?[jt]sx?:\d+/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b .{0,200}\b(FROM|SET|VALUES|WHERE)\b/,
  /prisma|pglite|postgres|zod|undici|relation "|column "|violates .{0,40} constraint/i,
  /TypeError|RangeError|SyntaxError|ReferenceError|ECONN|ENOENT|\[object Object\]|undefined is not/,
];

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** The faults of a response to any request; empty if the API may return it. */
export function faultsOf(answer: Answer): string[] {
  const { status, headers, text } = answer;
  const faults: string[] = [];
  if (!/^req_[0-9a-z]{26}$/.test(headers.get("x-request-id") ?? "")) {
    faults.push("no x-request-id");
  }
  if (status >= 400) {
    faults.push(...faultsOfError(text, status));
  } else if (headers.get("content-type")?.startsWith("text/event-stream")) {
    faults.push(...faultsOfStream(text));
  } else if (headers.get("content-type")?.startsWith("application/jsonl")) {
    faults.push(...text.trimEnd().split("\n").flatMap(faultsOfLine));
  } else if (headers.has("accept-ranges")) {
    faults.push(...faultsOfFile(headers));
  } else if (headers.get("content-type") === "image/png") {
    faults.push(...(text.startsWith("\ufffdPNG") ? [] : ["a picture that isn't a PNG"]));
  } else if (parse(text) === undefined) {
    faults.push("a success that isn't JSON");
  }
  return faults;
}

/** Each line of a batch has a result or a documented error. */
function faultsOfLine(line: string): string[] {
  const { error } = (parse(line) ?? { error: {} }) as StreamEnd;
  const kind = error?.code && ERROR_KINDS[error.code];
  return error ? faultsOfError(JSON.stringify({ error }), kind ? kind.status : 0) : [];
}

function faultsOfError(text: string, status: number): string[] {
  const leaks = INTERNALS.filter((each) => each.test(text)).map((each) => `leaks ${each}`);
  const body = parse(text) as { error?: Record<string, unknown> } | undefined;
  const { message, type, param, code, ...details } = body?.error ?? {};
  const kind = ERROR_KINDS[code as ErrorCode] as { status: number; type: string } | undefined;
  const shape = [
    kind?.status === status && kind.type === type && code !== "internal_error",
    typeof message === "string" && message.length > 0,
    param === null || typeof param === "string",
    Object.values(details).every((each) => typeof each === "string" || typeof each === "number"),
    Object.keys(body ?? {}).join() === "error",
  ];
  return shape.every(Boolean) ? leaks : [...leaks, `not a documented error: ${text.slice(0, 300)}`];
}

/** A file of a user's, which no browser may run. */
function faultsOfFile(headers: Headers): string[] {
  const isInert =
    headers.get("x-content-type-options") === "nosniff" &&
    headers.get("content-security-policy")?.includes("sandbox") &&
    headers.get("content-disposition")?.startsWith("attachment");
  return isInert ? [] : ["a file that could run"];
}

/** If a stream fails after its first byte, its last event must be the error. */
function faultsOfStream(text: string): string[] {
  const events = text.split("\n").filter((line) => line.startsWith("data: "));
  const last = events.at(-1)?.slice("data: ".length) ?? "";
  const { type, error, ...event } = (parse(last) ?? {}) as StreamEnd;
  if (last === "[DONE]" || type === "response.completed" || type === "response.incomplete") {
    return [];
  }
  const { code, message, param } = error ?? event;
  const kind = code && ERROR_KINDS[code];
  // The error event of a response has no type of error.
  const body = { error: { code, message, param, ...error, type: kind?.type } };
  return kind ? faultsOfError(JSON.stringify(body), kind.status) : ["an unfinished stream"];
}

interface StreamEnd {
  type?: string;
  error?: { code?: ErrorCode; message?: unknown; param?: unknown };
  code?: ErrorCode;
  message?: unknown;
  param?: unknown;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
