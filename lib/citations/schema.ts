import * as z from "zod";
import { FoundPassage, SearchBounds } from "@/lib/retrieval/schema";

/** The `citations` object of a chat completion request. */
export const CitationsRequest = z
  .strictObject({
    enabled: z.boolean().default(false),
    /** True: the request fails when retrieval cannot run. */
    required: z.boolean().default(false),
    ...SearchBounds,
    /** How each cited sentence is held against its sources; `model` asks another model, and is billed. */
    verify: z.enum(["off", "rules", "model"]).default("rules"),
    /** `strip` takes the markers away whose source does not support their sentence. */
    on_unsupported: z.enum(["keep", "strip"]).default("keep"),
    /** `abstain` does not ask the model when nothing was found. */
    on_empty: z.enum(["answer", "abstain"]).default("answer"),
    /** `cited`: only the citations that the answer names. */
    return: z.enum(["all", "cited"]).default("all"),
    /** Whether annotations carry the words of the source that their sentence rests on. */
    quotes: z.boolean().default(true),
  })
  .refine(({ verify, on_unsupported }) => verify !== "off" || on_unsupported === "keep", {
    path: ["on_unsupported"],
    message: "'strip' needs 'verify' to be 'rules' or 'model'",
  });
export type CitationsRequest = z.output<typeof CitationsRequest>;

/** One numbered source of an answer; `id` is the number in the text and in the prompt. */
export const Citation = FoundPassage.extend({ id: z.number() });
export type Citation = z.infer<typeof Citation>;

export const Verdict = z.enum(["supported", "partial", "unsupported", "contradicted"]);
export type Verdict = z.infer<typeof Verdict>;

/** What a method holds of a claim and its source. It is about what the passage says, never about truth. */
export const Judged = z.object({
  verdict: Verdict,
  /** How much of the claim the passage says, from 0 to 1. */
  score: z.number(),
  method: z.enum(["rules", "model"]),
  /** Why it is not `supported`, in a word: number, negation, missing_terms …; null when it is. */
  reason: z.string().nullable(),
});
export type Judged = z.infer<typeof Judged>;

/** Words of a document, exactly as its stored text has them. */
export const SourceQuote = z.object({
  text: z.string(),
  /** Where they stand in the document's text, in UTF-16 code units, the end excluded. */
  char_start: z.number(),
  char_end: z.number(),
  /** The first page of the passage they stand in; null where the format has no pages. */
  page: z.number().nullable(),
  /** The headings above them. */
  section: z.string().nullable(),
  /** Opens the document in the console at these words. */
  permalink: z.string(),
});
export type SourceQuote = z.infer<typeof SourceQuote>;

/** OpenAI's annotation form. Indexes are Unicode code points of the answer, the end excluded. */
export const UrlCitation = z.object({
  type: z.literal("url_citation"),
  url_citation: z.object({
    start_index: z.number(),
    end_index: z.number(),
    title: z.string(),
    url: z.string(),
    /** The citation that the marker names. */
    citation_id: z.number(),
    /** The words of the answer that the marker stands for, and where they are. */
    claim: z.object({ start_index: z.number(), end_index: z.number(), text: z.string() }),
    /** How far this source alone supports the claim; absent with `verify: "off"`. */
    verification: Judged.optional(),
    /** What of the source the claim rests on; null when it says too little, absent with `quotes: false`. */
    quote: SourceQuote.nullable().optional(),
  }),
});
export type UrlCitation = z.infer<typeof UrlCitation>;

/** A stretch of the answer with its markers, held against all its sources together. */
const VerifiedClaim = Judged.extend({
  start_index: z.number(),
  end_index: z.number(),
  text: z.string(),
  /** The sources that its markers name. */
  citation_ids: z.array(z.number()),
});

/** Cited passages that give different numbers for what looks like one quantity. */
const Disagreement = z.object({
  unit: z.string(),
  terms: z.array(z.string()),
  values: z.array(
    z.object({
      citation_id: z.number(),
      text: z.string(),
      /** In the document's text. */
      char_start: z.number(),
      char_end: z.number(),
    }),
  ),
});

/** How one answer and its sources go together. */
export const Verification = z.object({
  /** Sentences of the answer that say something; headings and code are none. */
  sentences: z.number(),
  /** Those of them that have a marker. */
  cited: z.number(),
  /** Cited sentences by verdict, each counted once, by the worst of its claims; null with `verify: "off"`. */
  supported: z.number().nullable(),
  partial: z.number().nullable(),
  unsupported: z.number().nullable(),
  contradicted: z.number().nullable(),
  /** cited / sentences, to 4 places; 0 for an answer without sentences. */
  coverage: z.number(),
  /** Numbers the model wrote that no source has; they are not in the text. */
  dropped_markers: z.number(),
  /** Markers the model wrote in another form than [n]. */
  repaired_markers: z.number(),
  /** Markers taken away by `on_unsupported: "strip"`. */
  stripped_markers: z.number(),
  /** `mixed`: the model judged some claims and could not be asked about others. */
  method: z.enum(["off", "rules", "model", "mixed"]),
  claims: z.array(VerifiedClaim),
  /** What was taken away: the source that a marker named, and the words that it does not support. */
  stripped: z.array(z.object({ citation_id: z.number(), claim: z.string() })),
  disagreements: z.array(Disagreement),
});
export type Verification = z.infer<typeof Verification>;

export const Warning = z.object({ code: z.string(), message: z.string() });
export type Warning = z.infer<typeof Warning>;
