import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { auditMoney, MODEL, startProduct } from "./gateway/gateways";
import { forkOwn, type Gateway } from "./gateway/processes";
import { openDatabase, openServer } from "./search/server";
import { cpuMsBetween } from "./shared/cpu";
import { toTable } from "./shared/table";
import { heldBytes } from "./streams/heap";
import type { Burst, Streamed } from "./streams/load";

const CHUNKS = 60;
const EVERY_MS = 20;
/** Steady: each client starts a new stream when the last one ends. Burst: all start at once. */
const SHAPES = [
  { shape: "200, in flow", streams: 200, spread_ms: CHUNKS * EVERY_MS, each: 3 },
  { shape: "200, in one burst", streams: 200, spread_ms: 0, each: 1 },
  { shape: "1000, in one burst", streams: 1000, spread_ms: 0, each: 1 },
] as const;
const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 7);
const WARM_UPS = 3;
/** Streams that are open and idle while memory is measured. */
const QUIET = { streams: 1000, chunks: 4, every_ms: 4000, spread_ms: 0, each: 1 };

interface Measured extends Streamed {
  by: string;
  shape: string;
  cpu_us_per_chunk: number | null;
}

type Target = Pick<Gateway, "name" | "url" | "headers"> & Partial<Pick<Gateway, "cpu" | "pids">>;
type Run = (target: Target, shape: Shape) => Promise<Streamed>;

interface Shape extends Pick<Burst, "streams" | "spread_ms" | "each"> {
  chunks?: number;
  every_ms?: number;
}

/**
 * Many concurrent streams of 60 chunks, one every 20 ms, alternately direct to the upstream and through `npm start`
 * on PostgreSQL. Fails on a lost or reordered chunk and on inconsistent accounts. (`@portkey-ai/gateway` 1.15.2
 * answers streams with 500 on Node 24.)
 */
export async function run(): Promise<{ table: string; result: object }> {
  const databaseUrl = await openDatabase(
    await openServer(),
    "footnote_bench_streams",
    async () => false,
  );
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-streams-"));
  const upstream = forkOwn("../streams/upstream.ts");
  const load = forkOwn("../streams/load.ts");
  const gateways: Gateway[] = [];
  const drive: Run = async ({ url, headers }, shape) => {
    const { chunks = CHUNKS, every_ms = EVERY_MS, streams, spread_ms, each } = shape;
    const body = JSON.stringify({
      model: MODEL,
      stream: true,
      max_tokens: 200,
      user: JSON.stringify({ chunks, every_ms }),
      messages: [{ role: "user", content: "What are the signs of a stroke?" }],
    });
    load.send({ url, headers, body, streams, chunks, spread_ms, each } satisfies Burst);
    const [streamed] = (await once(load, "message")) as [Streamed];
    return streamed;
  };
  try {
    const [{ url }] = (await once(upstream, "message")) as [{ url: string }];
    const product = await startProduct({
      databaseUrl,
      dataDir,
      upstream: url,
      env: { MAX_STREAMS_PER_ACCOUNT: "100000", MAX_CONCURRENT_REQUESTS_PER_ACCOUNT: "100000" },
    });
    gateways.push(product.gateway);
    const direct = { name: "direct", url: `${url}/chat/completions`, headers: JSON_BODY };
    const rounds = await measureAll([direct, ...gateways], drive);
    const bytes = await bytesOfStream(product.gateway, drive);
    await Promise.all(gateways.splice(0).map(({ stop }) => stop()));
    const audit = await auditMoney(databaseUrl, product.account);
    return report({ rounds, bytes, audit });
  } finally {
    upstream.kill();
    load.kill();
    await Promise.all(gateways.map(({ stop }) => stop()));
    await rm(dataDir, { recursive: true, force: true });
  }
}

const JSON_BODY = { "content-type": "application/json" };

