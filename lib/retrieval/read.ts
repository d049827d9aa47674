import "server-only";

import type { Context } from "@/lib/auth/context";
import { KnowledgeScope } from "@/lib/auth/schema";
import { query } from "@/lib/db";
import { type Collection, PUBLIC_COLLECTION } from "@/lib/documents/collections";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { embedder, isTooLong } from "@/lib/models/lexical-embedder";
import { TERM_SPACE } from "@/lib/models/lexicon";
import {
  candidateTerms,
  similarityOf,
  type TermStatistics,
  type WeightedTerm,
  weighTerms,
} from "./bm25";
import type { Passage } from "./passage";

export interface SearchInput {
  query: string;
  collections: readonly Collection[];
  topK: number;
  sourceTypes: readonly string[] | undefined;
  /** Passages of a lower similarity are left out. */
  minScore: number;
}

interface ChunkRow extends Record<string, unknown> {
  id: string;
  document_id: string;
  scope: string;
  title: string;
  source_type: string;
  score: number;
  text: string;
  url: string | null;
  published_at: Date | null;
  headings: string[];
  page_start: number | null;
  char_start: number;
  char_end: number;
  metadata: Record<string, unknown>;
}

/**
 * The best passages for a query, best first. Throws invalid_request when the query is longer than the
 * embedder takes, and retrieval_unavailable when the embedder or the database fails or the deadline passes.
 */
export async function search(ctx: Context, input: SearchInput): Promise<Passage[]> {
  if (isTooLong(input.query, embedder())) {
    throw new AppError(
      "invalid_request",
      `The text to search for is longer than the ${embedder().maxQueryTokens} tokens that the search takes. Shorten the last user message.`,
    );
  }
  const deadline = AbortSignal.timeout(env.RETRIEVAL_DEADLINE_MS);
  const signal = AbortSignal.any([ctx.signal, deadline]);
  try {
    signal.throwIfAborted();
    return await before(signal, findPassages(input, signal));
  } catch (cause) {
    log.warn({ err: cause, request_id: ctx.requestId }, "retrieval failed");
    throw new AppError(
      "retrieval_unavailable",
      "The knowledge base search is not available right now. Try again in a moment.",
      { cause, headers: { "retry-after": "1" } },
    );
  }
}

/** What `work` gives, or a rejection as soon as the signal ends. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

async function findPassages(input: SearchInput, signal: AbortSignal): Promise<Passage[]> {
  const terms = await embedder().embedQuery(input.query, signal);
  if (terms.length === 0) {
    return [];
  }
  const statistics = await readStatistics(input.collections, terms);
  // Whoever waited has been answered; the costliest query is not worth running any more.
  signal.throwIfAborted();
  const weighted = weighTerms(terms, statistics);
  const candidates = candidateTerms(weighted);
  const rows = candidates.length > 0 ? await score(input, weighted, candidates) : [];
  return rows
    .map((row) => toPassage(row, weighted))
    .filter(({ similarity }) => similarity >= input.minScore);
}

/** The public collection's counts always count in, so that a small collection knows common words too. */
async function readStatistics(
  collections: readonly Collection[],
  terms: readonly number[],
): Promise<TermStatistics> {
  const ids = [...new Set([PUBLIC_COLLECTION.id, ...collections.map(({ id }) => id)])];
  const [sizes, rows] = await Promise.all([
    query<{ chunks: bigint }>(
      "retrieval_sizes",
      "SELECT coalesce(sum(chunk_count), 0)::bigint AS chunks FROM collection WHERE id = ANY($1)",
      [ids],
    ),
    query<{ term: number; chunks: bigint }>(
      "retrieval_frequencies",
      `SELECT term, sum(chunk_count)::bigint AS chunks FROM term_frequency
        WHERE collection_id = ANY($1) AND term = ANY($2::int[]) GROUP BY term`,
      [ids, terms],
    ),
  ]);
  return {
    chunks: Number(sizes[0]?.chunks ?? 0n),
    frequencies: new Map(rows.map(({ term, chunks }) => [term, Number(chunks)])),
  };
}

/** BM25 is the inner product of a chunk's stored weights with the query's idf. */
function score(
  input: SearchInput,
  weighted: readonly WeightedTerm[],
  candidates: readonly number[],
): Promise<ChunkRow[]> {
  const entries = weighted.map(({ term, idf }) => `${term}:${idf.toPrecision(6)}`);
  return query<ChunkRow>(
    "retrieval_score",
    `SELECT best.id, best.document_id, best.score, best.text, best.headings, best.page_start,
            best.char_start, best.char_end, best.source_type, d.scope, d.title, d.url, d.published_at, d.metadata
       FROM (SELECT c.*, -(c.weights <#> $1::sparsevec) AS score FROM chunk c
              WHERE c.terms && $2::int[] AND c.collection_id = ANY($3) AND c.embedding_space = $4
                AND ($5::text[] IS NULL OR c.source_type = ANY($5))
              ORDER BY score DESC, c.id LIMIT $6) AS best
       JOIN document d ON d.id = best.document_id
      ORDER BY best.score DESC, best.id`,
    [
      `{${entries.join(",")}}/${TERM_SPACE}`,
      candidates,
      input.collections.map(({ id }) => id),
      embedder().space,
      input.sourceTypes ?? null,
      input.topK,
    ],
  );
}

function toPassage(row: ChunkRow, weighted: readonly WeightedTerm[]): Passage {
  return {
    scope: KnowledgeScope.parse(row.scope),
    chunkId: row.id,
    documentId: row.document_id,
    title: row.title,
    sourceType: row.source_type,
    similarity: similarityOf(row.score, weighted),
    score: row.score,
    text: row.text,
    url: row.url,
    publishedAt: row.published_at,
    headings: row.headings,
    pageStart: row.page_start,
    charStart: row.char_start,
    charEnd: row.char_end,
    metadata: row.metadata,
  };
}
