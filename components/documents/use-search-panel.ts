"use client";

import { useState } from "react";
import { useSearch } from "@/lib/retrieval/client";
import type { ConsoleSearch } from "@/lib/retrieval/console-schema";

/** Where a search looks: with the knowledge bases that one key can read together, or with one of them. */
export const PLACES = {
  company: { name: "Public and customer", preset: "company", sources: undefined },
  customer: { name: "Customer alone", preset: "company", sources: ["customer_kb"] },
  public: { name: "Public alone", preset: "company", sources: ["public_kb"] },
  personal: { name: "Public and personal", preset: "personal", sources: undefined },
  own: { name: "Personal alone", preset: "personal", sources: ["personal_kb"] },
} as const satisfies Record<string, Pick<ConsoleSearch, "preset" | "sources"> & { name: string }>;

export interface SearchForm {
  query: string;
  place: keyof typeof PLACES;
  topK: number;
  minScore: number;
}

const FORM: SearchForm = { query: "", place: "company", topK: 8, minScore: 0.3 };

/** What was asked for and what was found; kept while another tab is looked at. */
export function useSearchPanel() {
  const [form, setForm] = useState(FORM);
  const search = useSearch();
  const ask = (asked: SearchForm) => {
    const { preset, sources } = PLACES[asked.place];
    search.mutate({
      query: asked.query,
      top_k: asked.topK,
      min_score: asked.minScore,
      preset,
      ...(sources && { sources: [...sources] }),
      explain: true,
    });
  };
  return {
    form,
    change: (changes: Partial<SearchForm>) => setForm({ ...form, ...changes }),
    ask: () => ask(form),
    /** The same with a lower threshold, which shows what was cut. */
    askBelow: (minScore: number) => {
      setForm({ ...form, minScore });
      ask({ ...form, minScore });
    },
    search,
  };
}
