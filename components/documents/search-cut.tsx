import { Button } from "@/components/ui/button";
import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import type { SearchResult } from "@/lib/retrieval/schema";
import { sayRank, sayScore } from "./search-reasons";
import { sayCount } from "./words";

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
          Cut: {sayCount(cut.length, "passage")} less similar than you asked for
        </h2>
        <Button size="sm" onClick={() => onAskBelow(below)}>
          Search again from {below}
        </Button>
      </div>
      <div className="overflow-x-auto">
        <Table>
          <caption className="sr-only">What was cut, best first</caption>
          <thead>
            <tr>
              <ColumnHead>Passage</ColumnHead>
              <ColumnHead>Similarity</ColumnHead>
              <ColumnHead>By its words</ColumnHead>
              <ColumnHead>By its meaning</ColumnHead>
            </tr>
          </thead>
          <tbody>
            {cut.map((passage) => (
              <CutRow key={passage.chunk_id} passage={passage} />
            ))}
          </tbody>
        </Table>
      </div>
    </section>
  );
}

function CutRow({ passage }: { passage: Cut[number] }) {
  const { chunk_id, similarity, lexical_rank, lexical_score, vector_rank, vector_score } = passage;
  return (
    <Row>
      <Cell className="h-9">
        <code className="font-mono text-muted text-xs" title={chunk_id}>
          …{chunk_id.slice(-8)}
        </code>
      </Cell>
      <Cell className="h-9 tabular-nums">{similarity.toFixed(2)}</Cell>
      <Cell className="h-9 whitespace-nowrap tabular-nums">
        {sayRank(lexical_rank)}, {sayScore(lexical_score)}
      </Cell>
      <Cell className="h-9 whitespace-nowrap tabular-nums">
        {vector_score === null
          ? "Not searched"
          : `${sayRank(vector_rank)}, ${sayScore(vector_score)}`}
      </Cell>
    </Row>
  );
}
