import type * as z from "zod";
import { AppError, ERROR_KINDS, type ErrorCode } from "./errors";

interface FetchJson<S extends z.ZodType> {
  /** Checks the answer; fetched along with it, so that no page has to wait for the code of its schemas. */
  schema: () => Promise<S>;
  method?: "GET" | "POST" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Calls one of the console's own doors from the browser. Throws AppError with the sentence the door gave. */
export async function fetchJson<S extends z.ZodType>(
  path: string,
  { schema, method = "GET", body, headers, signal }: FetchJson<S>,
): Promise<z.output<S>> {
  const response = await send(path, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    throw parseErrorBody(answer);
  }
  return (await schema()).parse(answer);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (cause) {
    // The caller's own abort is no failure of the network.
    if (cause instanceof DOMException && cause.name === "AbortError") {
      throw cause;
    }
    throw new Error("The server could not be reached. Check your connection and try again.", {
      cause,
    });
  }
}

/** The error that an answer of a door speaks of. */
export function parseErrorBody(answer: unknown): AppError {
  const { message, code, param } = errorOf(answer);
  return typeof message === "string" && isErrorCode(code)
    ? new AppError(code, message, { param: typeof param === "string" ? param : null })
    : new AppError(
        "internal_error",
        "The server gave an answer that makes no sense. Try again in a moment.",
      );
}

function errorOf(answer: unknown): { message?: unknown; code?: unknown; param?: unknown } {
  const isBody = typeof answer === "object" && answer !== null && "error" in answer;
  return isBody && typeof answer.error === "object" ? (answer.error ?? {}) : {};
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERROR_KINDS, code);
}
