import type { ChatModel, Completion, CompletionChunk, ModelRequest } from "@/lib/models/schema";

/** The whole answer where nothing was found and the request asked for none then. */
export const ABSTENTION =
  "The knowledge bases that were searched hold no passage on this question, so it is not answered.";

/** Stands in for the model that is not asked; it uses no tokens. */
export const abstainingModel: ChatModel = {
  complete: async (request) => ({
    ...frameOf(request),
    object: "chat.completion",
    choices: indexes(request).map((index) => ({
      index,
      finish_reason: "stop",
      logprobs: null,
      message: { role: "assistant", content: ABSTENTION },
    })),
    usage: { ...NO_USAGE },
  }),
  stream: async (request) => chunksOf(request),
};

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

async function* chunksOf(request: ModelRequest): AsyncGenerator<CompletionChunk> {
  const frame = { ...frameOf(request), object: "chat.completion.chunk" as const };
  for (const index of indexes(request)) {
    yield {
      ...frame,
      choices: [{ index, delta: { role: "assistant", content: ABSTENTION }, finish_reason: null }],
    };
    yield { ...frame, choices: [{ index, delta: {}, finish_reason: "stop" }] };
  }
  yield { ...frame, choices: [], usage: { ...NO_USAGE } };
}

/** The id is given by what answers the caller. */
function frameOf({ model }: ModelRequest): Pick<Completion, "id" | "created" | "model"> {
  return { id: "", created: Math.floor(Date.now() / 1000), model };
}

function indexes({ n }: ModelRequest): number[] {
  return Array.from({ length: n ?? 1 }, (_, index) => index);
}
