import { describe, expect, test } from "vitest";
import { termsOf } from "@/lib/text/analyzer";
import { readQuestion } from "./question";

function subjectOf(text: string): string[] {
  return [...readQuestion(text).subject.keys()];
}

function relationsOf(text: string): string[] {
  return readQuestion(text).relations.map(({ name }) => name);
}

describe("readQuestion", () => {
  test.each([
    ["What is the life expectancy with juvenile ALS?", "juvenile ALS"],
    ["How is type 2 diabetes treated?", "2 diabetes"],
    ["What are the side effects of metformin?", "metformin"],
    ["Can you please tell me about asthma?", "asthma"],
    ["How much ibuprofen can I take in a day?", "ibuprofen"],
  ])("finds the subject of %s", (text, subject) => {
    expect(subjectOf(text)).toEqual(termsOf(subject));
  });

  test.each(["How is it treated?", "And in children?", "Why?", "What about side effects?"])(
    "finds no subject in %s",
    (text) => {
      expect(subjectOf(text)).toEqual([]);
    },
  );

  test.each([
    ["How is gout treated?", "treatment"],
    ["What is the maximum dose of ibuprofen?", "dose"],
    ["What causes gout?", "causes"],
    ["Is gout hereditary?", "inheritance"],
    ["How common is gout?", "frequency"],
    ["How long does the flu last?", "duration"],
    ["How fast does albuterol work?", "onset"],
    ["Who should not take statins?", "exclusions"],
    ["What is metformin used for?", "uses"],
    ["Is the flu contagious?", "spread"],
    ["What is the prognosis of ALS?", "prognosis"],
  ])("finds what %s asks", (text, relation) => {
    expect(relationsOf(text)).toContain(relation);
  });

  test("finds what is excluded and whom it concerns", () => {
    const { excluded, populations } = readQuestion(
      "Which antibiotics that do not contain penicillin are safe for children?",
    );
    expect(excluded).toContain(termsOf("penicillin")[0]);
    expect(populations.map(({ name }) => name)).toEqual(["children"]);
  });

  test.each([
    ["Should I take ibuprofen before my baby aspirin?", []],
    ["What should a healthy adult eat?", []],
    ["Is a normal ECG enough?", []],
    ["Can I give it to a 3 month old?", ["children", "infants"]],
  ])("finds whom %s concerns", (text, names) => {
    const found = readQuestion(text).populations.map(({ name }) => name);
    expect(found.filter((name) => /children|infants|normal/.test(name))).toEqual(names);
  });

  test("takes no number for a label unless it stands beside its word", () => {
    expect(readQuestion("I wheeze at 4, is that asthma?").labeled).toEqual([]);
    expect(readQuestion("How is type 2 diabetes treated?").labeled).toHaveLength(1);
  });

  test("finds a subject that stands beside the question", () => {
    const { subject, context } = readQuestion("I take warfarin. What should I avoid?");
    expect(subject.size).toBe(0);
    expect([...context.keys()]).toContain(termsOf("warfarin")[0]);
  });

  test("reads only the end of a long text", () => {
    expect(subjectOf(`gout? ${" ".repeat(4000)}What is asthma?`)).toEqual(termsOf("asthma"));
  });
});
