import { ArrowUpRight } from "lucide-react";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { unbroken } from "@/components/ui/unbroken";
import { formatCount } from "@/lib/format-count";
import { quoteRefOf } from "@/lib/library/documents/quote-ref";
import type { Explanation, SearchResult } from "@/lib/library/retrieval/schema";
import { withColumnNames } from "@/lib/text/tables";
import { Fact } from "./fact";
import { formatPages, SCOPE_LABELS } from "./labels";
import { matchedWords } from "./matched-words";
import { StandingBadge } from "./standing-badge";
import { withBullets } from "./text-layout";

type Hit = SearchResult["data"][number];

interface SearchHitProps {
  hit: Hit;
  place: number;
  /** What was searched for, whose words are marked. */
  query: string;
}

/** A result: the passage, where it is, and how it ranked. */
export function SearchHit({ hit, place, query }: SearchHitProps) {
  const { explain } = hit;
  return (
    <li className="grid gap-3 rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
          <h2 className="min-w-0 font-medium">
            <span className="mr-1.5 text-muted tabular-nums">{place}.</span>
            <Link
              href={addressOf(hit)}
              className="rounded-sm underline decoration-line underline-offset-4 hover:decoration-ink"
            >
              {hit.title}
              <ArrowUpRight aria-hidden className="ml-0.5 inline size-3.5 text-muted" />
            </Link>
          </h2>
          <p className="break-words text-muted text-xs first-letter:uppercase">
            {formatPlace(hit)}
          </p>
        </div>
        <span className="flex gap-1.5">
          <StandingBadge standing={hit.document?.standing} />
          <Badge tone="neutral">{SCOPE_LABELS[hit.scope].name}</Badge>
        </span>
      </div>
      <p className="line-clamp-4 max-w-3xl whitespace-pre-line break-words">
        {matchedWords(withBullets(withColumnNames(hit.text)), query).map((part, index) =>
          part.isMatch ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity but their order.
            <mark key={index} className="rounded-sm bg-warning-soft text-ink">
              {part.text}
            </mark>
          ) : (
            unbroken(part.text)
          ),
        )}
      </p>
      {explain && <Ranking explanation={explain} similarity={hit.similarity} />}
    </li>
  );
}

/** The document's page, opened at the passage. */
function addressOf({ document_id, text, metadata }: Hit): string {
  const { char_start: start, char_end: end } = metadata;
  const path = `/documents/${encodeURIComponent(document_id)}`;
  return typeof start === "number" && typeof end === "number"
    ? `${path}?quote=${quoteRefOf({ text, start, end })}`
    : path;
}

function formatPlace({ source_type, metadata }: Hit): string {
  const { page, page_end, section } = metadata;
  const pages = formatPages(
    typeof page === "number" ? page : null,
    typeof page_end === "number" ? page_end : null,
  );
  return [pages, typeof section === "string" && section, source_type !== "document" && source_type]
    .filter(Boolean)
    .join(" · ");
}

interface RankingProps {
  explanation: Explanation;
  /** From 0 to 1. */
  similarity: number;
}

function Ranking({ explanation, similarity }: RankingProps) {
  const { lexical_rank, lexical_score, lexical_similarity, lexical_part } = explanation;
  const { vector_rank, vector_score, vector_z, vector_part, score } = explanation;
  const isKeywordOnly = vector_score === null || vector_z === null;
  return (
    <dl
      aria-label="Ranking"
      className="grid grid-cols-2 gap-x-4 gap-y-2 rounded-md bg-sunken px-3 py-2 text-xs tabular-nums sm:grid-cols-4"
    >
      <Fact name="Similarity">
        <span className="font-medium">{similarity.toFixed(2)}</span>
        <span aria-hidden className="mt-1 block h-1 overflow-hidden rounded-full bg-line">
          <span className="block h-full bg-accent" style={{ width: `${similarity * 100}%` }} />
        </span>
      </Fact>
      <Fact
        name="Keyword"
        note={`BM25 ${formatScore(lexical_score)}, similarity ${lexical_similarity.toFixed(2)}`}
      >
        {formatRank(lexical_rank)}
      </Fact>
      {!isKeywordOnly && (
        <Fact
          name="Semantic"
          note={`Cosine ${formatScore(vector_score)}, ${vector_z.toFixed(1)} σ above unrelated text`}
        >
          {formatRank(vector_rank)}
        </Fact>
      )}
      <Fact
        name="Score"
        note={
          isKeywordOnly
            ? "Keyword only"
            : `${lexical_part.toFixed(2)} keyword + ${vector_part.toFixed(2)} semantic`
        }
      >
        {formatScore(score)}
      </Fact>
    </dl>
  );
}

function formatRank(rank: number | null): string {
  return rank === null ? "Not ranked" : `Rank ${rank}`;
}

/** To three significant digits. */
function formatScore(score: number): string {
  return String(Number(score.toPrecision(3)));
}

/** Such as "rank 2, 0.71". */
function formatRanked(rank: number | null, score: number): string {
  return `${formatRank(rank).toLowerCase()}, ${formatScore(score)}`;
}

interface BelowMinimumProps {
  cut: NonNullable<SearchResult["explain"]>["cut"];
  onLower: (minScore: number) => void;
}

/** The passages that the minimum similarity excluded, and a button that includes them. */
export function BelowMinimum({ cut, onLower }: BelowMinimumProps) {
  const lower = Math.floor(Math.min(...cut.map(({ similarity }) => similarity)) * 20) / 20;
  return (
    <section aria-labelledby="cut" className="grid gap-3 rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="cut" className="font-medium">
          Below your minimum: {formatCount(cut.length, "passage")}
        </h2>
        <Button size="sm" onClick={() => onLower(lower)}>
          Lower the minimum to {lower}
        </Button>
      </div>
      <ol aria-label="Below your minimum, best first" className="divide-y border-t text-xs">
        {cut.map((passage) => (
          <li key={passage.chunk_id} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-2">
            <Link
              href={`/documents/${encodeURIComponent(passage.document_id)}`}
              className="truncate rounded-sm underline decoration-line underline-offset-4 hover:decoration-ink"
            >
              {passage.title}
            </Link>
            <span className="text-muted tabular-nums">
              {[
                `Similarity ${passage.similarity.toFixed(2)}`,
                `keyword: ${formatRanked(passage.lexical_rank, passage.lexical_score)}`,
                passage.vector_score !== null &&
                  `semantic: ${formatRanked(passage.vector_rank, passage.vector_score)}`,
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
