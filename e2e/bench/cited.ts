import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Build, compareSources, openBuild } from "./cited/builds";
import { type Load, measureLoad, summarize } from "./cited/load";
import { openWorld, type World } from "./cited/world";
import { copyCorpus, SEED } from "./search/copy";
import { Corpus } from "./search/corpus";
import { type BenchQuery, makeQueries } from "./search/queries";
import { openServer } from "./search/server";
import { toTable } from "./shared/table";

const CHUNKS = Number((process.env.FOOTNOTE_BENCH_SIZES ?? "100000").split(",")[0]);
const QUERIES = 200;
const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.FOOTNOTE_BENCH_SECONDS ?? 4);
const LOAD_ROUNDS = 4;
/** Another built checkout, measured side by side. */
const BASELINE = process.env.FOOTNOTE_BENCH_BASELINE;

/** The embedder's and the upstream's share of one request is subtracted. */
interface Timed {
  total: number;
  embedder: number;
  upstream: number;
}

/**
 * Cited completions over 100,000 chunks, or as many as FOOTNOTE_BENCH_SIZES says first, through `npm start` on
 * PostgreSQL, each query to each build in turn: total time minus the time of the embedder and the model, which respond
 * instantly; then as many as 16 clients get. Uses copies of the search bench's corpus.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-cited-"));
  const queries = makeQueries(new Corpus(CHUNKS, SEED), QUERIES);
  const world = await openWorld(queries);
  const builds: Build[] = [];
  try {
    const checkouts = { baseline: BASELINE, current: undefined };
    for (const name of BASELINE ? (["baseline", "current"] as const) : (["current"] as const)) {
      const databaseUrl = await copyCorpus(server, CHUNKS, `footnote_bench_cited_${name}`);
      const surroundings = { databaseUrl, dataDir: path.join(dataDir, name), upstream: world.url };
      builds.push(await openBuild(name, { ...surroundings, checkout: checkouts[name] }, queries));
    }
    const timed = await measureAll(builds, queries, world);
    const loads = await loadAll(builds, queries);
    const figures = builds.map((build, index) => ({
      ...figuresOf(build, timed),
      ...summarize(loads.map((round) => round[index] as Load)),
    }));
    return report(figures, compareSources(builds));
  } finally {
    world.close();
    await Promise.all(builds.map(({ gateway }) => gateway.stop()));
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Round 0 is the warm-up. */
async function measureAll(
  builds: readonly Build[],
  queries: readonly BenchQuery[],
  world: World,
): Promise<Map<Build, Timed[]>> {
  const timed = new Map(builds.map((build) => [build, [] as Timed[]]));
  for (let asked = 0; asked < (ROUNDS + 1) * queries.length; asked += 1) {
    const query = queries[asked % queries.length] as BenchQuery;
    for (const build of asked % 2 ? builds.toReversed() : builds) {
      const one = await time(build, query, world);
      if (asked >= queries.length) {
        timed.get(build)?.push(one);
      }
    }
  }
  return timed;
}

async function time(build: Build, query: BenchQuery, world: World): Promise<Timed> {
  world.reset();
  const startedAt = performance.now();
  await build.ask(query);
  return { total: performance.now() - startedAt, ...world.took };
}

function figuresOf(build: Build, timed: ReadonlyMap<Build, readonly Timed[]>) {
  const all = timed.get(build) ?? [];
  const own = all.map(({ total, embedder, upstream }) => total - embedder - upstream);
  return {
    ...{ build: build.name, requests: all.length },
    ...{ own_p50_ms: at(own, 0.5), own_p95_ms: at(own, 0.95) },
  };
}

/** The builds in turn, in each of some rounds. */
async function loadAll(
  builds: readonly Build[],
  queries: readonly BenchQuery[],
): Promise<Load[][]> {
  const rounds: Load[][] = [];
  for (let round = 0; round < LOAD_ROUNDS; round += 1) {
    const loads: Load[] = [];
    for (const build of builds) {
      loads.push(await measureLoad(build, queries, SECONDS));
    }
    rounds.push(loads);
  }
  return rounds;
}

type Figures = ReturnType<typeof figuresOf> & ReturnType<typeof summarize>;

function report(figures: readonly Figures[], sources: ReturnType<typeof compareSources>) {
  const header = Object.keys(figures[0] ?? {});
  const rows = figures.map((one) => Object.values(one));
  const table = `${toTable(header, rows)}\n${JSON.stringify(sources)}`;
  return { table, result: { figures, ...sources } };
}

function at(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return Number((ascending[Math.floor(ascending.length * share)] ?? 0).toFixed(2));
}
