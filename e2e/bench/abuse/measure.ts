import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunningServer } from "../../product";
import type { Probe } from "../load/memory";
import { processesBelow } from "../shared/cpu";
import type { AttackOrder } from "./attacker";
import type { NormalLoad, NormalOrder } from "./normal";

const MB = 1024;
const POLL_MS = 100;
/** How long memory may take to return. */
const AFTER_SECONDS = 60;
const STEP_SECONDS = 10;
/** Of what it was before. */
export const MEMORY_RETURNED = 1.1;
/** A server that doesn't answer for this long after an attack is restarted for the next one. */
const RECOVERY_SECONDS = 90;
const PROMPT_MS = 250;

export interface Bench {
  server: RunningServer;
  probe: Probe;
  normal: ChildProcess;
  attacker: ChildProcess;
  /** Of the nine normal accounts. */
  keys: string[];
  observer: string;
  seconds: number;
}

export interface Measured {
  attack: string;
  before: NormalLoad;
  during: NormalLoad;
  /** What became of the attack's requests. */
  outcomes: Record<string, number>;
  /** Megabytes; the first and the last after a garbage collection. */
  rss: { before: number; most: number; after: number | null };
  /** From the end of the attack to three prompt answers in a row; null if it took too long. */
  recoveredSeconds: number | null;
  /** Whether the server's process ended. */
  hasDied: boolean;
}

/** Normal accounts alone, then beside an attack, then the server's memory once it has returned, or after a minute. */
export async function measureAttack(bench: Bench, attack: string, key: string): Promise<Measured> {
  const { server, probe } = bench;
  const life = { hasEnded: false };
  void server.ended.then(() => {
    life.hasEnded = true;
  });
  const before = await driveNormal(bench);
  const calm = await restingMb(probe);
  const running = orderAttack(bench, attack, key);
  const during = await mostDuring(serverPid(server), driveNormal(bench));
  const outcomes = await running;
  const recoveredSeconds = await recover(bench, () => life.hasEnded);
  const after = recoveredSeconds === null ? null : await settledMb(probe, calm);
  const rss = { before: calm, most: Math.max(calm, during.most), after };
  const hasDied = life.hasEnded;
  return { attack, before, during: during.load, outcomes, rss, recoveredSeconds, hasDied };
}

export async function driveNormal({ server, normal, ...bench }: Bench): Promise<NormalLoad> {
  const { keys, observer, seconds } = bench;
  normal.send({ origin: originOf(server), keys, observer, seconds } satisfies NormalOrder);
  return replyOf<NormalLoad>(normal);
}

async function orderAttack({ server, attacker, seconds }: Bench, attack: string, key: string) {
  attacker.send({ attack, origin: originOf(server), key, seconds } satisfies AttackOrder);
  return replyOf<Record<string, number>>(attacker);
}

/** Its next message. Rejects if it ends first. */
async function replyOf<T>(child: ChildProcess): Promise<T> {
  const ending = new AbortController();
  const { signal } = ending;
  const ended = once(child, "exit", { signal }).then(([code]) => {
    throw new Error(`a load generator ended with status ${code}`);
  });
  try {
    const [reply] = await Promise.race([once(child, "message", { signal }), ended]);
    return reply as T;
  } finally {
    ended.catch(() => {});
    ending.abort();
  }
}

/** By address, because clients choose the address they connect from. */
export function originOf({ url }: RunningServer): string {
  return url.replace("localhost", "127.0.0.1");
}

function serverPid({ pid }: RunningServer): number {
  return processesBelow(pid).at(-1) ?? 0;
}

async function mostDuring(pid: number, work: Promise<NormalLoad>) {
  const state = { hasEnded: false };
  const ended = work.finally(() => {
    state.hasEnded = true;
  });
  let most = 0;
  while (!state.hasEnded) {
    most = Math.max(most, residentMb(pid));
    await Promise.race([ended, sleep(POLL_MS)]);
  }
  return { load: await work, most };
}

/** Jobs of the attack may still be running, and idle parser threads end after half a minute. */
async function settledMb(probe: Probe, calm: number): Promise<number> {
  let after = Number.POSITIVE_INFINITY;
  for (
    let waited = 0;
    waited < AFTER_SECONDS && after > calm * MEMORY_RETURNED;
    waited += STEP_SECONDS
  ) {
    await sleep(STEP_SECONDS * 1000);
    after = await restingMb(probe);
  }
  return after;
}

async function restingMb(probe: Probe): Promise<number> {
  return Math.round((await probe.sample("after gc")).rss_mb);
}

/** From the kernel, since a blocked event loop can't answer. */
function residentMb(pid: number): number {
  try {
    const [, kilobytes = "0"] =
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes) / MB);
  } catch {
    return 0;
  }
}

async function recover(
  { server, observer }: Bench,
  hasEnded: () => boolean,
): Promise<number | null> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const headers = { authorization: `Bearer ${observer}` };
  let inARow = 0;
  while (inARow < 3 && !hasEnded() && seconds() < RECOVERY_SECONDS) {
    const askedAt = performance.now();
    const signal = AbortSignal.timeout(RECOVERY_SECONDS * 1000);
    const isAnswered = await fetch(`${originOf(server)}/v1/models`, { headers, signal }).then(
      async (answer) => Boolean(await answer.text()) && answer.ok,
      () => false,
    );
    inARow = isAnswered && performance.now() - askedAt < PROMPT_MS ? inARow + 1 : 0;
    await sleep(POLL_MS);
  }
  return inARow === 3 ? Number(seconds().toFixed(1)) : null;
}
