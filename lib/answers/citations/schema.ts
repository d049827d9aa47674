import * as z from "zod";
import {
  ANSWERED,
  type Judged as JudgedClaim,
  VERDICT_VALUES,
} from "@/lib/evidence/verdict/judged";
import { QuoteBoxes, QuoteCells } from "@/lib/library/documents/page-schema";
import { FoundPassage, SearchBounds } from "@/lib/library/retrieval/schema";
import { QueryMode } from "@/lib/platform/auth/schema";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";
import { withoutDefaults } from "@/lib/platform/http/without-defaults";

/** Longer than any question; a search with more words finds nothing better. */
const MAX_QUERY_LENGTH = 4000;

export function questionText(what: string) {
  return z
    .string({ error: `expected ${what}` })
    .max(MAX_QUERY_LENGTH, `use at most ${MAX_QUERY_LENGTH.toLocaleString("en-US")} characters`)
    .refine((text) => text.trim() !== "", `write ${what}`)
    .refine(isPostgresText, "leave NUL characters and lone surrogates out")
    .meta({ minLength: 1 });
}

/** What to search for: the last user message as it is, a query made from the conversation, or the caller's own text. */
const CitationsQuery = z.union(
  [QueryMode, z.strictObject({ text: questionText("the text to search for") })],
  {
    error: 'expected "last", "conversation" or {"text": "…"}',
  },
);

const Options = z.strictObject({
  enabled: z.boolean().default(false).describe("Search the knowledge bases for this request."),
  required: z.boolean().default(false).describe("Fail the request when retrieval can't run."),
  ...SearchBounds,
  search: z
    .enum(["always", "auto"])
    .default("always")
    .describe(
      "`auto`: the model decides whether to search, and may search up to four times with queries and filters of its own. Its tokens are billed. A model that calls no functions, and a request with the text to search for, search as with `always`.",
    ),
  query: CitationsQuery.optional().describe(
    "What to search with. Defaults to the key's setting, which is `last` unless changed.",
  ),
  context: z
    .enum(["passage", "section"])
    .default("passage")
    .describe("`section` shows the model the text around each passage, within its section."),
  verify: z
    .enum(["auto", "off", "rules", "model"])
    .default("auto")
    .describe(
      "How to check cited sentences against their sources. `auto`: by rules, and what they leave open by the operator's verifying model, if there is one. `model` asks it about every sentence. Its tokens are billed.",
    ),
  attribute: z
    .enum(["auto", "off"])
    .default("auto")
    .describe(
      "`auto` adds markers to sentences whose source is clear, up to the first marker that the model wrote.",
    ),
  on_unsupported: z
    .enum(["keep", "strip"])
    .default("keep")
    .describe("`strip` removes markers whose source doesn't support their sentence."),
  on_empty: z
    .enum(["answer", "say_so"])
    .default("answer")
    .describe("`say_so` doesn't call the model when nothing was found."),
  return: z
    .enum(["all", "cited"])
    .default("all")
    .describe("`cited` returns only the sources that the answer cites."),
  excerpts: z
    .enum(["short", "full"])
    .default("short")
    .describe("`full` returns in `citations[].excerpt` all that the model was given of a source."),
  quotes: z
    .boolean()
    .default(true)
    .describe("Whether annotations include the supporting words of the source."),
  render: z
    .enum(["markers", "links", "footnotes"])
    .default("markers")
    .describe(
      "How the text shows citations: `[1]`, as Markdown links, or as Markdown footnotes with a list at the end.",
    ),
  numbering: z
    .enum(["source", "appearance"])
    .default("source")
    .describe(
      "`appearance` numbers sources in the order in which the text cites them, everywhere in the answer.",
    ),
});
/** All options of a request, which has those of its preset and the defaults where it says nothing itself. */
export type CitationsOptions = z.output<typeof Options>;

/** Its fields without their defaults, which the descriptions keep. */
export const citationFields = withoutDefaults(Options.shape);

const STRIPPABLE = {
  path: ["on_unsupported"],
  message: "'strip' needs 'verify' to be 'auto', 'rules' or 'model'",
};

function canStrip({ verify, on_unsupported }: Partial<CitationsOptions>): boolean {
  return verify !== "off" || on_unsupported !== "strip";
}

/** The `citations` object of a request, with the fields that it has. */
export const CitationsRequest = nullsAbsent(z.strictObject(citationFields)).refine(
  canStrip,
  STRIPPABLE,
);
export type CitationsRequest = z.output<typeof CitationsRequest>;

const Resolved = z.object({ citations: Options.refine(canStrip, STRIPPABLE) });

/** Fills in the defaults. Throws a ZodError when fields of a request and of its preset contradict each other. */
export function resolveCitations(citations: CitationsRequest): CitationsOptions {
  return Resolved.parse({ citations }).citations;
}

/** A numbered source; `id` is its number in the text and in the prompt. */
export const Citation = FoundPassage.extend({
  id: z.number().describe("The number that the answer cites it by: `[1]`."),
  excerpt: FoundPassage.shape.excerpt.describe(
    'The beginning of the passage, of at most 300 characters; with `excerpts: "full"`, what the model was given.',
  ),
});
export type Citation = z.infer<typeof Citation>;

/** What an answer may cite: a passage of a knowledge base, or text of the caller's, which has no document. */
export type CitedSource = Pick<Citation, "id" | "title" | "metadata"> & {
  document_id: string | null;
  chunk_id?: Citation["chunk_id"];
  scope?: Citation["scope"];
};

