"use client";

import { useState } from "react";
import { useSearch } from "@/lib/library/retrieval/client";
import type { ConsoleSearch } from "@/lib/library/retrieval/schema";
import { NO_FILTER, toFilter } from "./filter-form";

/** What a search covers: the knowledge bases one key can read together, or one of them. */
export const SEARCH_TARGETS = {
  company: { name: "Public and account", preset: "company", sources: undefined },
  customer: { name: "Account only", preset: "company", sources: ["customer_kb"] },
  public: { name: "Public only", preset: "company", sources: ["public_kb"] },
  personal: { name: "Public and personal", preset: "personal", sources: undefined },
  own: { name: "Personal only", preset: "personal", sources: ["personal_kb"] },
} as const satisfies Record<string, Pick<ConsoleSearch, "preset" | "sources"> & { name: string }>;

const INITIAL = {
  query: "",
  target: "company" as keyof typeof SEARCH_TARGETS,
  topK: 8,
  minScore: 0.3,
  filter: NO_FILTER,
};
export type SearchForm = typeof INITIAL;

/** The search form and its result. Kept by the page while another tab is shown. */
export function useSearchPanel() {
  const [form, setForm] = useState(INITIAL);
  const search = useSearch();
  /** Searches with the form and these changes to it. */
  const run = (changes: Partial<SearchForm> = {}) => {
    const next = { ...form, ...changes };
    const { preset, sources } = SEARCH_TARGETS[next.target];
    setForm(next);
    search.mutate({
      query: next.query,
      top_k: next.topK,
      min_score: next.minScore,
      preset,
      ...(sources && { sources: [...sources] }),
      filters: toFilter(next.filter),
      explain: true,
    });
  };
  const change = (changes: Partial<SearchForm>) => setForm({ ...form, ...changes });
  return { form, change, run, search };
}
