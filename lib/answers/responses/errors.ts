import { AppError } from "@/lib/errors";

/** The fields of a chat completion that have another name here, or another index. */
const PARAMS: [RegExp, string][] = [
  [/^messages\b.*/s, "input"],
  [/^max_(completion_)?tokens$/, "max_output_tokens"],
  [/^response_format\b.*/s, "text.format"],
  [/^reasoning_effort$/, "reasoning.effort"],
  [/^verbosity$/, "text.verbosity"],
  [/^tools\b(?!.*\.(?:vector_store_ids$|filters\b)).*/s, "tools"],
  [/^tool_choice\b.*/s, "tool_choice"],
];

/** An error of the pipeline, with the name that its field has in a Responses request. */
export function withParamsOf(thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.param === null) {
    return thrown;
  }
  const { param, code, message, cause, headers, details } = thrown;
  const named = PARAMS.find(([pattern]) => pattern.test(param))?.[1];
  return named === undefined
    ? thrown
    : new AppError(code, message, { param: named, cause, headers, details });
}
