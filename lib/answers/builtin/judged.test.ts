import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isHeldBack, judgeAnswers, qualityTable, summarize } from "@/lib/testing/judged-answers";
import { memorySearch } from "@/lib/testing/memory-search";
import { splitFrontMatter } from "@/lib/text/front-matter";
import questions from "./judged/sample.json" with { type: "json" };

const folder = path.join(import.meta.dirname, "../../../prisma/knowledge");
const articles = readdirSync(folder).map((name) => {
  const { data, content } = splitFrontMatter(readFileSync(path.join(folder, name), "utf8"));
  const { title } = data as { title: string };
  return { title, text: content, format: "markdown" as const };
});
const judged = judgeAnswers(questions, memorySearch(articles));

describe.each([
  ["for tuning", judged.filter((one) => !isHeldBack(one))],
  ["held back", judged.filter(isHeldBack)],
])("the judged questions about the sample, the half %s", (name, half) => {
  test("are answered well enough", () => {
    process.stdout.write(`\n${name}\n${qualityTable(half)}\n`);
    const quality = summarize(half);
    expect(quality.wrong_share).toBeLessThanOrEqual(0.05);
    expect(quality.right_share).toBeGreaterThanOrEqual(0.75);
    expect(quality.answered_share).toBeGreaterThanOrEqual(0.6);
  });
});

test("each question has an id of its own, and patterns if an answer is expected", () => {
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  const bare = questions.filter(({ expect: kind, must }) => kind === "answer" && !must);
  expect(bare).toEqual([]);
});
