import { expect, test } from "vitest";
import { answeredBy } from "./answered";
import type { Verdict } from "./verdict/judged";

const TREATMENT = "Asthma is treated with inhaled corticosteroids and bronchodilators.";
const SOURCES = [
  {
    number: 1,
    title: "Asthma › Treatment",
    text: `${TREATMENT} Children use a spacer with the inhaler.`,
  },
  { number: 2, title: "Gout", text: "Gout is a painful arthritis of the joints." },
  {
    number: 3,
    title: "Ward handbook › Visiting hours",
    text: "Visitors are welcome from 14:00 to 19:00.",
  },
];

function ask(
  question: string,
  { text = TREATMENT, quote = TREATMENT, id = 1, verdict = "supported" as Verdict } = {},
) {
  return answeredBy(question, [{ text, verdict, quotes: [{ id, text: quote }] }], SOURCES);
}

const QUESTION = "How is asthma treated with inhaled corticosteroids?";

test("is yes if a supported part rests on the sentence that very likely answers", () => {
  expect(ask(QUESTION)).toBe("yes");
  expect(ask(QUESTION, { text: "Doctors prescribe inhaled steroids." })).toBe("yes");
});

test("is partly if that part is only partially supported", () => {
  expect(ask(QUESTION, { verdict: "partial" })).toBe("partly");
});

test.each<Verdict>(["unsupported", "contradicted"])("is no if what is cited is %s", (verdict) => {
  expect(ask(QUESTION, { verdict })).toBe("no");
});

test("is no if nothing is cited, or if a passage is only named", () => {
  expect(answeredBy(QUESTION, [], SOURCES)).toBe("no");
  expect(ask(QUESTION, { text: "Asthma › Treatment" })).toBe("no");
});

test.each([
  ["another sentence is cited", QUESTION, { quote: "Children use a spacer with the inhaler." }],
  ["another source is cited", QUESTION, { id: 2 }],
  ["no sentence is likely enough", "Who discovered penicillin?", {}],
  ["there is no question", "", {}],
  ["a part can't be judged", QUESTION, { verdict: "unjudged" as const }],
])("is unknown if %s", (_, question, claim) => {
  expect(ask(question, claim)).toBe("unknown");
});

test("is yes for what a document says where the question asks for it", () => {
  const question = "What does “Ward handbook” say about visiting hours?";
  const text = "Visitors are welcome from 14:00 to 19:00.";
  expect(ask(question, { text, quote: text, id: 3 })).toBe("yes");
  expect(ask(question, { text, quote: text, id: 3, verdict: "unsupported" })).toBe("no");
  expect(ask(question, { id: 1 })).toBe("unknown");
});

test("is unknown for more sources than are read", () => {
  const long = SOURCES.map((source) => ({ ...source, text: source.text.repeat(1000) }));
  const quotes = [{ id: 1, text: TREATMENT }];
  expect(answeredBy(QUESTION, [{ text: TREATMENT, verdict: "supported", quotes }], long)).toBe(
    "unknown",
  );
});
