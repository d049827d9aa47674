"use client";

import { Search, SearchX } from "lucide-react";
import { useId, useRef } from "react";
import { EmptyState, ErrorState } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Listbox } from "@/components/ui/listbox";
import { ListSkeleton } from "@/components/ui/skeleton";
import { formatUsd } from "@/components/ui/usd";
import { formatCount } from "@/lib/format-count";
import type { SearchResult } from "@/lib/library/retrieval/schema";
import { FilterBuilder } from "./filter-builder";
import { SEARCH_TARGETS, type SearchForm, type useSearchPanel } from "./search-form";
import { BelowMinimum, SearchHit } from "./search-hit";
import { Searched } from "./searched";

const COUNTS = [3, 8, 20, 50];

type Panel = ReturnType<typeof useSearchPanel>;

interface SearchPanelProps {
  panel: Panel;
  /** The price of a search, in US dollars. */
  searchUsd: string;
}

/** Runs the search that a cited answer would run, and explains the ranking. */
export function SearchPanel({ panel, searchUsd }: SearchPanelProps) {
  return (
    <div className="grid gap-4 pt-2">
      <SearchFields panel={panel} searchUsd={searchUsd} />
      <section aria-label="Results" aria-busy={panel.search.isPending}>
        <Results panel={panel} />
      </section>
    </div>
  );
}

function SearchFields({ panel, searchUsd }: SearchPanelProps) {
  const { form, change, run, search } = panel;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const submit = () => {
    if (form.query.trim() === "") {
      field.current?.focus();
    } else if (!search.isPending) {
      run();
    }
  };
  return (
    <search>
      <form
        className="grid gap-3 rounded-lg border bg-surface p-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
          <label htmlFor={id} className="grid min-w-0 gap-1">
            <span className="text-muted text-xs">Query</span>
            <Input
              id={id}
              ref={field}
              type="search"
              data-list-filter
              value={form.query}
              onChange={({ target }) => change({ query: target.value })}
              placeholder="Ask a question"
            />
          </label>
          <Button type="submit" variant="primary" className="h-9" isPending={search.isPending}>
            Search
          </Button>
        </div>
        <SearchOptions panel={panel} />
        <FilterBuilder
          form={form.filter}
          onChange={(filter) => change({ filter })}
          sent={search.variables?.filters}
          error={search.error}
        />
        <p className="text-muted text-xs">
          Each search costs {formatUsd(searchUsd)}, the same as through the API.
        </p>
      </form>
    </search>
  );
}

function SearchOptions({ panel: { form, change, search } }: { panel: Panel }) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-[14rem_8rem_minmax(0,16rem)]">
      <Listbox
        label="Search in"
        value={form.target}
        onChange={(target) => change({ target: target as SearchForm["target"] })}
        options={Object.entries(SEARCH_TARGETS).map(([value, { name }]) => ({ value, name }))}
        className="col-span-2 sm:col-span-1"
      />
      <Listbox
        label="Max results"
        value={String(form.topK)}
        onChange={(topK) => change({ topK: Number(topK) })}
        options={COUNTS.map((count) => ({ value: String(count), name: String(count) }))}
      />
      <label className="grid gap-1">
        <span className="text-muted text-xs">
          Minimum similarity: <span className="text-ink tabular-nums">{form.minScore}</span>
          {search.data && ` keeps ${describeKept(search.data, form.minScore)}`}
        </span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={form.minScore}
          onChange={({ target }) => change({ minScore: Number(target.value) })}
          className="h-9 w-full accent-accent"
        />
      </label>
    </div>
  );
}

/** How many of the best passages of the last search a minimum similarity keeps, such as "5 of 8". */
function describeKept({ data, explain }: SearchResult, minScore: number): string {
  const best = [...data, ...(explain?.cut ?? [])];
  return `${best.filter(({ similarity }) => similarity >= minScore).length} of ${best.length}`;
}

function Results({ panel: { search, run } }: { panel: Panel }) {
  if (search.isPending) {
    return <ListSkeleton label="Searching" rows={3} />;
  }
  if (search.error) {
    return (
      <ErrorState title="Search failed" description={search.error.message} onRetry={() => run()} />
    );
  }
  return search.data ? (
    <Passages result={search.data} run={run} />
  ) : (
    <EmptyState
      icon={Search}
      title="Test what search returns"
      description="Enter a query to see the passages that a cited answer would use, and why they ranked."
    />
  );
}

function Passages({ result, run }: { result: SearchResult } & Pick<Panel, "run">) {
  const { data, explain, query, retrieval, usage } = result;
  const cut = explain?.cut ?? [];
  const searched = [query, ...retrieval.corrections.map(({ to }) => to)].join(" ");
  return (
    <div className="grid gap-4">
      <p role="status" className="text-muted text-xs">
        {formatCount(data.length, "passage")} from{" "}
        {formatCount(explain?.candidates ?? 0, "candidate")}. Charged {formatUsd(usage.cost_usd)}.
      </p>
      <Searched retrieval={retrieval} question={query} />
      {data.length > 0 ? (
        <ol className="grid gap-3">
          {data.map((hit, index) => (
            <SearchHit key={hit.chunk_id} hit={hit} place={index + 1} query={searched} />
          ))}
        </ol>
      ) : (
        <EmptyState
          icon={SearchX}
          title="No results"
          description={
            cut.length > 0
              ? "No results above your minimum similarity. Closest matches are shown below."
              : "No passage matches this query. Try other words, or search another knowledge base."
          }
        />
      )}
      {cut.length > 0 && <BelowMinimum cut={cut} onLower={(minScore) => run({ minScore })} />}
    </div>
  );
}
