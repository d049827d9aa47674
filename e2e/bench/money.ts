import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { openDatabase, openServer, settings } from "./search/server";

const CLIENTS = 64;
const PAIRS = Number(process.env.FOOTNOTE_BENCH_PAIRS ?? 20_000);
const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 3);
const PROCESSES = [1, 3];
const VARIANTS = ["separate", "batched"] as const;
type Variant = (typeof VARIANTS)[number];

interface Measured {
  processes: number;
  variant: Variant;
  pairs_per_second: number;
  pair_p50_ms: number;
  pair_p95_ms: number;
}

/**
 * Holds and settlements on one account by 64 clients on a PostgreSQL server: with separate statements per request,
 * and batched while a statement is in flight, as in the product. Rounds are interleaved.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const url = await openDatabase(server, "footnote_bench_money", async () => false);
  const { account, key } = JSON.parse(await outputOf(start(url, ["prepare"])));
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const processes of PROCESSES) {
      for (const variant of VARIANTS) {
        rounds.push(await measure(url, { processes, variant, account, key }));
        process.stderr.write(`${JSON.stringify(rounds.at(-1))}\n`);
      }
    }
  }
  const audit = JSON.parse(await outputOf(start(url, ["audit", account])));
  const best = PROCESSES.flatMap((processes) =>
    VARIANTS.map((variant) =>
      bestOf(rounds.filter((one) => one.processes === processes && one.variant === variant)),
    ),
  );
  return {
    table: `${best.map(lineOf).join("\n")}\nbalance − ledger: ${audit.difference}, held: ${audit.held}`,
    result: { server: await settings(server), clients: CLIENTS, pairs: PAIRS, best, rounds, audit },
  };
}

function bestOf(rounds: readonly Measured[]): Measured {
  return rounds.toSorted((a, b) => b.pairs_per_second - a.pairs_per_second)[0] as Measured;
}

function lineOf({ processes, variant, ...figures }: Measured): string {
  const { pairs_per_second, pair_p50_ms, pair_p95_ms } = figures;
  return `${processes} process(es), ${variant}: ${pairs_per_second} pairs/s, p50 ${pair_p50_ms} ms, p95 ${pair_p95_ms} ms`;
}

async function measure(
  url: string,
  {
    processes,
    variant,
    account,
    key,
  }: { processes: number; variant: Variant; account: string; key: string },
): Promise<Measured> {
  const clients = Math.ceil(CLIENTS / processes);
  const pairs = Math.ceil(PAIRS / processes);
  const args = ["measure", variant, account, key, String(clients), String(pairs)];
  const workers = Array.from({ length: processes }, () => start(url, args));
  // All workers begin at the same time, once started and warmed up.
  await Promise.all(workers.map(({ stdout }) => once(stdout, "data")));
  const parts = await Promise.all(
    workers.map(async (worker): Promise<{ seconds: number; ms: number[] }> => {
      worker.stdin.end("go\n");
      return JSON.parse(await outputOf(worker));
    }),
  );
  const ms = parts.flatMap((part) => part.ms).toSorted((a, b) => a - b);
  const at = (share: number) => Number((ms[Math.floor(ms.length * share)] ?? 0).toFixed(2));
  return {
    processes,
    variant,
    pairs_per_second: Math.round(ms.length / Math.max(...parts.map(({ seconds }) => seconds))),
    pair_p50_ms: at(0.5),
    pair_p95_ms: at(0.95),
  };
}

function start(url: string, args: string[]) {
  const file = path.join(import.meta.dirname, "money/worker.ts");
  return spawn(process.execPath, ["--conditions=react-server", "--import=tsx", file, ...args], {
    env: { ...process.env, DATABASE_URL: url, LOG_LEVEL: "error" },
    stdio: ["pipe", "pipe", "inherit"],
  });
}

async function outputOf(child: ReturnType<typeof start>): Promise<string> {
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) {
    throw new Error("a process of the money bench failed");
  }
  return output;
}
