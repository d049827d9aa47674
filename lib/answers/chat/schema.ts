import * as z from "zod";
import {
  Citation,
  CitationsRequest,
  UrlCitation,
  Verification,
  Warning,
} from "@/lib/answers/citations/schema";
import { MAX_PRESET_ID } from "@/lib/answers/presets/schema";
import { Retrieval } from "@/lib/library/retrieval/schema";
import { ChatMessage } from "@/lib/models/schema";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { FileSearchTool } from "./file-search";

const MOST_PAIRS = 16;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 512;

/** Length in Unicode code points. */
function text(least: number, most: number) {
  return z
    .string({ error: "expected text" })
    .refine((value) => value.length <= 2 * most && [...value].length <= most, {
      error: `use at most ${most} characters`,
      abort: true,
    })
    .refine((value) => value.length >= least, "expected some text")
    .refine(isPostgresText, "leave NUL characters and lone surrogates out")
    .meta({ minLength: least, maxLength: most });
}

/** Metadata of a stored answer, within OpenAI's limits. */
export const Metadata = z.preprocess(
  (value, { addIssue }) => {
    // Zod's record drops this key silently.
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__")) {
      addIssue({ code: "custom", message: "'__proto__' cannot be a name" });
    }
    return value;
  },
  z
    .record(text(1, LONGEST_KEY), text(0, LONGEST_VALUE), {
      // Zod's own messages for records don't describe keys.
      error: ({ code }) =>
        code === "invalid_key"
          ? `a name is text of 1 to ${LONGEST_KEY} characters, without NUL and lone surrogates`
          : "expected an object of names and texts",
    })
    .refine((value) => Object.keys(value).length <= MOST_PAIRS, {
      error: `attach at most ${MOST_PAIRS} pairs`,
    })
    .meta({ maxProperties: MOST_PAIRS }),
);

/** Far more than an agent's session has: the body and the model's context bound a conversation before. */
export const MAX_MESSAGES = 10_000;
const tokenLimit = z
  .int()
  .min(1)
  .nullish()
  .describe("Maximum tokens in the answer. A value above the model's limit is lowered to it.");

/** Shapes are the upstream's to judge, except for the one that runs here. */
const ChatTool = z
  .looseObject({ type: z.string().optional() })
  .superRefine((tool, { addIssue }) => {
    const search = tool.type === "file_search" ? FileSearchTool.safeParse(tool) : null;
    for (const { path, message } of search?.error?.issues ?? []) {
      addIssue({ code: "custom", path, message, continue: false });
    }
  });

/** OpenAI's request plus `citations`. Other fields are passed to the upstream unchanged. */
export const ChatRequest = z.looseObject({
  model: z
    .string({ error: "expected the id of a model from GET /v1/models" })
    .min(1)
    .max(MAX_PRESET_ID)
    .describe("The id of a model or preset from `GET /v1/models`."),
  messages: z
    .array(ChatMessage)
    .min(1, "send at least one message")
    .max(MAX_MESSAGES, `send at most ${MAX_MESSAGES} messages`)
    .describe("The conversation so far, in OpenAI's format."),
  stream: z.boolean().nullish().describe("Stream the answer as server-sent events."),
  stream_options: z
    .looseObject({
      include_usage: z
        .boolean()
        .nullish()
        .describe("Send a last chunk with the usage and its cost."),
    })
    .nullish(),
  n: z.int().min(1).max(128).nullish().describe("How many answers to write; each is billed."),
  max_tokens: tokenLimit,
  max_completion_tokens: tokenLimit,
  tools: z
    .array(ChatTool)
    .nullish()
    .describe(
      "Functions of the caller's own. `file_search` turns `citations` on; others are left out, and named in `warnings`.",
    ),
  stop: z
    .union([z.string(), z.array(z.string()).max(16)])
    .nullish()
    .describe("Strings that end the answer."),
  ignore_unsupported: z
    .boolean()
    .nullish()
    .describe(
      "Ignore fields that the built-in model doesn't support, such as `tools`, instead of failing.",
    ),
  citations: CitationsRequest.nullish().describe(
    "Cited retrieval. Null means absent, here and in every field inside.",
  ),
  store: z
    .boolean()
    .nullish()
    .describe(
      "Store the answer with its evidence on this server. Neither this nor `metadata` is sent upstream.",
    ),
  metadata: Metadata.nullish().describe("Your own key-value pairs, stored with the answer."),
});
export type ChatRequest = z.output<typeof ChatRequest>;

export const CompletionUsage = z.looseObject({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  cost_usd: z.string().describe("What the request was charged, in US dollars."),
  cost: z.number().describe("`cost_usd` as a number, for clients that know this name."),
});

/** The part of a message that Footnote adds. */
const evidence = {
  annotations: z
    .array(UrlCitation)
    .optional()
    .describe(
      "Present when retrieval ran: each marker with its sentence, a quote of its source and a verdict.",
    ),
  verification: Verification.optional().describe(
    "How well the answer is supported by its sources.",
  ),
};

/** OpenAI's chunk of a streamed completion with Footnote's fields. */
export const ChatCompletionChunk = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion.chunk"),
  created: z.number(),
  model: z.string().describe("The model that answers: the one asked for, or its fallback."),
  choices: z
    .array(
      z.looseObject({
        index: z.number(),
        finish_reason: z.string().nullable(),
        delta: z.looseObject({
          role: z.string().optional(),
          content: z.string().nullable().optional(),
          ...evidence,
        }),
      }),
    )
    .describe("Empty in the last chunk, which has the usage."),
  usage: CompletionUsage.nullable().optional().describe("In the last chunk, with `include_usage`."),
  citations: z
    .array(Citation)
    .optional()
    .describe("All sources in the first chunk; the final list in the one with `finish_reason`."),
  retrieval: Retrieval.optional().describe("In the first chunk when retrieval ran."),
  warnings: z
    .array(Warning)
    .optional()
    .describe("In the chunk with `finish_reason`: what the answer is without."),
});

/** OpenAI's completion with Footnote's fields. */
export const ChatCompletion = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.number(),
  model: z.string().describe("The model that answered: the one asked for, or its fallback."),
  choices: z.array(
    z.looseObject({
      index: z.number(),
      finish_reason: z.string(),
      message: z.looseObject({
        role: z.literal("assistant"),
        content: z.string().nullable(),
        ...evidence,
      }),
    }),
  ),
  usage: CompletionUsage,
  citations: z
    .array(Citation)
    .optional()
    .describe("Present when retrieval ran; empty when it found nothing."),
  retrieval: Retrieval.optional().describe("Present when retrieval ran."),
  warnings: z
    .array(Warning)
    .optional()
    .describe("What couldn't be done, such as a search, and what the request asked for in vain."),
});
export type ChatCompletion = z.infer<typeof ChatCompletion>;
