import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import questions from "@/lib/answers/builtin/judged/medquad.json" with { type: "json" };
import { isHeldBack, judgeAnswers, summarize } from "@/lib/testing/judged-answers";
import { memorySearch } from "@/lib/testing/memory-search";
import type { Row } from "./part";

/** The built-in model's answers to the judged questions about MedQuAD. By default of the half that isn't for tuning. */
export async function measureAnswers(folder: string): Promise<Row[]> {
  const corpus = path.join(folder, "medquad/corpus.jsonl.gz");
  if (!existsSync(corpus)) {
    return [];
  }
  const documents = gunzipSync(readFileSync(corpus))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { title: string; text: string })
    .map(({ title, text }) => ({ title, text, format: "plain" as const }));
  const isReported = process.env.FOOTNOTE_BENCH_SPLIT !== "train";
  const half = questions.filter((question) => isHeldBack(question) === isReported);
  const quality = summarize(judgeAnswers(half, memorySearch(documents)));
  const goals: Record<string, string> = {
    right_share: "≥ 0.75",
    wrong_share: "≤ 0.05",
    answered_share: "≥ 0.6",
  };
  return Object.entries(quality).map(([measure, value]) => ({
    ...{ set: "Built-in model, MedQuAD", measure, value },
    ...(goals[measure] && { goal: goals[measure] }),
  }));
}
