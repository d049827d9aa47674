import * as z from "zod";
import {
  Citation,
  CitationsRequest,
  UrlCitation,
  Verification,
  Warning,
} from "@/lib/citations/schema";
import { isPostgresText } from "@/lib/db/postgres-text";
import { ChatMessage } from "@/lib/models/schema";
import { Retrieval } from "@/lib/retrieval/schema";

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

const MAX_MESSAGES = 256;
const tokenLimit = z.number().int().min(1).nullish();

/** OpenAI's request plus `citations`. Other fields are passed to the upstream unchanged. */
export const ChatRequest = z.looseObject({
  model: z.string({ error: "expected the id of a model from GET /v1/models" }).min(1).max(200),
  messages: z
    .array(ChatMessage)
    .min(1, "send at least one message")
    .max(MAX_MESSAGES, `send at most ${MAX_MESSAGES} messages`),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().int().min(1).max(128).nullish(),
  max_tokens: tokenLimit,
  max_completion_tokens: tokenLimit,
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  citations: CitationsRequest.nullish(),
  /** Stores the answer with its evidence here. Neither this nor `metadata` is then sent upstream. */
  store: z.boolean().nullish(),
  metadata: Metadata.nullish(),
});
export type ChatRequest = z.output<typeof ChatRequest>;

/** OpenAI's completion with Footnote's fields. */
export const ChatCompletion = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.number(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.number(),
      finish_reason: z.string(),
      message: z.looseObject({
        role: z.literal("assistant"),
        content: z.string().nullable(),
        /** Present when retrieval ran: each marker with its sentence, a quote of its source and a verdict. */
        annotations: z.array(UrlCitation).optional(),
        verification: Verification.optional(),
      }),
    }),
  ),
  usage: z.looseObject({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: z.number(),
    cost_usd: z.string(),
  }),
  /** Present when retrieval ran; empty when it found nothing. */
  citations: z.array(Citation).optional(),
  /** Present when retrieval ran. */
  retrieval: Retrieval.optional(),
  warnings: z.array(Warning).optional(),
});
export type ChatCompletion = z.infer<typeof ChatCompletion>;
