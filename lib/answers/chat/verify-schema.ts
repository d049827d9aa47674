import * as z from "zod";
import { questionText, UrlCitation, Verification, Warning } from "@/lib/answers/citations/schema";
import { rulesLanguageOfTag } from "@/lib/evidence/verdict/claim-language";
import { FoundPassage } from "@/lib/library/retrieval/schema";
import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";

const MAX_TEXT = 20_000;
const MAX_SOURCES = 50;
const MAX_SOURCE_TEXT = 10_000;
const MAX_SOURCE_TEXTS = 100_000;

function text(what: string, most: number) {
  return z
    .string({
      error: ({ input }) => `expected ${what}${input === undefined ? "" : " as a string"}`,
    })
    .max(most, `use at most ${most.toLocaleString("en-US")} characters`)
    .refine(isPostgresText, "leave NUL characters and lone surrogates out");
}

const sourceId = text("the id of the source", 200)
  .optional()
  .describe("Your own id, returned as `source_id`. Markers refer to positions, not to ids.");

const TextSource = z.strictObject({
  id: sourceId,
  text: text("the text of the source", MAX_SOURCE_TEXT)
    .refine((value) => value.trim() !== "", "write the text of the source")
    .meta({ minLength: 1 }),
  title: text("the title of the source", 300).optional(),
  url: z
    .url({ protocol: /^https?$/, error: "expected an http or https URL" })
    .max(2000, "use at most 2,000 characters")
    .optional()
    .describe("Returned in the annotations."),
});

const PassageSource = z.strictObject({
  id: sourceId,
  chunk_id: text("the id of a passage", 100).describe(
    "A passage that a search or an answer returned, instead of a text.",
  ),
});

const VerifySource = nullsAbsent(
  z.union([TextSource, PassageSource], {
    error: 'send {"text": "…"}, with "title" and "url" if it has them, or {"chunk_id": "…"}',
  }),
);

const Fields = z.strictObject({
  text: text("the text to verify", MAX_TEXT)
    .refine((value) => value.trim() !== "", "write the text to verify")
    .meta({ minLength: 1 })
    .describe("A text with markers such as `[1]`, however a model writes them."),
  sources: z
    .array(VerifySource, { error: "expected a list of sources" })
    .min(1, "send at least one source")
    .max(MAX_SOURCES, `send at most ${MAX_SOURCES} sources`)
    .refine(
      (sources) =>
        sources.reduce((sum, source) => sum + ("text" in source ? source.text.length : 0), 0) <=
        MAX_SOURCE_TEXTS,
      `use at most ${MAX_SOURCE_TEXTS.toLocaleString("en-US")} characters in all sources together`,
    )
    .describe("The sources that the markers refer to, by position: the first is `[1]`."),
  question: questionText("the question")
    .optional()
    .describe(
      "The question that the text answers; without it `verification.answered` is `unknown`.",
    ),
  language: text("a language tag such as en or pt-BR", 35)
    .regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i, "expected a language tag such as en or pt-BR")
    .transform(rulesLanguageOfTag)
    .optional()
    .describe(
      "The language of the text. By default it is detected, which may fail for short sentences. Rules judge `en`, `de`, `es`, `fr`, `it`, `nl` and `pt`.",
    ),
  verify: z
    .enum(["auto", "rules", "model"])
    .default("auto")
    .describe(
      "`auto` asks the operator's verifying model, if there is one, about what rules leave open; `model` about everything. Its tokens are billed as well.",
    ),
  on_unsupported: z
    .enum(["keep", "strip"])
    .default("keep")
    .describe("`strip` removes markers whose source doesn't support their sentence."),
  quotes: z
    .boolean()
    .default(true)
    .describe("Whether annotations include the supporting words of the source."),
});

/** A text with markers such as [1], and the sources that they name by position. */
export const VerifyRequest = nullsAbsent(Fields);
export type VerifyRequest = z.output<typeof VerifyRequest>;

/** One line of a batch. */
export const VerifyLine = nullsAbsent(
  Fields.extend({ custom_id: text("the line's id", 200).optional() }),
);

const MAX_LINES = 1000;

/** JSON Lines; each is checked for itself. Blank lines don't count. */
export const VerifyBatch = z
  .string()
  .transform((body) => body.split(/\r?\n/).filter((line) => line.trim() !== ""))
  .refine((lines) => lines.length > 0, "send at least one line")
  .refine(
    (lines) => lines.length <= MAX_LINES,
    `send at most ${MAX_LINES.toLocaleString("en-US")} lines`,
  )
  .meta({
    description:
      "JSON Lines: up to 1,000 bodies of `POST /v1/citations/verify`, each with an optional `custom_id`.",
  });

export const VerifyResult = z.object({
  object: z.literal("citations.verification"),
  text: z
    .string()
    .describe("The text with every marker as `[n]`, without those that name no source."),
  citations: z.array(
    z.object({
      id: z.number(),
      source_id: z.string().optional().describe("The `id` that the request gave the source."),
      title: z.string(),
      url: z.string().nullable(),
      chunk_id: z.string().nullable().describe("Null for text that was sent with the request."),
      document_id: z.string().nullable(),
      scope: KnowledgeScope.nullable(),
      document: FoundPassage.shape.document,
      cited: z.boolean().describe("Whether the text cites it."),
    }),
  ),
  annotations: z.array(UrlCitation),
  verification: Verification,
  usage: z.object({
    citations: z.number().describe("Markers that name a source."),
    cost_usd: z.string(),
    verification: z
      .object({ model: z.string(), prompt_tokens: z.number(), completion_tokens: z.number() })
      .optional()
      .describe("When the verifying model was asked."),
  }),
  warnings: z.array(Warning).optional(),
});
export type VerifyResult = z.infer<typeof VerifyResult>;

/** One line of a batch's answer: a result or an error for each line, then the summary. */
export const VerifyBatchLine = z.union([
  z.object({ index: z.number(), custom_id: z.string().nullable(), result: VerifyResult }),
  z.object({
    index: z.number().describe("The index of the line, from 0, not counting blank lines."),
    custom_id: z.string().nullable(),
    error: z.looseObject({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  }),
  z.object({
    object: z.literal("citations.verification.batch"),
    lines: z.number(),
    failed: z.number(),
    usage: z.object({ citations: z.number(), cost_usd: z.string() }),
  }),
]);
export type VerifyBatchLine = z.infer<typeof VerifyBatchLine>;
