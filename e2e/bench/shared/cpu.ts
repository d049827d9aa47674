import { readdirSync, readFileSync } from "node:fs";

/** The kernel's clock ticks a second, in which /proc tells CPU time. */
const TICKS = 100;

/** CPU time of processes so far, in ms, by their ids. */
export type CpuTimes = ReadonlyMap<number, number>;

export function cpuTimesOf(pids: readonly number[]): CpuTimes {
  return new Map(
    pids.map((pid) => {
      const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
      return [pid, ((user + system) * 1000) / TICKS];
    }),
  );
}

/** What was used between two looks; of a process that ended meanwhile, nothing is known. */
export function cpuMsBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [pid, ms]) => sum + Math.max(0, ms - (before.get(pid) ?? 0)), 0);
}

/** A process and all below it, a child after its parent. */
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

export function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

export function nameOf(pid: number): string {
  return /\((.*)\)/s.exec(read(pid))?.[1] ?? "";
}

/** What /proc says of a process after its name, which may hold blanks; nothing when it has ended. */
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
