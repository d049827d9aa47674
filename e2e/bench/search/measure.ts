import type { Filter } from "@/lib/library/documents/filter-schema";
import { search } from "@/lib/library/retrieval/read/search";
import { replaceEmbedder } from "@/lib/models/embedding";
import type { KeyContext } from "@/lib/platform/auth/context";
import { execute } from "@/lib/platform/db/client";
import { type Corpus, SPACE } from "./corpus";
import { Exact, recall } from "./exact";
import { DIMENSIONS } from "./points";
import { type BenchQuery, makeQueries } from "./queries";
import { Random } from "./random";
import { Bare, isVectors, isWords, recorded, type Statement } from "./replay";
import { misspell } from "./vocabulary";

const QUERIES = 300;
const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 5);
/** Exact scans and exhaustive BM25 can take seconds on a large corpus, so only every third and sixth query runs them. */
const SCANNED = 3;
const EXHAUSTED = 6;
const TOP = 10;

/** Timings in milliseconds, measured side by side in every round. */
const TIMED = [
  "search",
  "bare_sql",
  "words_leg",
  "vector_leg",
  "lexical_search",
  "lexical_bare_sql",
  "misspelled_lexical_search",
  "filtered_50",
  "filtered_5",
  "filtered_0_5",
  "filtered_0_05",
] as const;
/** Filters that select a percentage of the documents, by their `share` of 2,000. */
const FILTERED = { filtered_50: 1000, filtered_5: 100, filtered_0_5: 10, filtered_0_05: 1 };
type Filtered = keyof typeof FILTERED;
type Timed = (typeof TIMED)[number];

interface Prepared {
  query: BenchQuery;
  run: () => Promise<unknown>;
  /** The same query with one misspelled word. */
  runMisspelled: () => Promise<unknown>;
  runFiltered: (name: Filtered) => Promise<unknown>;
  /** Whether the misspelled word was corrected. */
  isCorrected: boolean;
  statements: Statement[];
  lexical: Statement[];
  /** One per round. */
  times: Record<Timed, number[]>;
}

interface Percentiles {
  p50_ms: number;
  p95_ms: number;
}

/** Measures the product's search time and recall over a loaded corpus. */
export async function measure(url: string, corpus: Corpus, log: (text: string) => void) {
  const queries = makeQueries(corpus, QUERIES);
  await execute(
    `INSERT INTO vector_space (space, mean, deviation, separation, passages) VALUES ($1, 0, 0.1, 4, $2)
     ON CONFLICT DO NOTHING`,
    [SPACE, corpus.size],
  );
  const session = await sessionSettings();
  const bare = await Bare.open(url, session);
  const exact = await Exact.open(url);
  try {
    log("warm-up");
    const prepared: Prepared[] = [];
    for (const query of queries) {
      prepared.push(await prepare(query));
    }
    for (let round = 0; round <= ROUNDS; round += 1) {
      log(`round ${round} of ${ROUNDS}`);
      await runRound(prepared, bare, round);
    }
    log("exact");
    const truth = await compare(prepared, bare, exact);
    return { session, queries: queries.length, rounds: ROUNDS, ...summarize(prepared), ...truth };
  } finally {
    await Promise.all([bare.close(), exact.close()]);
    replaceEmbedder(undefined);
  }
}

/** The product's connection settings. */
async function sessionSettings(): Promise<Record<string, string>> {
  const { rows } = await execute(
    `SELECT name, current_setting(name, true) AS value
       FROM unnest(ARRAY['hnsw.ef_search', 'hnsw.iterative_scan', 'jit', 'plan_cache_mode',
                         'max_parallel_workers_per_gather']) AS s(name)
      WHERE current_setting(name, true) IS NOT NULL`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [String(name), String(value)]));
}

async function prepare(query: BenchQuery): Promise<Prepared> {
  const ctx: KeyContext = {
    account: { id: query.accountId },
    actor: {
      kind: "key",
      id: "key_bench",
      mode: "test",
      scopes: ["kb:search"],
      knowledgeScopes: ["public_kb", "customer_kb"],
      stores: null,
      models: [],
      personId: null,
      queryMode: "last",
      requestsPerMinute: null,
      tokensPerMinute: null,
    },
    requestId: "req_bench",
    signal: new AbortController().signal,
  };
  const { text, collections, sourceTypes } = query;
  const searchFor = (said: string, filter?: Filter) =>
    search(ctx, {
      query: said,
      collections,
      topK: 8,
      documents: { sourceTypes, filter },
      minScore: 0,
    });
  const run = () => searchFor(text);
  const misspelled = misspell(text);
  putEmbedder(query);
  const statements = await recorded(run);
  replaceEmbedder(null);
  const lexical = await recorded(run);
  const times = Object.fromEntries(TIMED.map((name) => [name, []])) as unknown as Prepared["times"];
  return {
    query,
    ...{ run, runMisspelled: () => searchFor(misspelled) },
    runFiltered: (name) => searchFor(text, { type: "lt", key: "share", value: FILTERED[name] }),
    ...{ statements, lexical, times },
    isCorrected: (await searchFor(misspelled)).corrections.length > 0,
  };
}

