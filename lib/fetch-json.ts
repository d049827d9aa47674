import type * as z from "zod";
import { AppError, ERROR_KINDS, type ErrorCode } from "./errors";

interface FetchJson<S extends z.ZodType> {
  /** Loaded during the request, so that pages don't wait for schema code. */
  schema: () => Promise<S>;
  /** POST with a body, else GET. */
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Calls a console endpoint from the browser. Throws AppError with the endpoint's message. */
export async function fetchJson<S extends z.ZodType>(
  path: string,
  { schema, body, method = body ? "POST" : "GET", headers, signal }: FetchJson<S>,
): Promise<z.output<S>> {
  const response = await fetch(path, {
    method,
    headers: { ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    // The caller's own abort isn't a network failure.
    if (cause instanceof DOMException && cause.name === "AbortError") {
      throw cause;
    }
    const message = "We couldn’t reach the server. Check your connection and try again.";
    throw new Error(message, { cause });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    throw parseErrorBody(answer);
  }
  return (await schema()).parse(answer);
}

/** Reads a list of the console by cursor; the rest of the options of an infinite query. */
export function cursorPages<S extends z.ZodType<{ next_cursor: string | null }>>(
  path: string,
  schema: () => Promise<S>,
  filter: string | Record<string, string> = "",
) {
  return {
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) => {
      const params = new URLSearchParams(filter);
      if (pageParam) {
        params.set("after", pageParam);
      }
      return fetchJson(params.size > 0 ? `${path}?${params}` : path, { schema, signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: z.output<S>) => page.next_cursor,
  };
}

type ErrorFacts = { error?: { message?: unknown; code?: unknown; param?: unknown } | null };

export function parseErrorBody(answer: unknown): AppError {
  const { message, code, param } = (answer as ErrorFacts | null)?.error ?? {};
  return typeof message === "string" && isErrorCode(code)
    ? new AppError(code, message, { param: typeof param === "string" ? param : null })
    : new AppError(
        "internal_error",
        "The server returned an invalid response. Try again in a moment.",
      );
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERROR_KINDS, code);
}
