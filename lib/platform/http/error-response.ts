import * as z from "zod";
import { AppError } from "@/lib/errors";
import { isDatabaseUnavailable } from "@/lib/platform/db/unavailable";
import { jsonResponse } from "./json-response";

/** Long enough for a database to restart. */
const UNAVAILABLE_RETRY_SECONDS = "2";

/** What a row says its author is. */
const AUTHOR = /_(?:invited_by|created_by|created_by_member|member)_id_fkey$/;

/** Whether a write failed because the member who makes it has been removed meanwhile. */
function isOfRemovedMember(thrown: unknown): boolean {
  const constraint = (thrown as { constraint?: unknown } | null)?.constraint;
  return typeof constraint === "string" && AUTHOR.test(constraint);
}

/** The text of an unknown error never leaves the server. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) {
    return thrown;
  }
  if (thrown instanceof z.ZodError) {
    return fromZod(thrown);
  }
  if (isDatabaseUnavailable(thrown)) {
    return new AppError(
      "service_unavailable",
      "The service is not available right now. Wait a few seconds and try again.",
      { cause: thrown, headers: { "retry-after": UNAVAILABLE_RETRY_SECONDS } },
    );
  }
  if (isOfRemovedMember(thrown)) {
    return new AppError(
      "missing_session",
      "You are no longer a member of this account. Sign in again.",
      { cause: thrown },
    );
  }
  return new AppError(
    "internal_error",
    "The server had an error while processing the request. Try again, and if it persists report the x-request-id header of this response.",
    { cause: thrown },
  );
}

/** OpenAI's error shape. */
export function errorBody(error: AppError) {
  const { message, type, param, code, details } = error;
  return { error: { message, type, param, code, ...details } };
}

export function errorResponse(error: AppError, headers: Record<string, string> = {}): Response {
  return jsonResponse(errorBody(error), {
    status: error.status,
    headers: { ...error.headers, ...(error.isFinal && { "x-should-retry": "false" }), ...headers },
  });
}

/** `unknownIsNot`: what to call the fields that the schema has. */
export function fromZod(error: z.ZodError, unknownIsNot = "a field of this object"): AppError {
  const issue = deepest(error.issues[0]);
  const path = issue?.path.map(String) ?? [];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const param = [...path, ...(unknown ? [unknown] : [])].join(".") || null;
  const where = param ? `'${param}'` : "The request body";
  const message = unknown
    ? `${where} is not ${unknownIsNot}. Remove it or correct its spelling.`
    : `${where} is not valid: ${asClause(issue?.message ?? "expected another value")}. Correct it and send the request again.`;
  return new AppError("invalid_request", message, { param, cause: error });
}

/** A message that a form shows as a sentence, such as "Give the amount in whole cents." */
function asClause(message: string): string {
  return message.replace(/\.$/, "").replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
}

/**
 * In a union, the branch that parsed furthest is most likely the one the caller meant, or else one that took the value's
 * type and not its length.
 */
function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== "invalid_union") {
    return issue;
  }
  const inner = issue.errors.flatMap((branch) => deepest(branch[0]) ?? []);
  const furthest = inner.toSorted((a, b) => b.path.length - a.path.length)[0];
  const meant =
    furthest && furthest.path.length > 0
      ? furthest
      : inner.find(({ code }) => code === "too_big" || code === "too_small");
  return meant ? { ...meant, path: [...issue.path, ...meant.path] } : issue;
}
