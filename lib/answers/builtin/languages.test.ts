import { describe, expect, test } from "vitest";
import {
  isHeldBack,
  type JudgedQuestion,
  judgeAnswers,
  qualityTable,
  summarize,
} from "@/lib/testing/judged-answers";
import { answerFrom } from "./answer";
import { documents, questions } from "./judged/languages.json" with { type: "json" };

const sources = documents.map(({ title, text }, at) => ({ number: at + 1, title, text }));
const languageOfId = ({ id }: JudgedQuestion): string => id.slice(0, 2);
const judged = judgeAnswers(questions, (understood) => ({ understood, sources }));

describe.each([
  ["for tuning", judged.filter((one) => !isHeldBack(one))],
  ["held back", judged.filter(isHeldBack)],
])("the judged questions in other languages, the half %s", (name, half) => {
  test("are answered from sources of their language", () => {
    const byLanguage = half.map((one) => ({ ...one, kind: languageOfId(one) }));
    process.stdout.write(`\n${name}\n${qualityTable(half)}\n${qualityTable(byLanguage)}\n`);
    const quality = summarize(half);
    expect(quality.wrong_share).toBeLessThanOrEqual(0.05);
    expect(quality.right_share).toBeGreaterThanOrEqual(0.75);
    expect(quality.answered_share).toBeGreaterThanOrEqual(0.6);
  });

  test("are answered by quotes of this language only", () => {
    for (const one of half) {
      const numbers = [...one.answer.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
      const languages = numbers.map((number) => documents[number - 1]?.language);
      expect(new Set([...languages, languageOfId(one)]).size, one.question).toBe(1);
    }
  });
});

test.each([
  ["Hoe wordt astma behandeld?", "de", /bronnen zijn in het Duits/],
  ["Wie wird Asthma behandelt?", "es", /Quellen sind auf Spanisch/],
  ["How is asthma treated?", "fr", /do not answer this question/],
])("the reply to %s names the languages of the sources", (question, language, reply) => {
  const other = sources.filter((_, at) => documents[at]?.language === language);
  expect(answerFrom(other, { question, dependsOnConversation: false })).toMatch(reply);
});
