import * as z from "zod";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";

/** OpenAI's limit, which clients split their batches by. */
const MAX_INPUTS = 2048;

const inputText = z
  .string({
    error: ({ input }) =>
      typeof input === "number" || Array.isArray(input)
        ? "expected text, not token ids: this server's embedding model has its own vocabulary, so turn off tokenizing in your client"
        : "expected text",
  })
  .refine((text) => text.trim() !== "", "write some text")
  .refine(isPostgresText, "leave NUL characters and lone surrogates out");

const Inputs = z.preprocess(
  (value) => (typeof value === "string" ? [value] : value),
  z
    .array(inputText, { error: "expected a text or a list of texts" })
    .min(1, "send at least one text")
    .max(MAX_INPUTS, `send at most ${MAX_INPUTS.toLocaleString("en-US")} texts`)
    .meta({
      anyOf: [
        { type: "string", minLength: 1 },
        {
          type: "array",
          items: { type: "string", minLength: 1 },
          minItems: 1,
          maxItems: MAX_INPUTS,
        },
      ],
    }),
);

/** OpenAI's request. */
export const EmbeddingsRequest = nullsAbsent(
  z.strictObject({
    model: z
      .string({ error: "expected the name of this server's embedding model" })
      .min(1)
      .max(300)
      .describe("The server's embedding model: `rates.embedding_model` of `checkout-config`."),
    input: Inputs.describe("A text, or up to 2,048 of them. Token ids aren't accepted."),
    encoding_format: z
      .enum(["float", "base64"])
      .default("float")
      .describe("`base64` has the numbers as 32-bit floats, little-endian."),
    dimensions: z
      .int()
      .min(1)
      .max(8192)
      .optional()
      .describe("The length of each vector, if the model can shorten them."),
    user: z.string().max(1000).optional().describe("Accepted for OpenAI's clients, and not used."),
  }),
);
export type EmbeddingsRequest = z.output<typeof EmbeddingsRequest>;

export const EmbeddingsResult = z.object({
  object: z.literal("list"),
  data: z
    .array(
      z.object({
        object: z.literal("embedding"),
        index: z.number(),
        embedding: z.union([z.array(z.number()), z.string()]),
      }),
    )
    .describe("One for each text, in order."),
  model: z.string(),
  usage: z.object({
    prompt_tokens: z.number(),
    total_tokens: z.number(),
    cost_usd: z.string().describe("What the request was charged, in US dollars."),
    cost: z.number().describe("`cost_usd` as a number, for clients that know this name."),
  }),
});
