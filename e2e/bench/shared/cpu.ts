import { readdirSync, readFileSync } from "node:fs";

/** Kernel clock ticks per second, the unit of CPU time in /proc. */
const TICKS = 100;

/** CPU time in ms by process id. */
export type CpuTimes = ReadonlyMap<number, number>;

export function cpuTimesOf(pids: readonly number[]): CpuTimes {
  return new Map(
    pids.map((pid) => {
      const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
      return [pid, ((user + system) * 1000) / TICKS];
    }),
  );
}

/** CPU time between two samples. Processes that ended in between are ignored. */
export function cpuMsBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [pid, ms]) => sum + Math.max(0, ms - (before.get(pid) ?? 0)), 0);
}

/** A process and its descendants, parents before children. */
export function processesBelow(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(Number(name)) }));
  const below = (of: number): number[] =>
    parents
      .filter(({ parent }) => parent === of)
      .flatMap((child) => [child.pid, ...below(child.pid)]);
  return [pid, ...below(pid)];
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** The fields in /proc after the process name, which may contain spaces; empty if it has ended. */
function statOf(pid: number): string[] {
  const text = read(pid);
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function read(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}
