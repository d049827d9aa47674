import * as z from "zod";
import {
  Citation,
  CitationsRequest,
  UrlCitation,
  Verification,
  Warning,
} from "@/lib/citations/schema";
import { ChatMessage } from "@/lib/models/schema";
import { Metadata } from "./metadata";

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
  warnings: z.array(Warning).optional(),
});
export type ChatCompletion = z.infer<typeof ChatCompletion>;
