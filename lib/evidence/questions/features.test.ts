import { describe, expect, test } from "vitest";
import { answerFeatures, logitOf, matchesOf, probabilityOf } from "./features";
import { readPassage } from "./passage";
import { readQuestion } from "./question";

function featuresOf(asked: string, text: string, title = "Gout") {
  const question = readQuestion(asked);
  const passage = readPassage({ title, text });
  return answerFeatures(question, passage, matchesOf(question, passage));
}

describe("what is known of a sentence as an answer", () => {
  test("is between 0 and 1, except for the length of the question", () => {
    const { question_length, ...shares } = featuresOf(
      "Why does gout come at night, when my feet are cold?",
      "Attacks of gout often begin at night.",
    );
    expect(question_length).toBeGreaterThan(1);
    for (const share of Object.values(shares)) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }
  });

  test("counts words of the title as context, not as the sentence's own", () => {
    const said = featuresOf("Does beer trigger gout?", "Beer triggers attacks.");
    expect(said.own).toBeLessThan(said.any);
    expect(said.missing_subject).toBe(0);
    const other = featuresOf("Does beer trigger gout?", "Beer triggers attacks.", "Migraine");
    expect(other.missing_subject).toBeGreaterThan(0);
  });

  test.each([
    ["Which drugs should not be taken?", "Avoid aspirin.", "only_question_denies"],
    ["Which drugs should not be taken?", "Do not take aspirin.", "both_deny"],
    ["Which drugs are taken?", "Aspirin is not taken.", "only_passage_denies"],
    ["How many mg are taken?", "Take one tablet.", "unit_missing"],
    [
      "My foot hurts at night since I began to eat fish and mussels",
      "Fish is rich in purines.",
      "story",
    ],
  ] as const)("%s / %s: %s", (asked, text, name) => {
    expect(featuresOf(asked, text)[name]).toBe(1);
  });
});

test("a regression weighs features, and gives a probability", () => {
  const fit = { intercept: -1, weights: { own: 2, story: -3 } };
  expect(logitOf({ own: 1, story: 0 }, fit)).toBe(1);
  expect(probabilityOf({ own: 0.5, story: 0 }, fit)).toBe(0.5);
  expect(probabilityOf({ own: 1, story: 1 }, fit)).toBeCloseTo(0.119, 3);
});
