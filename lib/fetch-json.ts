import * as z from "zod";
import { AppError, ERROR_KINDS, type ErrorCode } from "./errors";

const ErrorBody = z.object({
  error: z.object({
    message: z.string(),
    code: z.string(),
    param: z.string().nullish(),
  }),
});

interface FetchJson<S extends z.ZodType> {
  schema: S;
  method?: "GET" | "POST";
  body?: unknown;
  signal?: AbortSignal;
}

/** Calls one of the console's own doors from the browser. Throws AppError with the sentence the door gave. */
export async function fetchJson<S extends z.ZodType>(
  path: string,
  { schema, method = "GET", body, signal }: FetchJson<S>,
): Promise<z.output<S>> {
  const response = await send(path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
    ...(signal && { signal }),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    throw toAppError(answer);
  }
  return schema.parse(answer);
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

function toAppError(answer: unknown): AppError {
  const { data } = ErrorBody.safeParse(answer);
  return data && isErrorCode(data.error.code)
    ? new AppError(data.error.code, data.error.message, {
        param: data.error.param ?? null,
      })
    : new AppError(
        "internal_error",
        "The server gave an answer that makes no sense. Try again in a moment.",
      );
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_KINDS, code);
}
