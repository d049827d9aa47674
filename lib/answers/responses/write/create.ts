import "server-only";

import type { FieldNames } from "@/lib/answers/builtin/fields";
import { sourcesParamOf } from "@/lib/answers/chat/file-search";
import { runCompletion } from "@/lib/answers/chat/write/complete";
import { AppError } from "@/lib/errors";
import type { CompletionChunk } from "@/lib/models/schema";
import { costHeaders } from "@/lib/money/billing/money";
import type { KeyContext } from "@/lib/platform/auth/context";
import { Reply } from "@/lib/platform/http/route";
import { type EventStream, sse } from "@/lib/platform/http/sse";
import { toMessages, warningsOfItems } from "../conversation";
import type { ResponseEvent } from "../events";
import { textsOf } from "../evidence";
import { type Frame, toResponse } from "../output";
import { readRepeated } from "../read";
import { settingsOf, toChatRequest } from "../request";
import type { ResponsesRequest } from "../schema";
import { ResponseEvents } from "../stream";
import { readTools } from "../tools";

const FIELDS: FieldNames = {
  messages: "input",
  responseFormat: "text.format",
  search: "Add the `file_search` tool",
};

/** Answers through the pipeline of chat completions, and fails, holds and bills as they do. */
export async function createResponse(
  ctx: KeyContext,
  body: ResponsesRequest,
): Promise<Reply | EventStream> {
  const earlier = await readRepeated(ctx, body);
  const messages = toMessages(body.input, earlier.messages, earlier.findItem);
  const used = readTools(body);
  const request = toChatRequest(body, messages, used);
  const frame = toFrameOf(body);
  const origin = {
    endpoint: "/v1/responses",
    sourcesParam: sourcesParamOf(body.tools ?? []),
    warnings: [...used.warnings, ...warningsOfItems(body.input)],
    fields: FIELDS,
    limitField: "max_output_tokens",
    // The search's results come before the text.
    keepsNumbers: true,
    // The instructions of one response aren't those of the next.
    stored: {
      messages,
      settings: () => ({ ...frame.settings, completed_at: frame.completedAt() }),
      knowledgeScopes: earlier.knowledgeScopes,
      isReferable: (body.store ?? null) === null,
    },
  };
  const answered = await runCompletion(ctx, request, origin).catch((thrown: unknown) => {
    throw withParamsOf(thrown);
  });
  if ("chunks" in answered) {
    const events = new ResponseEvents(frame, answered.choices);
    return sse(toEvents(answered.chunks, events), {
      write: writeEvent,
      fail: (error) => events.fail(error).map(writeEvent).join(""),
      end: "",
    });
  }
  const { completion, choices, costUsd } = answered;
  return new Reply(toResponse(completion, frame, textsOf(choices)), costHeaders(costUsd));
}

function toFrameOf(body: ResponsesRequest): Frame {
  let completedAt: number | null = null;
  return {
    // Stored, sent and read again as the same.
    completedAt: () => {
      completedAt ??= Math.floor(Date.now() / 1000);
      return completedAt;
    },
    settings: settingsOf(body),
    metadata: body.metadata ?? {},
    isStored: body.store ?? false,
    includesResults: body.include?.includes("file_search_call.results") ?? false,
  };
}

async function* toEvents(
  chunks: AsyncIterable<CompletionChunk>,
  events: ResponseEvents,
): AsyncGenerator<ResponseEvent> {
  try {
    for await (const chunk of chunks) {
      yield* events.accept(chunk);
    }
  } catch (thrown) {
    throw withParamsOf(thrown);
  }
  yield* events.end();
}

/** Named, as OpenAI's are: some clients read the name instead of the type. */
function writeEvent(event: unknown): string {
  return `event: ${(event as ResponseEvent).type}\ndata: ${JSON.stringify(event)}\n\n`;
}

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
function withParamsOf(thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.param === null) {
    return thrown;
  }
  const { param, code, message, cause, headers, details } = thrown;
  const named = PARAMS.find(([pattern]) => pattern.test(param))?.[1];
  return named === undefined
    ? thrown
    : new AppError(code, message, { param: named, cause, headers, details });
}
