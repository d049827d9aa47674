import { Button } from "@/components/ui/button";
import type { SearchResult } from "@/lib/retrieval/schema";
import { formatCount } from "./labels";
import { formatRank, formatScore } from "./search-reasons";

type Cut = NonNullable<SearchResult["explain"]>["cut"];

interface SearchCutProps {
  cut: Cut;
  onAskBelow: (minScore: number) => void;
}

/** What the least similarity kept out, and the way to see it. */
export function SearchCut({ cut, onAskBelow }: SearchCutProps) {
  const least = Math.min(...cut.map(({ similarity }) => similarity));
  const below = Math.floor(least * 20) / 20;
  return (
    <section aria-labelledby="cut" className="grid gap-3 rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="cut" className="font-medium">
          Cut: {formatCount(cut.length, "passage")} less similar than you asked for
        </h2>
        <Button size="sm" onClick={() => onAskBelow(below)}>
          Search again from {below}
        </Button>
      </div>
      <ol aria-label="What was cut, best first" className="divide-y border-t text-xs">
        {cut.map((passage) => (
          <CutPassage key={passage.chunk_id} passage={passage} />
        ))}
      </ol>
    </section>
  );
}

function CutPassage({ passage }: { passage: Cut[number] }) {
  const { chunk_id, similarity, lexical_rank, lexical_score, vector_rank, vector_score } = passage;
  return (
    <li className="grid grid-cols-2 gap-x-4 py-2 tabular-nums sm:grid-cols-4">
      <span>
        Similarity <span className="font-medium">{similarity.toFixed(2)}</span>
      </span>
      <span className="text-right sm:text-left">
        <span className="sr-only">Passage </span>
        <code className="font-mono text-muted" title={chunk_id}>
          …{chunk_id.slice(-8)}
        </code>
      </span>
      <span>
        <span className="text-muted">Words:</span> {formatRank(lexical_rank).toLowerCase()},{" "}
        {formatScore(lexical_score)}
      </span>
      <span className="text-right sm:text-left">
        <span className="text-muted">Meaning:</span>{" "}
        {vector_score === null
          ? "not searched"
          : `${formatRank(vector_rank).toLowerCase()}, ${formatScore(vector_score)}`}
      </span>
    </li>
  );
}
