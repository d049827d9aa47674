import * as z from "zod";
import type { CitationsRequest } from "@/lib/answers/citations/schema";
import { AppError } from "@/lib/errors";
import { Filters } from "@/lib/library/documents/filter-schema";
import { refused } from "@/lib/platform/http/refused";

const MAX_RESULTS = 50;
const topK = `expected a whole number from 1 to ${MAX_RESULTS}`;
const threshold = "expected a number from 0 to 1";

/** OpenAI's search tool. It is cited retrieval: what `citations` says with `sources`, `top_k` and `min_score`. */
export const FileSearchTool = z.looseObject({
  type: z.literal("file_search"),
  vector_store_ids: z
    .array(z.string(), { error: "name at least one of public_kb, customer_kb and personal_kb" })
    .max(1000)
    .describe("`public_kb`, `customer_kb` and `personal_kb`; the key's knowledge scopes decide."),
  max_num_results: z
    .number({ error: topK })
    .int(topK)
    .min(1, topK)
    .max(MAX_RESULTS, topK)
    .optional(),
  ranking_options: z
    .looseObject({
      score_threshold: z
        .number({ error: threshold })
        .min(0, threshold)
        .max(1, threshold)
        .optional(),
      ranker: z.string().optional(),
      hybrid_search: refused("the weights of the search can't be set; leave 'hybrid_search' out"),
    })
    .optional(),
  filters: Filters.nullish().describe("Search only documents that match."),
});
export type FileSearchTool = z.output<typeof FileSearchTool>;

/** The search of a request, and its place among the tools; null without one. Throws invalid_request for two. */
export function findFileSearch(
  tools: readonly { type?: unknown }[],
): { tool: FileSearchTool; index: number } | null {
  const [index, second] = tools.flatMap(({ type }, at) => (type === "file_search" ? [at] : []));
  if (second !== undefined) {
    throw new AppError(
      "invalid_request",
      "There are two file_search tools. Name all vector stores in one of them.",
      { param: `tools.${second}.type` },
    );
  }
  return index === undefined ? null : { tool: tools[index] as FileSearchTool, index };
}

/** What the tool says in the words of `citations`. */
export function fileSearchBounds({
  vector_store_ids,
  max_num_results,
  ranking_options,
  filters,
}: FileSearchTool): CitationsRequest {
  const { score_threshold } = ranking_options ?? {};
  return {
    enabled: true,
    sources: vector_store_ids,
    ...(max_num_results !== undefined && { top_k: max_num_results }),
    ...(filters && { filters }),
    ...(score_threshold !== undefined && { min_score: score_threshold }),
  };
}

/** The field that names what to search, for errors. */
export function sourcesParamOf(tools: readonly { type?: unknown }[]): string {
  const index = tools.findIndex(({ type }) => type === "file_search");
  return index < 0 ? "citations.sources" : `tools.${index}.vector_store_ids`;
}
