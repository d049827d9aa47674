import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  type JudgedQuestion,
  judgeAnswers,
  qualityTable,
  summarize,
} from "@/lib/testing/judged-answers";
import { memorySearch } from "@/lib/testing/memory-search";
import { splitFrontMatter } from "@/lib/text/front-matter";
import { answerFrom } from "./answer";
import { languages, sample } from "./judged.json" with { type: "json" };

const folder = path.join(import.meta.dirname, "../../../prisma/knowledge");
const articles = readdirSync(folder).map((name) => {
  const { data, content } = splitFrontMatter(readFileSync(path.join(folder, name), "utf8"));
  const { title } = data as { title: string };
  return { title, text: content, format: "markdown" as const };
});
const sources = languages.documents.map(({ title, text }, at) => ({ number: at + 1, title, text }));
const languageOf = ({ id }: JudgedQuestion): string => id.slice(0, 2);
const inLanguages = judgeAnswers(languages.questions, (understood) => ({ understood, sources }));

describe.each([
  ["about the sample", judgeAnswers(sample, memorySearch(articles))],
  ["in other languages", inLanguages],
])("the judged questions %s", (name, judged) => {
  test("get at most 5% wrong answers", () => {
    process.stdout.write(`\n${name}\n${qualityTable(judged)}\n`);
    expect(summarize(judged).wrong_share).toBeLessThanOrEqual(0.05);
  });

  test("get a call for help if they report an emergency", () => {
    const emergencies = judged.filter((one) => one.expect === "emergency");
    expect(emergencies.filter(({ grade }) => grade === "missed")).toEqual([]);
  });
});

test("questions in other languages are answered by quotes of their language only", () => {
  for (const one of inLanguages) {
    const numbers = [...one.answer.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
    const spoken = numbers.map((number) => languages.documents[number - 1]?.language);
    expect(new Set([...spoken, languageOf(one)]).size, one.question).toBe(1);
  }
});

test.each([
  ["Hoe wordt astma behandeld?", "de", /bronnen zijn in het Duits/],
  ["Wie wird Asthma behandelt?", "es", /Quellen sind auf Spanisch/],
  ["How is asthma treated?", "fr", /do not answer this question/],
])("the reply to %s names the languages of the sources", (question, language, reply) => {
  const other = sources.filter((_, at) => languages.documents[at]?.language === language);
  expect(answerFrom(other, { question, dependsOnConversation: false })).toMatch(reply);
});
