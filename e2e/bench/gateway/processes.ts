import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type CpuTimes, cpuTimesOf, processesBelow } from "../shared/cpu";
import type { Load, Order } from "./load";

const START_LIMIT_MS = 180_000;
const root = path.resolve(import.meta.dirname, "../../..");

export interface Gateway {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** Of all its processes. */
  cpu(): CpuTimes;
  /** Of all its processes, a child after its parent. */
  pids(): number[];
  stop(): Promise<void>;
}

/** A process that Node itself can run, with a channel to it; its file from this folder on. */
export function forkOwn(file: string): ChildProcess {
  return fork(path.join(import.meta.dirname, file), { execArgv: [] });
}

/** A process that uses the product's own code; what it prints. */
export async function runOwn(file: string, args: string[], env: object): Promise<string> {
  const script = path.join(import.meta.dirname, file);
  const child = spawn(
    process.execPath,
    ["--conditions=react-server", "--import=tsx", script, ...args],
    {
      cwd: root,
      env: { ...process.env, LOG_LEVEL: "error", ...env },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) {
    throw new Error(`${file} ${args[0]} failed`);
  }
  return output;
}

export async function drive(load: ChildProcess, order: Order): Promise<Load> {
  load.send(order);
  const [outcome] = await once(load, "message");
  return outcome as Load;
}

interface Program {
  name: string;
  port: number;
  args: string[];
  env: Record<string, string>;
  headers: Record<string, string>;
  /** A path that answers 200 once it serves. */
  health: string;
}

/** Starts a gateway and waits until it serves. */
export async function startGateway({ name, port, args, ...rest }: Program): Promise<Gateway> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...rest.env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_LIMIT_MS;
  const isUp = () =>
    fetch(origin + rest.health).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${name} did not start`);
    }
    await sleep(200);
  }
  return {
    name,
    url: `${origin}/v1/chat/completions`,
    headers: rest.headers,
    cpu: () => cpuTimesOf(processesBelow(child.pid ?? 0)),
    pids: () => processesBelow(child.pid ?? 0),
    stop: async () => {
      child.kill("SIGTERM");
      await (child.exitCode === null && once(child, "exit"));
    },
  };
}

/** Of the connections of a database that is on this machine; of none when it is elsewhere. */
export async function databaseCpu(client: pg.Client): Promise<CpuTimes> {
  const { rows } = await client.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  return cpuTimesOf(rows.map(({ pid }) => pid));
}
