import * as z from "zod";
import { Filters } from "@/lib/library/documents/filter-schema";
import { VectorStoreFile } from "@/lib/library/documents/store-schema";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";
import { refused } from "@/lib/platform/http/refused";

const MAX_QUERIES = 20;

const question = z
  .string({ error: "expected the text to search for" })
  .refine((text) => text.trim() !== "", "write what to search for")
  .refine(isPostgresText, "leave NUL characters and lone surrogates out")
  .meta({ minLength: 1 });

export const SearchVectorStore = nullsAbsent(
  z.strictObject({
    query: z
      .union([question, z.array(question).min(1).max(MAX_QUERIES)])
      .describe("What to search for. Several texts are one search, for all of their words."),
    filters: Filters.optional(),
    max_num_results: z.int().min(1).max(50).default(10).describe("Maximum number of passages."),
    ranking_options: z
      .object({
        ranker: z.string().optional().describe("Accepted for compatibility: there is one."),
        score_threshold: z.number().min(0).max(1).optional(),
        hybrid_search: refused("the weights of the search can't be set; leave 'hybrid_search' out"),
      })
      .optional(),
    rewrite_query: z
      .boolean()
      .optional()
      .describe("Accepted for compatibility: words are corrected, and otherwise searched as sent."),
  }),
);
export type SearchVectorStore = z.output<typeof SearchVectorStore>;

export const VectorStoreSearchResult = z.object({
  file_id: z.string(),
  filename: z.string(),
  score: z.number().describe("The passage's similarity, from 0 to 1."),
  attributes: VectorStoreFile.shape.attributes,
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
  chunk_id: z.string().describe("The passage."),
  metadata: z
    .record(z.string(), z.unknown())
    .describe("The document's own, with the page and section of the passage, as far as known."),
});
export type VectorStoreSearchResult = z.infer<typeof VectorStoreSearchResult>;

export const VectorStoreSearchPage = z.object({
  object: z.literal("vector_store.search_results.page"),
  search_query: z.array(z.string()),
  data: z.array(VectorStoreSearchResult),
  has_more: z.boolean(),
  next_page: z.null(),
});
export type VectorStoreSearchPage = z.infer<typeof VectorStoreSearchPage>;
