import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateModelQuote } from "./model-quote";

const PASSAGE =
  "Dosage.\n\nAdults take **500 mg** of\namoxicillin three times a day. Children take less.";

describe("a model's quote", () => {
  it.each([
    ["Adults take 500 mg of amoxicillin", "Adults take **500 mg** of\namoxicillin"],
    ["  “adults  take 500 mg of amoxicillin” ", "Adults take **500 mg** of\namoxicillin"],
    ["… amoxicillin three times a day … less", "amoxicillin three times a day"],
    ["Adults take 500 mg ... three times a day. Children", "three times a day. Children"],
    ["dults take 500 mg of amoxicillin", null],
    ["500 mg", null],
    ["Adults take 5000 mg of amoxicillin", null],
    ["", null],
    ["…", null],
    ["x".repeat(5000), null],
  ])("%j is located as %j", (words, expected) => {
    const located = locateModelQuote(words, PASSAGE);
    expect(located?.text ?? null).toBe(expected);
  });

  it("is located despite different dashes, quotes, brackets and invisible characters", () => {
    const text = "See “it” [1]: 5–10 mg a\u00ad day, İstanbul 😀 said\u200b.";
    expect(locateModelQuote('See "it" (1): 5-10 mg a day, İstanbul 😀 said.', text)?.text).toBe(
      text,
    );
  });

  it("is always an exact part of the passage", () => {
    const texts = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(texts, texts, fc.nat(), fc.nat(), (one, other, from, length) => {
        const passage = `${one} some words that stand there ${other}`;
        const words = passage.slice(from % passage.length).slice(0, length % 80);
        for (const given of [words, other, "Some  words that STAND there"]) {
          const located = locateModelQuote(given, passage);
          expect(passage.slice(located?.start ?? 0, located?.end ?? 0)).toBe(located?.text ?? "");
        }
        expect(locateModelQuote("Some  words that STAND there", passage)).not.toBeNull();
      }),
      { numRuns: 300, seed: 20261124 },
    );
  });
});
