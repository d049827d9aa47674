import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { auditMoney, MODEL, startProduct } from "./gateway/gateways";
import { forkOwn, type Gateway } from "./gateway/processes";
import type { LoadResult, Order } from "./load/generate-load";
import { openProbe, type Probe, type Sample, sampleDuring } from "./load/memory";
import { copyCorpus, SEED } from "./search/copy";
import { Corpus } from "./search/corpus";
import { makeQueries } from "./search/queries";
import { openDatabase, openServer } from "./search/server";
import { toTable } from "./shared/table";

const SECONDS = Number(process.env.FOOTNOTE_BENCH_SECONDS ?? 60);
const WARM_UP_SECONDS = Number(process.env.FOOTNOTE_BENCH_WARM_UP_SECONDS ?? 10);
const CAPACITY_SECONDS = 10;
/** Closed loop: each client sends its next request after a response. */
const CLIENTS = 64;
const TIMES = 5;
/** Enough that the load generator doesn't wait for responses. */
const CONNECTIONS = Number(process.env.FOOTNOTE_BENCH_CONNECTIONS ?? 3000);
const AFTER_SECONDS = 5;
/**
 * For plain completions, the load generator may not reach five times the capacity on the same cores. Cited ones
 * run a keyword search over the public half of the search bench's chunks.
 */
const KIND = process.env.FOOTNOTE_BENCH_KIND === "cited" ? "cited" : "plain";
const CHUNKS = 100_000;
const NAME = "footnote_bench_overload";

/**
 * Plain or cited completions at five times the server's measured capacity. Fails unless every response is 200, 429
 * or 503 and all accounts are consistent afterwards.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const databaseUrl =
    KIND === "cited"
      ? await copyCorpus(server, CHUNKS, NAME)
      : await openDatabase(server, NAME, async () => false);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-overload-"));
  const upstream = forkOwn("upstream.ts");
  const load = fork(path.join(import.meta.dirname, "load/generate-load.ts"), { execArgv: [] });
  let gateway: Gateway | null = null;
  try {
    const [{ url }] = (await once(upstream, "message")) as [{ url: string }];
    const probe = await openProbe();
    const product = await startProduct({ databaseUrl, dataDir, upstream: url, env: probe.env });
    gateway = product.gateway;
    const outcome = await measure(gateway, { load, probe });
    await gateway.stop();
    gateway = null;
    return report({ ...outcome, audit: await auditMoney(databaseUrl, product.account) });
  } finally {
    load.kill();
    upstream.kill();
    await gateway?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function bodyOf(kind: typeof KIND): string {
  const [query] = kind === "cited" ? makeQueries(new Corpus(CHUNKS, SEED), 1) : [];
  return JSON.stringify({
    model: MODEL,
    max_tokens: 200,
    messages: [{ role: "user", content: query?.text ?? "What are the signs of a stroke?" }],
    ...(query && { citations: { enabled: true, required: true, sources: ["public_kb"] } }),
  });
}

interface Measured {
  /** Closed-loop responses per second, before and after. */
  capacity: number;
  again: number;
  outcome: LoadResult;
  samples: Sample[];
  after: LoadResult[];
  rested: Sample;
}

async function measure(
  { url, headers }: Gateway,
  { load, probe }: { load: ChildProcess; probe: Probe },
): Promise<Measured> {
  const body = bodyOf(KIND);
  const runLoad = async (order: Pick<Order, "connections" | "perSecond" | "seconds">) => {
    load.send({ url, headers, body, ...order });
    const [outcome] = (await once(load, "message")) as [LoadResult];
    process.stderr.write(`${JSON.stringify({ ...order, ...outcome })}\n`);
    return outcome;
  };
  const closed = { connections: CLIENTS, perSecond: null };
  await runLoad({ ...closed, seconds: WARM_UP_SECONDS });
  const calm = await runLoad({ ...closed, seconds: CAPACITY_SECONDS });
  const capacity = capacityOf(calm);
  const running = runLoad({
    connections: CONNECTIONS,
    perSecond: TIMES * capacity,
    seconds: SECONDS,
  });
  const samples = await sampleDuring(probe, { how: "live", everyMs: 2000 }, running);
  const outcome = await running;
  const after: LoadResult[] = [];
  for (let second = 0; second < AFTER_SECONDS; second += 1) {
    after.push(await runLoad({ ...closed, seconds: 1 }));
  }
  const again = capacityOf(await runLoad({ ...closed, seconds: CAPACITY_SECONDS }));
  return { capacity, again, outcome, samples, after, rested: await probe.sample("after gc") };
}

function capacityOf({ counts, seconds }: LoadResult): number {
  return Math.round((counts["200"] ?? 0) / seconds);
}

function report({ audit, ...measured }: Measured & { audit: object }) {
  const { capacity, again, outcome, samples, after, rested } = measured;
  const wrong = [outcome, ...after].flatMap(({ counts }) =>
    Object.keys(counts).filter((name) => !["200", "429", "503", "lost"].includes(name)),
  );
  // Seconds after the overload with a response other than 200.
  const unwell = after.findLastIndex(({ counts }) => {
    return Object.entries(counts).some(([name, count]) => name !== "200" && count > 0);
  });
  if (wrong.length > 0) {
    throw new Error(`unexpected responses: ${wrong.join(", ")}`);
  }
  const answered = Object.entries(outcome.counts).filter(([name]) => name !== "lost");
  const rows = answered.map(([status, count]) => [
    status,
    count,
    Math.round(count / outcome.seconds),
    ...(outcome.ms[status] ?? []),
  ]);
  const rss = samples.map(({ rss_mb }) => rss_mb);
  const summary = {
    kind: KIND,
    capacity_per_second: capacity,
    capacity_after: again,
    offered_per_second: Math.round(
      answered.reduce((sum, [, count]) => sum + count, 0) / outcome.seconds,
    ),
    lost: outcome.counts.lost,
    rss_mb: { first: rss[0], most: Math.max(...rss), last: rss.at(-1), after_gc: rested.rss_mb },
    loop_max_ms: Math.max(...samples.map(({ loop_max_ms }) => loop_max_ms)),
    after_per_second: after.map(({ counts }) => counts["200"] ?? 0),
    refused_after_per_second: after.map(({ counts }) => counts["503"] ?? 0),
    well_after_seconds: unwell + 1,
    audit,
  };
  const table = toTable(
    ["status", "answers", "a second", "p50 ms", "p95 ms", "p99 ms", "longest ms"],
    rows,
  );
  return {
    table: `${table}\n${JSON.stringify(summary)}`,
    result: { ...summary, outcome, samples },
  };
}
