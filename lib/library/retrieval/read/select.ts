import "server-only";

import type { Calibration } from "@/lib/library/documents/calibration";
import { type Reranker, reranker } from "@/lib/models/rerank";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { DATABASE } from "@/lib/platform/tracing";
import { clip, embeddingText } from "@/lib/reading/describe";
import { fuse, isFirstInBoth, type Ranked, type ScoredCandidate } from "../fuse";
import type { Notice } from "../schema";
import { stage } from "../stage";
import { type Passage, readNeighbors, readPassages } from "./passages";

export interface SelectedPassages {
  /** Best first. */
  passages: Passage[];
  /** Below `minScore`, best first: all of them with `isExplained`, otherwise up to 3 if nothing passed. */
  cut: Passage[];
  /** How many chunks the retrievers found. */
  candidates: number;
  /** What the caller should know about how the search ran. */
  notices: Notice[];
}

export const MAX_CLOSEST = 3;
/** Left for what follows the reranker. */
const RESERVED_MS = 100;

interface Selection {
  query: string;
  topK: number;
  minScore: number;
  context?: "passage" | "section";
  isExplained?: boolean;
}

interface Found {
  results: readonly ScoredCandidate[][];
  /** The query's; null for a search by words alone. */
  point: { calibration: Calibration } | null;
}

interface Run {
  signal: AbortSignal;
  /** By `performance.now()`. */
  deadlineAt: number;
  requestId: string;
}

/**
 * Fuses what the retrievers found, applies `min_score`, and reads the best passages. A passage that both retrievers put
 * first stays. A reranker sorts only passages that passed.
 */
export async function selectPassages(
  input: Selection,
  { results, point }: Found,
  run: Run,
): Promise<SelectedPassages> {
  const { topK, minScore } = input;
  const { signal } = run;
  const ranked = await stage("fusion", async () => fuse(results, point?.calibration ?? null));
  const isKept = (each: Ranked) => each.similarity >= minScore || isFirstInBoth(each);
  const selected = ranked.filter(isKept);
  const depth = reranker() ? Math.max(topK, MAX_RERANKED) : topK;
  const read = () => readPassages(signal, selected.slice(0, depth));
  const below = ranked.slice(0, topK).filter((each) => !isKept(each));
  const cut = input.isExplained ? below : below.slice(0, selected.length === 0 ? MAX_CLOSEST : 0);
  const sorted = await rerankPassages(input, await stage("passages", read, DATABASE), run);
  const passages = sorted.passages.slice(0, topK);
  return {
    passages: input.context === "section" ? await readNeighbors(signal, passages) : passages,
    cut: await readPassages(signal, cut),
    candidates: ranked.length,
    notices: [...sorted.notices, ...retractionNotices(passages)],
  };
}

/** A search finds retracted passages only if it was asked to, and says which they are. */
function retractionNotices(passages: readonly Passage[]): Notice[] {
  const titles = new Set(
    passages
      .filter(({ standing }) => standing === "retracted")
      .map(({ title }) => clip(title, 100)),
  );
  const named = [...titles].map((title) => `“${title}”`).join(", ");
  const message = `Retracted documents were found: ${named}. Don't rely on what they say.`;
  return titles.size > 0 ? [{ code: "retracted_sources", message }] : [];
}

/** By the reranker, if there is one and it answers in time; otherwise unchanged, with a notice. */
async function rerankPassages(
  { query }: Selection,
  passages: Passage[],
  { signal, deadlineAt, requestId }: Run,
): Promise<{ passages: Passage[]; notices: Notice[] }> {
  const model = reranker();
  if (!model || passages.length < 2) {
    return { passages, notices: [] };
  }
  const timeoutMs = Math.min(
    env.RERANK_TIMEOUT_MS,
    Math.max(1, Math.floor(deadlineAt - performance.now() - RESERVED_MS)),
  );
  try {
    const work = () => rerank(model, { query, passages }, { signal, timeoutMs });
    return { passages: await stage("rerank", work), notices: [] };
  } catch (cause) {
    signal.throwIfAborted();
    log.warn({ err: cause, request_id: requestId }, "rerank skipped");
    return { passages, notices: [RERANK_SKIPPED] };
  }
}

const RERANK_SKIPPED: Notice = {
  code: "rerank_skipped",
  message: "The reranker did not answer in time, so the passages are in the order of the search.",
};

/** TEI accepts 32 texts per request unless it is configured otherwise. */
export const MAX_RERANKED = 32;
/** More than a reranker reads of a passage. */
const MAX_TEXT = 8000;

/**
 * Sorts the first passages by the reranker's scores, best first. Those without a score follow in their order, and then
 * the rest. Throws if the reranker is late or fails.
 */
async function rerank(
  model: Reranker,
  { query, passages }: { query: string; passages: readonly Passage[] },
  bounds: { signal: AbortSignal; timeoutMs: number },
): Promise<Passage[]> {
  const first = passages.slice(0, MAX_RERANKED);
  const texts = first.map((passage) => embeddingText(passage.title, passage).slice(0, MAX_TEXT));
  const scores = await model(
    query,
    texts.map((text) => text.toWellFormed()),
    bounds,
  );
  const scored = first.map((passage, index) => ({ passage, score: scores[index] ?? null }));
  const best = scored
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const others = scored.filter(({ score }) => score === null);
  return [...best, ...others].map(({ passage }) => passage).concat(passages.slice(MAX_RERANKED));
}
