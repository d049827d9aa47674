import type { ReactNode } from "react";
import type { Explanation } from "@/lib/retrieval/schema";

interface SearchReasonsProps {
  reasons: Explanation;
  /** From 0 to 1. */
  similarity: number;
}

/** Why a passage was found: what each leg of the search says of it, and what came of both. */
export function SearchReasons({ reasons, similarity }: SearchReasonsProps) {
  const { lexical_rank, lexical_score, vector_rank, vector_score, score } = reasons;
  return (
    <dl
      aria-label="Why this passage"
      className="grid grid-cols-2 gap-x-4 gap-y-2 rounded-md bg-sunken px-3 py-2 text-xs sm:grid-cols-4"
    >
      <Reason name="Similarity">
        <span className="font-medium">{similarity.toFixed(2)}</span>
        <span aria-hidden className="mt-1 block h-1 overflow-hidden rounded-full bg-line">
          <span className="block h-full bg-accent" style={{ width: `${similarity * 100}%` }} />
        </span>
      </Reason>
      <Reason name="By its words">
        {formatRank(lexical_rank)}
        <Score>BM25 {formatScore(lexical_score)}</Score>
      </Reason>
      <Reason name="By its meaning">
        {vector_score === null ? "Not searched" : formatRank(vector_rank)}
        {vector_score !== null && <Score>cosine {formatScore(vector_score)}</Score>}
      </Reason>
      <Reason name="Together">
        {formatScore(score)}
        <Score>{vector_score === null ? "words alone" : "both ranks fused"}</Score>
      </Reason>
    </dl>
  );
}

export function formatRank(rank: number | null): string {
  return rank === null ? "Not among its best" : `Rank ${rank}`;
}

/** To three digits that count. */
export function formatScore(score: number): string {
  return String(Number(score.toPrecision(3)));
}

function Reason({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

function Score({ children }: { children: ReactNode }) {
  return <span className="block text-muted">{children}</span>;
}
