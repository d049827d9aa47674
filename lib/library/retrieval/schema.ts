import * as z from "zod";
import { Filters } from "@/lib/library/documents/filter-schema";
import { Standing } from "@/lib/library/documents/schema";
import { PLAYGROUND_PRESETS } from "@/lib/money/keys/playground";
import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";

const topK = "expected a whole number from 1 to 50";
const minScore = "expected a number from 0 to 1";

/** Shared by `citations` and direct search. */
export const SearchBounds = {
  /** Any value, so that an invalid one fails as an unknown scope (403), not as a malformed request (400). */
  sources: z
    .array(
      z
        .unknown()
        .meta({ type: "string", enum: KnowledgeScope.options })
        .transform((scope) => (typeof scope === "string" ? scope : JSON.stringify(scope))),
    )
    .max(1000)
    .optional()
    .describe("The knowledge bases to search; by default all that the key may read."),
  stores: z
    .array(z.string().max(100))
    .max(100)
    .optional()
    .describe(
      "Search only these vector stores: their ids, or those of knowledge bases. They can only narrow `sources`.",
    ),
  top_k: z
    .number({ error: topK })
    .int(topK)
    .min(1, topK)
    .max(50, topK)
    .default(8)
    .describe("Maximum number of passages."),
  source_types: z
    .array(
      z
        .string()
        .min(1)
        .max(64)
        .refine(isPostgresText, "leave NUL characters and lone surrogates out"),
    )
    .min(1, "name at least one source type, or leave the field out")
    .max(50)
    .optional()
    .describe("Search only sources of these types, in upper or lower case."),
  filters: Filters.optional().describe("Search only documents that match."),
  document_ids: z
    .array(
      z
        .string()
        .min(1)
        .max(100)
        .refine(isPostgresText, "leave NUL characters and lone surrogates out"),
    )
    .min(1, "name at least one document, or leave the field out")
    .max(100)
    .optional()
    .describe("Search only these documents. An id that the key can't read finds nothing."),
  min_score: z
    .number({ error: minScore })
    .min(0, minScore)
    .max(1, minScore)
    .default(0.3)
    .describe(
      "Minimum similarity of a passage. One that both words and vectors clearly put first is always kept.",
    ),
  include_retracted: z
    .boolean()
    .default(false)
    .describe("Also search retracted documents; a notice names their passages."),
};

const SearchFields = z.strictObject({
  query: z
    .string({ error: "expected the text to search for" })
    .refine((text) => text.trim() !== "", "write what to search for")
    .meta({ minLength: 1, description: "What to search for." }),
  ...SearchBounds,
  explain: z
    .boolean()
    .default(false)
    .describe(
      "Adds each retriever's rank and score to every passage, and what they add to its order.",
    ),
});
export const SearchRequest = nullsAbsent(SearchFields);
export type SearchRequest = z.output<typeof SearchRequest>;

/** A search from the console, with the preset that selects its key. */
export const ConsoleSearch = SearchFields.extend({ preset: z.enum(PLAYGROUND_PRESETS) });
export type ConsoleSearch = z.input<typeof ConsoleSearch>;

export const FoundPassage = z.object({
  scope: KnowledgeScope.describe("The knowledge base it was found in."),
  chunk_id: z.string().describe("The passage."),
  document_id: z.string().describe("The document it is from."),
  title: z.string().describe("The document's title."),
  source_type: z.string().describe("The document's kind of source."),
  document: z
    .object({ standing: Standing.exclude(["current"]) })
    .optional()
    .describe("Only for a document that was superseded or retracted."),
  similarity: z.number().describe("From 0 to 1."),
  excerpt: z.string().describe("The beginning of the passage, of at most 300 characters."),
  metadata: z
    .record(z.string(), z.unknown())
    .describe(
      "The document's own, and what is known of url, page, section, published_at and place.",
    ),
});
export type FoundPassage = z.infer<typeof FoundPassage>;

/** Ranks count from 1 among the chunks that either retriever found; null without a score. */
const Explanation = z.object({
  vector_rank: z.number().nullable(),
  lexical_rank: z.number().nullable(),
  vector_score: z
    .number()
    .nullable()
    .describe(
      "Cosine similarity; null without an embedding model or before the chunk is embedded.",
    ),
  lexical_score: z.number().describe("BM25."),
  vector_z: z
    .number()
    .nullable()
    .describe("How many standard deviations the cosine is above those of unrelated texts."),
  lexical_similarity: z.number().describe("The similarity of the words alone, from 0 to 1."),
  vector_part: z.number().describe("What the vector adds to the score."),
  lexical_part: z.number().describe("What the words add to the score."),
  score: z.number().describe("The sum of both parts, from 0 to 1."),
});
export type Explanation = z.infer<typeof Explanation>;

/** Something to know about a search that ran. */
export const Notice = z.object({ code: z.string(), message: z.string() });
export type Notice = z.infer<typeof Notice>;

/** What was searched. */
export const Retrieval = z.object({
  query: z
    .string()
    .describe(
      "What was searched for. With `rounds`, which have queries of their own, the last user message.",
    ),
  method: z
    .enum(["last", "rules", "model", "given"])
    .describe(
      "`last`: the last user message as it is; `rules`, `model`: made from the conversation by them; `given`: the caller's own text. With `rounds`, the model chose the searches.",
    ),
  corrections: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .describe(
      "Words that were searched under another spelling or name. A drug that is hardly mentioned is also searched by its class.",
    ),
  notices: z.array(Notice),
  rounds: z
    .array(
      z.object({
        query: z.string(),
        filters: Filters.optional(),
        found: z.number().describe("How many passages it found."),
        chunk_ids: z
          .array(z.string())
          .describe("The sources of the answer that it found, without those of earlier rounds."),
      }),
    )
    .optional()
    .describe('With `search: "auto"`: what the model searched for, in order.'),
  closest: z
    .array(
      FoundPassage.pick({
        scope: true,
        document_id: true,
        chunk_id: true,
        title: true,
        similarity: true,
      }),
    )
    .optional()
    .describe(
      "Where no passage reached `min_score`: up to three that came closest. The model didn't read them.",
    ),
});
export type Retrieval = z.infer<typeof Retrieval>;

export const SearchResult = z.object({
  object: z.literal("list"),
  query: z.string(),
  retrieval: Retrieval,
  data: z.array(FoundPassage.extend({ text: z.string(), explain: Explanation.optional() })),
  /** With `explain`: how many chunks were found, and which of the best top_k fell below min_score. */
  explain: z
    .object({
      candidates: z.number(),
      cut: z.array(
        Explanation.extend({
          chunk_id: z.string(),
          document_id: z.string(),
          title: z.string(),
          similarity: z.number(),
        }),
      ),
    })
    .optional(),
  usage: z.object({ searches: z.number(), cost_usd: z.string() }),
});
export type SearchResult = z.infer<typeof SearchResult>;