async function measureAll(targets: readonly Target[], drive: Run): Promise<Measured[]> {
  const rounds: Measured[] = [];
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    // Alternate the order.
    const inTurn = round % 2 ? targets.toReversed() : targets;
    for (const [shape, target] of SHAPES.flatMap((one) => inTurn.map((by) => [one, by] as const))) {
      const measured = await measure(target, shape, drive);
      process.stderr.write(`${JSON.stringify({ ...measured, first_ms: undefined })}\n`);
      rounds.push(...(round < 0 ? [] : [measured]));
    }
  }
  return rounds;
}

async function measure(
  target: Target,
  shape: (typeof SHAPES)[number],
  drive: Run,
): Promise<Measured> {
  const before = target.cpu?.();
  const streamed = await drive(target, shape);
  if (streamed.broken > 0) {
    throw new Error(`${target.name}: ${streamed.broken} streams, the first: ${streamed.fault}`);
  }
  const after = target.cpu?.();
  const chunks = shape.streams * shape.each * CHUNKS;
  const us = before && after ? (cpuMsBetween(before, after) * 1000) / chunks : null;
  const cpu = us && Number(us.toFixed(1));
  return { by: target.name, shape: shape.shape, cpu_us_per_chunk: cpu, ...streamed };
}

/** Memory per open stream: the server's heap and buffers with many streams minus those without. */
async function bytesOfStream(gateway: Gateway, drive: Run): Promise<number> {
  const pid = gateway.pids().at(-1) ?? 0;
  const before = await heldBytes(pid);
  const running = drive(gateway, QUIET);
  await sleep(QUIET.every_ms * 2.5);
  const during = await heldBytes(pid);
  const { broken, fault } = await running;
  if (broken > 0) {
    throw new Error(`${broken} quiet streams broke: ${fault}`);
  }
  return Math.round((during - before) / QUIET.streams);
}

interface Outcome {
  rounds: readonly Measured[];
  bytes: number;
  audit: Record<string, unknown>;
}

function report({ rounds, bytes, audit }: Outcome) {
  const of = (by: string, shape: string) =>
    rounds.filter((one) => one.by === by && one.shape === shape);
  const first = (by: string, shape: string, share: number) =>
    median(of(by, shape).map(({ first_ms }) => at(first_ms, share)));
  const rows = SHAPES.flatMap(({ shape }) =>
    ["direct", "footnote"].map((by) => {
      const cpu = median(of(by, shape).map(({ cpu_us_per_chunk }) => cpu_us_per_chunk ?? 0));
      const firsts = [0.5, 0.95].map((share) => round(first(by, shape, share)));
      const added = [0.5, 0.95].map((share) =>
        round(first(by, shape, share) - first("direct", shape, share)),
      );
      return [shape, by, ...firsts, ...(by === "direct" ? ["", "", ""] : [...added, cpu])];
    }),
  );
  const [flow, , most] = SHAPES;
  const added = (share: number) =>
    round(first("footnote", flow.shape, share) - first("direct", flow.shape, share));
  const figures = {
    added_p50_ms_200: added(0.5),
    added_p95_ms_200: added(0.95),
    first_p95_ms_1000: round(first("footnote", most.shape, 0.95)),
    kilobytes_per_stream: round(bytes / 1000),
  };
  const header = [
    "streams",
    "by",
    "first text p50 ms",
    "p95 ms",
    "added p50",
    "p95",
    "CPU µs/chunk",
  ];
  const table = `${toTable(header, rows)}\n${JSON.stringify({ ...figures, audit })}`;
  const summaries = rounds.map(({ first_ms, ...rest }) => ({
    ...rest,
    first_p50_ms: round(at(first_ms, 0.5)),
    first_p95_ms: round(at(first_ms, 0.95)),
  }));
  return { table, result: { ...figures, audit, rounds: summaries } };
}

function at(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0;
}

function median(values: readonly number[]): number {
  return at(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
