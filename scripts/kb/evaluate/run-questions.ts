import { setImmediate } from "node:timers/promises";
import { evaluateQuestion, toAsked } from "@/lib/answers/evaluation/evaluate";
import { expectedOf } from "@/lib/answers/evaluation/expected";
import type { Question } from "@/lib/answers/evaluation/parse-questions";
import type { QuestionResult, RunHeader } from "@/lib/answers/evaluation/schema";
import type { KeyContext } from "@/lib/platform/auth/context";
import { toAppError } from "@/lib/platform/http/error-response";
import { openProgress } from "../../command/progress";
import type { RunOutput } from "./run-file";

/** What became of the questions. */
export interface Outcome {
  /** In the order of the file. */
  results: QuestionResult[];
  failures: { id: string; line: number; message: string }[];
  /** Why the run ended early; null when every question was asked. */
  stoppedBy: string | null;
}

interface RunInput {
  ctx: KeyContext;
  header: RunHeader;
  named: ReadonlyMap<string, readonly string[]>;
  /** Null when results are only printed. */
  output: RunOutput | null;
  stop: AbortController;
}

/** An upstream that refuses this often in a row will refuse the rest. */
const MAX_FAILURES_IN_A_ROW = 5;

/** Asks the questions that an earlier start hasn't, several at a time. */
export async function askQuestions(
  questions: readonly Question[],
  { ctx, header: { settings }, named, output, stop }: RunInput,
): Promise<Outcome> {
  const done = new Map((output?.results ?? []).map((result) => [result.id, result]));
  const failures: Outcome["failures"] = [];
  const remaining = questions.filter(({ id }) => !done.has(id));
  const waiting = remaining.values();
  let reached = questions.length - remaining.length;
  let failedInARow = 0;
  const progress = openQuestionProgress(questions.length);
  const show = () => {
    progress.reach(reached);
    progress.show({ failed: failures.length });
  };
  const ask = async (question: Question) => {
    try {
      const expected = expectedOf(question, named);
      const result = await evaluateQuestion(ctx, settings, { question, expected });
      output?.append(result);
      done.set(question.id, result);
      failedInARow = 0;
    } catch (thrown) {
      if (stop.signal.aborted) {
        return;
      }
      const { code, message } = toAppError(thrown);
      output?.append({ ...toAsked(question), error: { code, message } });
      failures.push({ id: question.id, line: question.line, message });
      failedInARow += 1;
    }
  };
  const work = async () => {
    for (const question of waiting) {
      await ask(question);
      // The built-in model may not wait for the event loop, and then an interruption would come too late.
      await setImmediate();
      if (stop.signal.aborted || failedInARow >= MAX_FAILURES_IN_A_ROW) {
        return;
      }
      reached += 1;
      show();
    }
  };
  show();
  await Promise.all(Array.from({ length: settings.concurrency }, work)).finally(progress.end);
  return {
    results: questions.flatMap(({ id }) => done.get(id) ?? []),
    failures,
    stoppedBy: stopReason(stop.signal.aborted, failedInARow),
  };
}

function stopReason(isAborted: boolean, failedInARow: number): string | null {
  if (isAborted) {
    return "Stopped.";
  }
  return failedInARow >= MAX_FAILURES_IN_A_ROW
    ? `Stopped after ${failedInARow} failures in a row.`
    : null;
}

function openQuestionProgress(total: number) {
  return openProgress(total, {
    stream: process.stderr,
    initial: { failed: 0 },
    format: "{bar} {value} of {total} questions, {failed} failed | {eta_formatted} left",
    payload: ({ failed }) => ({ failed }),
    line: (percent, { failed }) => `${percent}% of ${total} questions, ${failed} failed`,
  });
}
