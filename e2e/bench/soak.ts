import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { MODEL, startProduct } from "./gateway/gateways";
import type { Gateway } from "./gateway/processes";
import { openProbe, type Sample, sampleDuring, slopeOf } from "./load/memory";
import { recount } from "./load/recount";
import { countDone, drive, KINDS, type Tally, type Target } from "./load/soak-traffic";
import { openDatabase, openServer } from "./search/server";
import { toTable } from "./shared/table";

const MINUTES = Number(process.env.FOOTNOTE_BENCH_MINUTES ?? 30);
/** By then, compiled code, pools and caches have reached their final size. */
const WARM_UP_MINUTES = Math.min(5, MINUTES / 3);
const CAPACITY_SECONDS = 20;
const CLIENTS = 32;
const LOAD = 0.5;
/** More than the load normally has open. Beyond it, the server no longer keeps up. */
const MOST_OPEN = 500;
const SAMPLE_MS = 5000;

/**
 * Mixed traffic at half of the server's measured capacity. Fails on any unexpected response and on inconsistent
 * accounts.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const databaseUrl = await openDatabase(
    await openServer(),
    "footnote_bench_soak",
    async () => false,
  );
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-soak-"));
  const upstream = fork(path.join(import.meta.dirname, "load/soak-upstream.ts"), { execArgv: [] });
  let gateway: Gateway | null = null;
  try {
    const [{ url }] = (await once(upstream, "message")) as [{ url: string }];
    const probe = await openProbe();
    const product = await startProduct({ databaseUrl, dataDir, upstream: url, env: probe.env });
    gateway = product.gateway;
    const target = { origin: new URL(gateway.url).origin, headers: gateway.headers, model: MODEL };
    const capacity = await measureCapacity(target);
    const perSecond = LOAD * capacity;
    process.stderr.write(`capacity ${capacity}/s; running ${MINUTES} minutes at ${perSecond}/s\n`);
    const driving = drive(target, { perSecond, seconds: MINUTES * 60, most: MOST_OPEN });
    const sampling = { how: "after gc", everyMs: SAMPLE_MS } as const;
    const samples = await sampleDuring(probe, sampling, driving);
    const tally = await driving;
    await gateway.stop();
    gateway = null;
    refuse(tally.failures);
    return report({ capacity, perSecond, tally, samples, money: await recount(databaseUrl) });
  } finally {
    upstream.kill();
    await gateway?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureCapacity(target: Target): Promise<number> {
  const closed = { perSecond: null, most: CLIENTS };
  await drive(target, { ...closed, seconds: CAPACITY_SECONDS });
  const tally = await drive(target, { ...closed, seconds: CAPACITY_SECONDS });
  refuse(tally.failures);
  return Math.round(countDone(tally) / CAPACITY_SECONDS);
}

function refuse(failures: readonly string[]): void {
  if (failures.length > 0) {
    throw new Error(`${failures.length} requests failed:\n${failures.slice(0, 10).join("\n")}`);
  }
}

interface Outcome {
  capacity: number;
  perSecond: number;
  tally: Tally;
  samples: Sample[];
  money: object;
}

function report({ tally, samples, money, ...load }: Outcome) {
  const warm = samples.filter(({ seconds }) => {
    return seconds - (samples[0]?.seconds ?? 0) >= WARM_UP_MINUTES * 60;
  });
  const rows = KINDS.map(({ name }) => {
    const ms = (tally.ms.get(name) ?? []).toSorted((a, b) => a - b);
    const at = (share: number) => (ms[Math.floor(ms.length * share)] ?? 0).toFixed(1);
    return [name, ms.length, at(0.5), at(0.95), at(0.99)];
  });
  const summary = {
    ...load,
    minutes: MINUTES,
    requests: countDone(tally),
    failed: 0,
    skipped: tally.skipped,
    slope_mb_per_minute: { after_gc: slopeOf(warm, "used_mb"), rss: slopeOf(warm, "rss_mb") },
    after_gc_mb: [warm[0]?.used_mb, warm.at(-1)?.used_mb],
    rss_mb: [warm[0]?.rss_mb, warm.at(-1)?.rss_mb, Math.max(...samples.map((one) => one.rss_mb))],
    money,
  };
  const table = toTable(["requests", "answers", "p50 ms", "p95 ms", "p99 ms"], rows);
  return { table: `${table}\n${JSON.stringify(summary)}`, result: { ...summary, samples } };
}
