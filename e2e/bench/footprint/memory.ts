import { readdirSync, readFileSync } from "node:fs";

export interface Memory {
  processes: number;
  /** What is in memory, with what several share counted in each. */
  rss_mb: number;
  /** The same, with what several share divided among them. */
  pss_mb: number;
}

/** Of a process and all below it. */
export function memoryBelow(pid: number): Memory {
  const pids = below(pid);
  const sum = (field: string) =>
    Math.round(pids.reduce((total, each) => total + kilobytes(each, field), 0) / 1024);
  return { processes: pids.length, rss_mb: sum("Rss"), pss_mb: sum("Pss") };
}

function below(pid: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
  return [pid, ...children.flatMap(below)];
}

function parentOf(pid: string): number {
  const text = read(`/proc/${pid}/stat`);
  return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
}

function kilobytes(pid: number, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(read(`/proc/${pid}/smaps_rollup`));
  return Number(found?.[1] ?? 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