export const Verdict = z.enum(VERDICT_VALUES);

export const Judged = z.object({
  verdict: Verdict,
  score: z.number().describe("How much of the claim the passage covers, from 0 to 1."),
  method: z.enum(["rules", "model"]),
  reason: z
    .string()
    .nullable()
    .describe(
      "Why the verdict isn't `supported`: subject, number, negation, missing_terms, language …; null when it is.",
    ),
}) satisfies z.ZodType<JudgedClaim>;

/** A part of a document's text; positions are UTF-16 code units, end exclusive. */
const DocumentPart = { text: z.string(), char_start: z.number(), char_end: z.number() };

/** A part of an answer; indexes are Unicode code points, end exclusive. */
const AnswerPart = { start_index: z.number(), end_index: z.number(), text: z.string() };

const DataPath = z
  .string()
  .optional()
  .describe("In a JSON answer: the path of the value, such as `$.doses[0].amount`.");

/** Words of a document, copied exactly from its stored text. */
export const SourceQuote = z.object({
  ...DocumentPart,
  page: z
    .number()
    .nullable()
    .describe("The page on which the quote begins; null for formats without pages."),
  boxes: QuoteBoxes,
  cells: QuoteCells,
  section: z.string().nullable(),
  permalink: z
    .string()
    .nullable()
    .describe(
      "Opens the document in the console at the quote; null for text that was sent with the request.",
    ),
});
export type SourceQuote = z.infer<typeof SourceQuote>;

/** OpenAI's annotation format. Indexes are Unicode code points of the answer, end exclusive. */
export const UrlCitation = z.object({
  type: z.literal("url_citation"),
  url_citation: z.object({
    start_index: z.number(),
    end_index: z.number(),
    title: z.string(),
    url: z.string(),
    citation_id: z.number().describe("The cited source."),
    claim: z.object(AnswerPart).describe("The cited text of the answer."),
    added: z
      .literal(true)
      .optional()
      .describe("The model wrote no marker here: `attribute` added it."),
    extended: z
      .literal(true)
      .optional()
      .describe(
        "The claim is another sentence of the paragraph that the marker begins or ends, and has no marker itself.",
      ),
    path: DataPath,
    verification: Judged.optional().describe(
      'How well this source alone supports the claim; absent with `verify: "off"`.',
    ),
    quote: SourceQuote.nullable()
      .optional()
      .describe("The supporting words; null when there are none, absent with `quotes: false`."),
  }),
});
export type UrlCitation = z.infer<typeof UrlCitation>;

/** A cited part of the answer, judged against all its sources together. */
const VerifiedClaim = Judged.extend({
  ...AnswerPart,
  path: DataPath,
  citation_ids: z.array(z.number()),
});

/** Cited passages that give different numbers for what looks like the same quantity. */
const Disagreement = z.object({
  unit: z.string(),
  terms: z.array(z.string()),
  values: z.array(z.object({ citation_id: z.number(), ...DocumentPart })),
});

/** How well an answer is supported by its sources. */
export const Verification = z.object({
  answered: z
    .enum(ANSWERED)
    .default("unknown")
    .describe(
      "Whether the answer rests on what answers the question in its sources. `unknown`: that can't be told, which says nothing against the answer.",
    ),
  abstained: z
    .boolean()
    .default(false)
    .describe(
      "Whether the answer says that its sources don't answer. Such a sentence is no claim and isn't counted.",
    ),
  sentences: z.number().describe("Sentences in the answer, without headings and code."),
  cited: z
    .number()
    .describe("Sentences with a marker, or that a marker of their paragraph covers."),
  supported: z
    .number()
    .nullable()
    .describe(
      'Cited sentences by verdict, each counted once by the worst of its claims; null with `verify: "off"`.',
    ),
  partial: z.number().nullable(),
  unsupported: z.number().nullable(),
  contradicted: z.number().nullable(),
  unjudged: z
    .number()
    .nullable()
    .default(null)
    .describe("Cited sentences that can't be judged, such as those in a language without rules."),
  coverage: z
    .number()
    .describe("cited / sentences, to 4 decimals; 0 for an answer without sentences."),
  dropped_markers: z
    .number()
    .describe("Numbers that no source has; they were removed from the text."),
  unknown_markers: z
    .number()
    .default(0)
    .describe(
      "Brackets of numbers that stand where no citation can, and marks that aren't understood; they were left in the text.",
    ),
  repaired_markers: z.number().describe("Markers rewritten to `[n]`."),
  added_markers: z
    .number()
    .default(0)
    .describe("Markers added by `attribute`, where the model wrote none."),
  stripped_markers: z.number().describe('Markers removed by `on_unsupported: "strip"`.'),
  method: z
    .enum(["off", "rules", "model", "mixed"])
    .describe("`mixed`: some claims were judged by rules because the model was unavailable."),
  claims: z.array(VerifiedClaim),
  stripped: z
    .array(z.object({ citation_id: z.number(), claim: z.string() }))
    .describe("The removed markers, each with the text it didn't support."),
  disagreements: z.array(Disagreement),
});
export type Verification = z.infer<typeof Verification>;

export const Warning = z.object({ code: z.string(), message: z.string() });
export type Warning = z.infer<typeof Warning>;
