import {
  appendFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type QuestionResult, RunHeader, RunLine } from "@/lib/answers/evaluation/schema";
import { UsageError } from "../../command/run";

export interface StoredRun {
  header: RunHeader;
  results: QuestionResult[];
}

export interface RunOutput {
  /** Of the questions that an earlier start of this run finished. */
  results: QuestionResult[];
  append(line: RunLine): void;
}

/** A string can't be longer than twice this. */
const MAX_RUN_BYTES = 256 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Reads the output of an earlier run. Throws a sentence for anything else. */
export function readRun(file: string): StoredRun {
  if (!existsSync(file)) {
    throw new UsageError(`There is no earlier run at ${file}.`);
  }
  const { header, results } = read(file);
  return { header, results };
}

/** Starts an output file, or continues one of the same settings. */
export function openRunOutput(file: string, header: RunHeader): RunOutput {
  const append = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  if (!existsSync(file) || statSync(file).size === 0) {
    try {
      append(header);
    } catch (thrown) {
      throw new UsageError(`Could not write ${file}: ${(thrown as Error).message}.`);
    }
    return { results: [], append };
  }
  const stored = read(file);
  const differences = differencesBetween(stored.header, header);
  if (differences.length > 0) {
    throw new UsageError(
      `${file} is a run with other settings, so it can't be continued. Name another --output.\n${differences.map((each) => `  ${each}\n`).join("")}`.trimEnd(),
    );
  }
  // A process that was killed may have left half a line.
  truncateSync(file, stored.wholeBytes);
  return { results: stored.results, append };
}

/** What differs between two runs, other than when they ran: one phrase each. */
export function differencesBetween(one: RunHeader, other: RunHeader): string[] {
  return (["settings", "versions"] as const).flatMap((part) => {
    const [before, now]: Record<string, unknown>[] = [one[part], other[part]];
    return Object.keys({ ...before, ...now }).flatMap((name) => {
      const [a, b] = [before?.[name], now?.[name]];
      return isDeepStrictEqual(a, b) ? [] : [`${name}: ${format(a)} before, ${format(b)} now`];
    });
  });
}

/** Beside the output. */
export function summaryFile(file: string): string {
  return file.replace(/\.jsonl$/i, ".summary.json");
}

export function writeSummary(file: string, summary: object): void {
  writeFileSync(summaryFile(file), `${JSON.stringify(summary, null, 2)}\n`);
}

function read(file: string): StoredRun & { wholeBytes: number } {
  if (statSync(file).size > MAX_RUN_BYTES) {
    throw new UsageError(`${file} is too large for the output of a run.`);
  }
  const bytes = readFileSync(file);
  const wholeBytes = bytes.lastIndexOf(NEWLINE) + 1;
  const [first = "", ...lines] = bytes.toString("utf8", 0, wholeBytes).trimEnd().split("\n");
  const header = RunHeader.safeParse(parseJson(first));
  if (!header.success) {
    throw new UsageError(`${file} isn't the output of npm run kb -- evaluate.`);
  }
  // A question that failed is asked again, so the last of its lines counts.
  const byId = new Map<string, RunLine>();
  for (const [index, line] of lines.entries()) {
    const parsed = RunLine.safeParse(parseJson(line));
    if (!parsed.success) {
      throw new UsageError(`${file}:${index + 2}: this isn't a line of an evaluation.`);
    }
    byId.set(parsed.data.id, parsed.data);
  }
  const results = [...byId.values()].flatMap((line) => ("error" in line ? [] : [line]));
  return { header: header.data, results, wholeBytes };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function format(value: unknown): string {
  return value === undefined
    ? "nothing"
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}
