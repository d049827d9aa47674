import { expect, test } from "vitest";
import { AskedQuestion } from "@/lib/evidence/questions/asked-question";
import { answeredBy } from "./answered";

const ASTHMA = "Asthma › Treatment";

function said(
  text: string,
  label = ASTHMA,
  verdict: "supported" | "unsupported" | "unjudged" = "supported",
) {
  return [{ text, verdict, labels: [label] }];
}

test("answers a question whose subject and relation are addressed", async () => {
  expect(
    await answeredBy(
      new AskedQuestion("How is asthma treated?"),
      said("Asthma is treated with inhaled corticosteroids."),
    ),
  ).toBe("yes");
});

test.each([
  ["How is gout treated?", said("Asthma is treated with inhaled corticosteroids.")],
  ["How is asthma treated?", said("Asthma is treated with snake oil.", ASTHMA, "unsupported")],
  ["How is asthma treated?", []],
])("doesn't count sentences about something else, or unsupported: %s", async (question, claims) => {
  expect(await answeredBy(new AskedQuestion(question), claims)).toBe("no");
});

test("answers partly when the relation asked about isn't addressed", async () => {
  const claims = said("Asthma is a disease of the airways of the lungs.", "Asthma › Overview");
  expect(
    await answeredBy(new AskedQuestion("How is asthma treated in children?"), claims),
  ).not.toBe("yes");
});

test.each(["Wie wird das Asthma bei den Kindern behandelt?", "喘息の治療法は何ですか", ""])(
  "can't tell for %j",
  async (question) => {
    expect(
      await answeredBy(
        new AskedQuestion(question),
        said("Asthma is treated with inhaled corticosteroids."),
      ),
    ).toBe("unknown");
  },
);

test("answers a question about a part of a document with what the document says there", async () => {
  const question = "What does “Ward handbook” say about visiting hours?";
  const text = "Visitors are welcome from 14:00 to 19:00.";
  const label = "Ward handbook › Visiting hours";
  expect(await answeredBy(new AskedQuestion(question), said(text, label))).toBe("yes");
  expect(await answeredBy(new AskedQuestion(question), said(text, label, "unsupported"))).toBe(
    "no",
  );
  expect(await answeredBy(new AskedQuestion(question), said(text, "Parking › Fees"))).toBe("no");
});

test("doesn't count the name of a passage as an answer", async () => {
  expect(
    await answeredBy(
      new AskedQuestion("What is asthma?"),
      said("Asthma › Overview", "Asthma › Overview"),
    ),
  ).toBe("no");
});

test("answers a question in everyday words with a sentence that has most of them", async () => {
  const claims = said(
    "Hypothyroidism often brings tiredness, constipation and dry skin.",
    "Hypothyroidism",
  );
  expect(
    await answeredBy(
      new AskedQuestion("i'm always tired with constipation and dry skin, is it my thyroid"),
      claims,
    ),
  ).not.toBe("no");
});

test.each([
  ["Which drugs are used for gout?", "Drugs such as ibuprofen are used for migraine.", "Migraine"],
  [
    "What are the symptoms of type 2 diabetes?",
    "Symptoms of type 1 diabetes begin suddenly.",
    "Type 1 diabetes",
  ],
])("isn't misled by words in common: %s", async (question, text, label) => {
  expect(await answeredBy(new AskedQuestion(question), said(text, label))).toBe("no");
});

test.each([
  ["My mother has gout. Can she drink red wine?", "Red wine can trigger migraine.", "Migraine"],
  [
    "I take warfarin. Can I drink alcohol with it?",
    "Alcohol with ibuprofen irritates.",
    "Ibuprofen",
  ],
])("takes the subject from the sentence before: %s", async (question, text, label) => {
  expect(await answeredBy(new AskedQuestion(question), said(text, label))).toBe("no");
});
