import { describe, expect, test } from "vitest";
import { documents, questions } from "@/lib/answers/builtin/judged/languages.json" with {
  type: "json",
};
import { AskedQuestion } from "@/lib/evidence/questions/asked-question";
import { isHeldBack } from "@/lib/testing/judged-answers";
import { sentenceRanges } from "@/lib/text/sentences";
import { answeredBy } from "./answered";

/** The sentences of a language, each with the title and headings above it. */
function sentencesOf(language: string) {
  return documents
    .filter((document) => document.language === language)
    .flatMap(({ title, text }) =>
      text.split(/\n(?=#+ )/).flatMap((section) => {
        const [heading = "", ...body] = section.split("\n");
        const name = heading.replace(/^#+ /, "");
        const label = name === title ? title : `${title} › ${name}`;
        const prose = body.join("\n").trim();
        return sentenceRanges(prose).map(({ start, end }) => ({
          text: prose.slice(start, end),
          verdict: "supported" as const,
          labels: [label],
        }));
      }),
    );
}

const asked = questions.flatMap(({ id, question, must }) => {
  const sentences = sentencesOf(id.slice(0, 2));
  const pattern = must && new RegExp(must.join("|"));
  const right = pattern ? sentences.filter(({ text }) => pattern.test(text)) : [];
  const isOther = ({ labels }: (typeof sentences)[number]) =>
    !right.some((one) => one.labels[0]?.split(" › ")[0] === labels[0]?.split(" › ")[0]);
  return right.length > 0 ? [{ id, question, right, other: sentences.filter(isOther) }] : [];
});

describe.each([
  ["for tuning", asked.filter((one) => !isHeldBack({ ...one, kind: "", expect: "" }))],
  ["held back", asked.filter((one) => isHeldBack({ ...one, kind: "", expect: "" }))],
])("verification.answered in other languages, the half %s", (name, half) => {
  const share = (ranks: string[], wanted: string): number =>
    ranks.filter((rank) => rank === wanted).length / ranks.length;

  test("is yes for the right sentence and no for another subject", async () => {
    const answered = (claims: "right" | "other") =>
      Promise.all(half.map((one) => answeredBy(new AskedQuestion(one.question), one[claims])));
    const right = await answered("right");
    const other = await answered("other");
    const missed = half.filter((_, at) => right[at] !== "yes").map(({ question }) => question);
    process.stdout.write(`\n${name}: ${right.length}, not yes: ${missed.join(" | ")}\n`);
    expect(share(right, "yes")).toBeGreaterThanOrEqual(0.85);
    expect(share(other, "no")).toBeGreaterThanOrEqual(0.95);
  });
});

test("is unknown for a claim in another language than the question", async () => {
  const [claim] = sentencesOf("es");
  expect(
    await answeredBy(new AskedQuestion("Was sind die Symptome von Asthma?"), claim ? [claim] : []),
  ).toBe("unknown");
});
