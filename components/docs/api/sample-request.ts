import { LOCAL_ADDRESS } from "../local-address";
import { EXAMPLES, type Example } from "./examples";
import type { Operation } from "./openapi";

export type Call = Pick<Operation, "method" | "path" | "responses">;

/** A request, ready to be written in any language. */
export interface SampleRequest extends Example {
  method: string;
  /** Ids are written as `{name}`. */
  address: string;
  type: string | null;
  /** The body as text; null for none and for a form. */
  text: string | null;
  idempotencyKey: string | null;
  /** What the answer is read as. */
  answer: "json" | "text" | "bytes";
}

export function requestOf({ method, path, responses }: Call): SampleRequest {
  const example = EXAMPLES[`${method} ${path}`] ?? {};
  const { body, lines, query } = example;
  return {
    ...example,
    method: method.toUpperCase(),
    address: `${LOCAL_ADDRESS}${path}${query ? `?${query}` : ""}`,
    type: body ? "application/json" : lines ? "application/jsonl" : null,
    text: body
      ? JSON.stringify(body, null, 2)
      : (lines?.map((line) => JSON.stringify(line)).join("\n") ?? null),
    idempotencyKey:
      path.endsWith("/checkout-sessions") && method === "post" ? "top-up-2026-11" : null,
    answer: answerOf(responses),
  };
}

function answerOf(responses: Operation["responses"]): SampleRequest["answer"] {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const types = Object.keys(success?.content ?? {});
  return types.includes("application/json")
    ? "json"
    : types.includes("application/jsonl")
      ? "text"
      : "bytes";
}
