import { closeDatabase, execute } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { asSystem } from "@/lib/db/tenant-context";
import type { Collection } from "@/lib/documents/collections";
import { selectTerms, termsToCount } from "@/lib/retrieval/query-terms";
import { correctTerms } from "@/lib/retrieval/read/correct-terms";
import { readStatistics } from "@/lib/retrieval/read/retrievers";
import { queryWords } from "@/lib/text/bm25";
import { Random } from "../search/random";
import { fill, type Tenant, tenantsOf } from "./vocabularies";

interface Times {
  /** In ms. */
  p50: number;
  p95: number;
  queries: number;
  /** Share of the queries in which a word was corrected. */
  corrected: number;
}

export interface Measured {
  chunks: number;
  /** Rows of `vocabulary`. */
  words: number;
  times: Record<string, Times>;
}

/** How many edits the longest word of a query is away from its spelling. */
const EDITS = { "spelled right": 0, "misspelled, one edit": 1, "misspelled, two edits": 2 };
const QUERIES = 200;
const ROUNDS = 7;
const WORDS = 4;
/** The words of a query are drawn from the most common ones; the longest of them is what people misspell. */
const VOCABULARY_SIZE = 20_000;
const LONG_WORD = 9;

interface Work {
  name: string;
  /** Whether a word was corrected. */
  run: () => Promise<boolean>;
  isCorrected: boolean;
  times: number[];
}

async function main(): Promise<void> {
  const { DATABASE_URL: url = "", FOOTNOTE_BENCH_SIZE } = process.env;
  const chunks = Number(FOOTNOTE_BENCH_SIZE);
  await migrate();
  const tenants = tenantsOf(chunks);
  const { list, rows } = await fill(url, tenants);
  const random = new Random(71, chunks);
  const works = await asSystem(() => measure(list, tenants, random));
  await closeDatabase();
  const times = Object.fromEntries(
    [...Map.groupBy(works, ({ name }) => name)].map(([name, some]) => [name, summarize(some)]),
  );
  const measured: Measured = { chunks, words: rows, times };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}

/** Every query in each spelling, in random order, several times. */
async function measure(
  list: readonly string[],
  tenants: readonly Tenant[],
  random: Random,
): Promise<Work[]> {
  const works: Work[] = [];
  for (let at = 0; at < QUERIES; at += 1) {
    works.push(...(await worksOf(list, collectionsFor(tenants, at, random), random)));
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const work of random.shuffle([...works])) {
      const startedAt = performance.now();
      await work.run();
      if (round > 0) {
        work.times.push(performance.now() - startedAt);
      }
    }
  }
  return works;
}

/** The public collection, alone or with that of a large or any other customer. */
function collectionsFor(tenants: readonly Tenant[], at: number, random: Random): Collection[] {
  const others = [[], [1 + random.below(5)], [1 + random.below(100)]][at % 3] ?? [];
  return [0, ...others].flatMap((index) => toCollection(tenants[index]));
}

async function worksOf(
  list: readonly string[],
  collections: readonly Collection[],
  random: Random,
): Promise<Work[]> {
  const drawn = () => random.below(VOCABULARY_SIZE);
  const words = Array.from({ length: WORDS }, () => list[drawn()] ?? "");
  const long = list.slice(drawn()).find((word) => word.length >= LONG_WORD) ?? "";
  const spelled = Object.entries(EDITS).map(async ([name, edits]) => {
    const query = [...words, misspell(long, edits, random)].join(" ");
    const run = await prepare(query, collections);
    return { name, run, isCorrected: await run(), times: [] };
  });
  const works = await Promise.all(spelled);
  return [...works, { name: "a round trip", run: roundTrip, isCorrected: false, times: [] }];
}

/** The correction alone: a search has read the statistics of the query's words in any case. */
async function prepare(
  query: string,
  collections: readonly Collection[],
): Promise<() => Promise<boolean>> {
  const { signal } = new AbortController();
  const words = queryWords(query);
  const statistics = await readStatistics(signal, collections, {
    terms: termsToCount(words),
    words: words.length,
    space: null,
  });
  const terms = selectTerms(words, statistics);
  const scope = {
    collectionIds: collections.map(({ id }) => id),
    accountIds: collections.map(({ accountId }) => accountId),
    sourceTypes: null,
    documentIds: null,
    includesRetracted: false,
  };
  return async () => {
    const input = { query, collections, scope };
    const { corrections } = await correctTerms(signal, input, { terms, statistics });
    return corrections.length > 0;
  };
}

async function roundTrip(): Promise<boolean> {
  await execute("SELECT 1");
  return false;
}

function toCollection(tenant: Tenant | undefined): Collection[] {
  return tenant
    ? [
        {
          id: tenant.collectionId,
          accountId: tenant.accountId,
          scope: tenant.collectionId.startsWith("public") ? "public_kb" : "customer_kb",
          personId: null,
        },
      ]
    : [];
}

/** Swaps or doubles letters after the first, at other places for each edit. */
function misspell(word: string, edits: number, random: Random): string {
  let written = word;
  for (let edit = 0; edit < edits; edit += 1) {
    const at = random.within(2 + 4 * edit, 4 + 4 * edit);
    const [one = "", other = ""] = written.slice(at, at + 2);
    const changed = one === other ? one : `${other}${one}`;
    written = written.slice(0, at) + changed + written.slice(at + 2);
  }
  return written;
}

function summarize(works: readonly Work[]): Times {
  const medians = works.map(({ times }) => percentile(times, 0.5));
  return {
    p50: percentile(medians, 0.5),
    p95: percentile(medians, 0.95),
    queries: works.length,
    corrected: works.filter(({ isCorrected }) => isCorrected).length / works.length,
  };
}

/** The nearest-rank percentile, to hundredths. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Number((sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0).toFixed(2));
}

await main();
