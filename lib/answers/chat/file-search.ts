import * as z from "zod";
import type { CitationsRequest } from "@/lib/answers/citations/schema";
import { invalidRequest } from "@/lib/errors";
import { Filters } from "@/lib/library/documents/filter-schema";
import { refused } from "@/lib/platform/http/refused";

const MAX_RESULTS = 50;
const topK = `expected a whole number from 1 to ${MAX_RESULTS}`;
const threshold = "expected a number from 0 to 1";

/** OpenAI's search tool. It is cited retrieval: what `citations` says with `stores`, `top_k` and `min_score`. */
export const FileSearchTool = z.looseObject({
  type: z.literal("file_search"),
  vector_store_ids: z
    .array(z.string(), { error: "name at least one of public_kb, customer_kb and personal_kb" })
    .max(1000)
    .describe(
      "Your vector stores, or `public_kb`, `customer_kb` and `personal_kb`; the key's knowledge scopes decide.",
    ),
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

/** The search of a request; null without one. Several are one, of all their stores. Throws invalid_request for two filters. */
export function findFileSearch(tools: readonly { type?: unknown }[]): FileSearchTool | null {
  const found = tools.filter(isFileSearch);
  const [first] = found;
  if (!first || found.length === 1) {
    return first ?? null;
  }
  const other = tools.findIndex(
    (tool) => isFileSearch(tool) && JSON.stringify(tool.filters) !== JSON.stringify(first.filters),
  );
  if (other >= 0) {
    throw invalidRequest(
      "Two file_search tools are one search, so they can't have different filters. Give them the same, or send two requests.",
      `tools.${other}.filters`,
    );
  }
  const limits = found.flatMap(({ max_num_results: limit }) => limit ?? []);
  const thresholds = found.map(({ ranking_options }) => ranking_options?.score_threshold);
  return {
    ...first,
    vector_store_ids: [...new Set(found.flatMap(({ vector_store_ids }) => vector_store_ids))],
    ...(limits.length > 0 && { max_num_results: Math.max(...limits) }),
    // Without one in each, some passages have the default.
    ...(thresholds.every((each) => each !== undefined) && {
      ranking_options: { score_threshold: Math.min(...thresholds) },
    }),
  };
}

export function isFileSearch(tool: { type?: unknown }): tool is FileSearchTool {
  return tool.type === "file_search";
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
    stores: vector_store_ids,
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
