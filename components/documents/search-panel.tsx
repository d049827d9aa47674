"use client";

import { Search, SearchX } from "lucide-react";
import { useId, useRef } from "react";
import { EmptyState, ErrorState } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { formatUsd } from "@/components/ui/usd";
import type { SearchResult } from "@/lib/retrieval/schema";
import { formatCount } from "./labels";
import { SearchCut } from "./search-cut";
import { SearchHit } from "./search-hit";
import { PLACES, type SearchForm, type useSearchPanel } from "./use-search-panel";

const COUNTS = [3, 8, 20, 50];

interface SearchPanelProps {
  panel: ReturnType<typeof useSearchPanel>;
  /** In US dollars. */
  searchUsd: string;
}

/** Asks the knowledge bases what an answer would be asked from, and says why each passage was found. */
export function SearchPanel({ panel, searchUsd }: SearchPanelProps) {
  return (
    <div className="grid gap-4 pt-2">
      <SearchFields panel={panel} searchUsd={searchUsd} />
      <section aria-label="Passages found" aria-busy={panel.search.isPending}>
        <Found panel={panel} />
      </section>
    </div>
  );
}

function SearchFields({ panel, searchUsd }: SearchPanelProps) {
  const { form, change, ask, search } = panel;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const submit = () => {
    if (form.query.trim() === "") {
      field.current?.focus();
    } else if (!search.isPending) {
      ask();
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
            <span className="text-muted text-xs">What to look for</span>
            <Input
              id={id}
              ref={field}
              type="search"
              data-list-filter
              value={form.query}
              onChange={({ target }) => change({ query: target.value })}
              placeholder="As you would ask a question"
            />
          </label>
          <Button type="submit" variant="primary" className="h-9" isPending={search.isPending}>
            Search
          </Button>
        </div>
        <Bounds form={form} change={change} />
        <p className="text-muted text-xs">
          A search costs {formatUsd(searchUsd)}, as one through the API does.
        </p>
      </form>
    </search>
  );
}

type BoundsProps = Pick<ReturnType<typeof useSearchPanel>, "form" | "change">;

function Bounds({ form, change }: BoundsProps) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-[14rem_8rem_minmax(0,16rem)]">
      <Select
        label="Where"
        value={form.place}
        onChange={(place) => change({ place: place as SearchForm["place"] })}
        className="col-span-2 sm:col-span-1"
      >
        {Object.entries(PLACES).map(([place, { name }]) => (
          <option key={place} value={place}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        label="Passages at most"
        value={String(form.topK)}
        onChange={(topK) => change({ topK: Number(topK) })}
      >
        {COUNTS.map((count) => (
          <option key={count}>{count}</option>
        ))}
      </Select>
      <label className="grid gap-1">
        <span className="text-muted text-xs">
          Least similarity: <span className="text-ink tabular-nums">{form.minScore}</span>
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

function Found({ panel }: Pick<SearchPanelProps, "panel">) {
  const { search, ask, askBelow } = panel;
  if (search.isPending) {
    return <FoundSkeleton />;
  }
  if (search.error) {
    return (
      <ErrorState title="The search did not run" description={search.error.message} onRetry={ask} />
    );
  }
  if (!search.data) {
    return (
      <EmptyState
        icon={Search}
        title="See what an answer would rest on"
        description="A search finds the passages that a cited answer is given, and says why it found them."
        action={null}
      />
    );
  }
  return <Passages result={search.data} onAskBelow={askBelow} />;
}

interface PassagesProps {
  result: SearchResult;
  onAskBelow: (minScore: number) => void;
}

function Passages({ result: { data, explain, usage }, onAskBelow }: PassagesProps) {
  const cut = explain?.cut ?? [];
  return (
    <div className="grid gap-4">
      <p role="status" className="text-muted text-xs">
        {formatCount(data.length, "passage")} shown of{" "}
        {formatCount(explain?.candidates ?? 0, "candidate")}. Charged {formatUsd(usage.cost_usd)}.
      </p>
      {data.length > 0 ? (
        <ol className="grid gap-3">
          {data.map((hit, index) => (
            <SearchHit key={hit.chunk_id} hit={hit} place={index + 1} />
          ))}
        </ol>
      ) : (
        <EmptyState
          icon={SearchX}
          title="Nothing was found"
          description={
            cut.length > 0
              ? "What the search knows is less similar than you asked for. It stands below."
              : "No passage shares a word or a meaning with this. Try other words, or look elsewhere."
          }
          action={null}
        />
      )}
      {cut.length > 0 && <SearchCut cut={cut} onAskBelow={onAskBelow} />}
    </div>
  );
}

const ROWS = ["a", "b", "c"];

function FoundSkeleton() {
  return (
    <div>
      <p role="status" className="sr-only">
        Searching
      </p>
      <ul aria-hidden className="grid gap-3">
        {ROWS.map((row) => (
          <li key={row} className="grid gap-2.5 rounded-lg border bg-surface p-4">
            <Skeleton className="w-64 max-w-full" />
            <Skeleton className="h-3" />
            <Skeleton className="h-3 w-3/4" />
          </li>
        ))}
      </ul>
    </div>
  );
}