/** An embedder with this query's precomputed vector, so that embedding takes no time. */
function putEmbedder({ point }: BenchQuery): void {
  replaceEmbedder({
    space: SPACE,
    dimensions: DIMENSIONS,
    embedPassages: () => Promise.reject(new Error("the bench embeds no passages")),
    embedQuery: async () => point,
  });
}

const filtered = Object.keys(FILTERED) as Filtered[];

/** Round 0 is the warm-up. For each query, all variants run in random order. */
async function runRound(prepared: readonly Prepared[], bare: Bare, round: number): Promise<void> {
  const random = new Random(40, round);
  for (const each of random.shuffle([...prepared])) {
    const { query, statements, lexical, run, runMisspelled, runFiltered } = each;
    const works: [Timed, () => Promise<unknown>][] = [
      ["search", run],
      ["bare_sql", () => bare.run(statements)],
      ["words_leg", () => bare.runEach(statements.filter(isWords))],
      ["vector_leg", () => bare.runEach(statements.filter(isVectors))],
      ["lexical_search", run],
      ["lexical_bare_sql", () => bare.run(lexical)],
      ["misspelled_lexical_search", runMisspelled],
      ...filtered.map((name): [Timed, () => Promise<unknown>] => [name, () => runFiltered(name)]),
    ];
    for (const [name, work] of random.shuffle(works)) {
      if (name.endsWith("lexical_search")) {
        replaceEmbedder(null);
      } else {
        putEmbedder(query);
      }
      const startedAt = performance.now();
      await work();
      if (round > 0) {
        each.times[name].push(performance.now() - startedAt);
      }
    }
  }
}

function summarize(prepared: readonly Prepared[]) {
  const percentilesBy = (name: Timed, keep: (query: BenchQuery) => boolean = () => true) =>
    percentiles(
      prepared.filter(({ query }) => keep(query)).map(({ times }) => median(times[name])),
    );
  const timed = Object.fromEntries(TIMED.map((name) => [name, percentilesBy(name)])) as Record<
    Timed,
    Percentiles
  >;
  const ratio = (name: Timed, base: Timed) =>
    rounded(median(prepared.map(({ times }) => median(times[name]) / median(times[base]))));
  const scopes = new Set(prepared.map(({ query }) => query.scope));
  return {
    ...timed,
    ratio_search_to_bare_sql: ratio("search", "bare_sql"),
    ratio_lexical_search_to_bare_sql: ratio("lexical_search", "lexical_bare_sql"),
    ...Object.fromEntries(
      filtered.map((name) => [`ratio_${name}_to_search`, ratio(name, "search")]),
    ),
    spelling: percentiles(
      prepared.map(
        ({ times }) => median(times.misspelled_lexical_search) - median(times.lexical_search),
      ),
    ),
    corrected: rounded(mean(prepared.map(({ isCorrected }) => Number(isCorrected)))),
    search_by_scope: Object.fromEntries(
      [...scopes].map((scope) => [
        scope,
        percentilesBy("search", (query) => query.scope === scope),
      ]),
    ),
    search_of_common_words: percentilesBy("search", ({ kind }) => kind === "common"),
  };
}

async function compare(prepared: readonly Prepared[], bare: Bare, exact: Exact) {
  const scans: number[] = [];
  const recalls: number[] = [];
  const agreements: number[] = [];
  for (const [index, { query, statements }] of prepared.entries()) {
    if (index % SCANNED !== 0) {
      continue;
    }
    const startedAt = performance.now();
    const nearest = await exact.nearest(query);
    scans.push(performance.now() - startedAt);
    const vectors = (await bare.runEach(statements.filter(isVectors))).flat();
    recalls.push(recall(topBy(vectors, "cosine"), nearest));
    const words = statements.find(isWords);
    if (words && index % EXHAUSTED === 0) {
      const best = await exact.wordiest(query, words.values[0]);
      const [found = []] = await bare.runEach([words]);
      // Compares scores instead of ids, because tied results are interchangeable.
      const least = best.at(-1)?.bm25 ?? 0;
      const scores = topBy(found, "bm25").length;
      const good = found.filter((row) => Number(row.bm25) >= least - 1e-4).length;
      agreements.push(best.length === 0 ? 1 : Math.min(good, scores, best.length) / best.length);
    }
  }
  return {
    exact_vector_scan: percentiles(scans),
    recall_at_10: rounded(mean(recalls)),
    recall_at_10_p5: rounded(percentile(recalls, 0.05)),
    bm25_agreement_at_10: rounded(mean(agreements)),
    bm25_agreement_queries: agreements.length,
  };
}

function topBy(rows: readonly Record<string, unknown>[], score: string): string[] {
  const sorted = rows.toSorted((a, b) => Number(b[score]) - Number(a[score]));
  return sorted.slice(0, TOP).map(({ id }) => String(id));
}

function percentiles(values: readonly number[]): Percentiles {
  return { p50_ms: rounded(percentile(values, 0.5)), p95_ms: rounded(percentile(values, 0.95)) };
}

/** The nearest-rank percentile. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
