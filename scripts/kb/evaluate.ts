import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { compareRuns } from "@/lib/answers/evaluation/compare";
import {
  MAX_FILE_BYTES,
  type ParsedQuestions,
  parseQuestions,
} from "@/lib/answers/evaluation/parse-questions";
import type { QuestionResult, RunHeader } from "@/lib/answers/evaluation/schema";
import { summarize } from "@/lib/answers/evaluation/summarize";
import { toPath, UsageError } from "../command/run";
import { type EvaluateOptions, prepareRun } from "./evaluate/prepare";
import { formatComparison, formatFigures } from "./evaluate/report";
import {
  differencesBetween,
  openRunOutput,
  readRun,
  summaryFile,
  writeSummary,
} from "./evaluate/run-file";
import { askQuestions, type Outcome } from "./evaluate/run-questions";

/** Further problems of a question file are only counted. */
const PROBLEMS_SHOWN = 20;

/** `kb evaluate`. Returns 1 when a question failed. Throws a sentence for the operator before anything runs, or when it stops. */
export async function runEvaluate(options: EvaluateOptions): Promise<number> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort();
  process.once("SIGINT", onInterrupt);
  try {
    return await evaluate(options, stop);
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}

async function evaluate(options: EvaluateOptions, stop: AbortController): Promise<number> {
  const bytes = await readQuestionFile(options.file);
  const parsed = parseQuestions(bytes, options.format);
  refuseProblems(options.file, parsed.problems);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const run = await prepareRun(options, {
    questions: parsed.questions,
    sha256,
    signal: stop.signal,
  });
  refuseProblems(options.file, run.problems);
  const earlier = options.compare === null ? null : readRun(options.compare);
  const output = options.output === null ? null : openRunOutput(options.output, run.header);
  for (const notice of [...ignoredNotice(parsed), ...run.notices]) {
    process.stderr.write(`${notice}\n`);
  }
  const selected = parsed.questions.slice(0, options.limit ?? parsed.questions.length);
  const outcome = await askQuestions(selected, {
    ...{ ctx: run.ctx, header: run.header, named: run.named },
    ...{ output, stop },
  });
  reportFailures(outcome, selected.length, options.output);
  report(run.header, outcome, { earlier, output: options.output });
  return outcome.failures.length > 0 ? 1 : 0;
}

async function readQuestionFile(file: string): Promise<Buffer> {
  const place = toPath(file);
  const found = await stat(place).catch(() => null);
  if (!found?.isFile()) {
    throw new UsageError(`There is no questions file at ${file}.`);
  }
  if (found.size > MAX_FILE_BYTES) {
    throw new UsageError(
      `${file} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB. Split it and evaluate the parts.`,
    );
  }
  return readFile(place);
}

function refuseProblems(file: string, problems: ParsedQuestions["problems"]): void {
  if (problems.length === 0) {
    return;
  }
  const shown = problems
    .slice(0, PROBLEMS_SHOWN)
    .map(({ line, message }) => `${file}${line === null ? "" : `:${line}`}: ${message}`);
  const rest = problems.length - shown.length;
  throw new UsageError(
    [...shown, ...(rest > 0 ? [`and ${rest} more`] : []), "Nothing was evaluated."].join("\n"),
  );
}

function ignoredNotice({ ignored }: ParsedQuestions): string[] {
  return ignored.length > 0 ? [`Ignored columns: ${ignored.slice(0, 20).join(", ")}.`] : [];
}

/** Throws when the run didn't reach its end. */
function reportFailures(
  { failures, results, stoppedBy }: Outcome,
  questions: number,
  output: string | null,
): void {
  for (const { line, message } of failures.slice(0, PROBLEMS_SHOWN)) {
    process.stderr.write(`line ${line}: ${message}\n`);
  }
  if (stoppedBy !== null) {
    const next =
      output === null
        ? "Nothing was saved: pass --output <file> to be able to continue."
        : "Run it again to continue.";
    throw new Error(`${stoppedBy} ${results.length} of ${questions} questions are done. ${next}`);
  }
  if (failures.length > 0) {
    process.stderr.write(
      `${failures.length} of ${questions} questions failed and aren't in the figures. Run it again with --output to ask only them.\n`,
    );
  }
}

function report(
  header: RunHeader,
  { results, failures }: Outcome,
  {
    earlier,
    output,
  }: { earlier: { header: RunHeader; results: QuestionResult[] } | null; output: string | null },
): void {
  const figures = summarize(results);
  const comparison = earlier && compareRuns(earlier.results, results);
  const differences = earlier ? differencesBetween(earlier.header, header) : [];
  if (output !== null) {
    const summary = {
      ...header,
      finished_at: new Date().toISOString(),
      figures,
      failed: failures.map(({ id }) => id),
      ...(comparison && { comparison: { differences, ...comparison } }),
    };
    writeSummary(output, summary);
  }
  if (figures) {
    process.stdout.write(formatFigures(header, figures));
  }
  if (comparison) {
    process.stdout.write(formatComparison(header, comparison, differences));
  }
  if (output !== null) {
    process.stdout.write(`\nWritten: ${output} and ${summaryFile(output)}\n`);
  }
}
