import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import type pg from "pg";
import { type CpuTimes, cpuTimesOf } from "../shared/cpu";
import type { Load, Order } from "./load";

const root = path.resolve(import.meta.dirname, "../../..");

export interface Gateway {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** Summed over all its processes. */
  cpu(): CpuTimes;
  /** All its processes, parents before children. */
  pids(): number[];
  stop(): Promise<void>;
}

/** Forks a file that Node can run directly; the path is relative to this folder. */
export function forkOwn(file: string, args: string[] = []): ChildProcess {
  return fork(path.join(import.meta.dirname, file), args, { execArgv: [] });
}

/** Runs a process with the product's code and returns its output. */
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

/** The backends of a local database; empty for a remote one. */
export async function databaseCpu(client: pg.Client): Promise<CpuTimes> {
  const { rows } = await client.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  return cpuTimesOf(rows.map(({ pid }) => pid));
}
