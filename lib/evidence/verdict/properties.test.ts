import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyzePassage } from "./analyze-passage";
import { judge, judgeAnalyzed } from "./judge";
import type { Verdict } from "./judged";

const WORDS = (
  "aspirin zinc lithium kidney renal heart fever children reduces increases not no without cures 5 mg 10 % 500 g " +
  "twice daily weeks days 2 14 at least more than up to ≥ < and or in of the with to whether safe unsafe café " +
  "naïve Ångström β-blockers IL-6 (CKD) , ; . . ! 1,000 10^3 5-10 half three March 2020 \n \n\n • 1. [1] 😀"
).split(" ");
const text = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...WORDS) },
      fc.string({ unit: "binary", maxLength: 6 }),
    ),
    {
      maxLength: 40,
    },
  )
  .map((words) => words.join(" "));
const sentence = fc
  .array(fc.constantFrom(...WORDS.filter((word) => !/[\s•[]|^1\.$/.test(word))), {
    minLength: 3,
    maxLength: 15,
  })
  .map((words) => words.join(" "));
const runs = { numRuns: 400 };

/** The verdicts in ascending order. */
const RANKS: Record<Verdict, number> = {
  contradicted: 0,
  unsupported: 0,
  unjudged: 0,
  partial: 1,
  supported: 2,
};

describe("judge", () => {
  test("quotes an exact part of the passage for any text", () => {
    fc.assert(
      fc.property(text, text, (claim, passage) => {
        const { quote, score, verdict, reason } = judge(claim, passage);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(reason === null).toBe(verdict === "supported");
        expect(quote === null).toBe(verdict === "unsupported" || verdict === "unjudged");
        if (quote) {
          expect(passage.slice(quote.start, quote.end)).toBe(quote.text);
          expect(quote.text.length).toBeGreaterThan(0);
        }
      }),
      runs,
    );
  });

  test("never judges a claim better for a number that the passage lacks", () => {
    const passages = fc
      .array(sentence, { minLength: 1, maxLength: 4 })
      .map((all) => all.join(". "));
    fc.assert(
      fc.property(
        sentence,
        passages,
        fc.constantFrom("7777", "73.5 kg", "83 %", "6661 mg"),
        (claim, passage, number) => {
          const before = judge(`${claim}.`, passage);
          const after = judge(`${claim} (${number}).`, passage);
          expect(RANKS[after.verdict]).toBeLessThanOrEqual(RANKS[before.verdict]);
          // Scores of unsupported claims say nothing about each other.
          if (before.verdict !== "unsupported" && after.verdict !== "unsupported") {
            expect(after.score).toBeLessThanOrEqual(before.score);
          }
          expect(after.verdict).not.toBe("supported");
        },
      ),
      {
        ...runs,
        examples: [
          ["1,000 twice mg aspirin ; 5-10", "mg twice , 1,000 aspirin. ; to the", "6661 mg"],
          ["half β-blockers half", "β-blockers 2 500 daily 5 β-blockers cures 10", "7777"],
          ["10^3 increases 1,000", "safe whether increases . % 2020 (CKD) IL-6 heart", "83 %"],
        ],
      },
    );
  });

  test("ignores whitespace", () => {
    const blank = fc.constantFrom(" ", "  ", "\t", "\n", "\u00a0", " \r\n ", "\u2003");
    fc.assert(
      fc.property(sentence, sentence, blank, (claim, passage, space) => {
        const plain = judge(claim, passage);
        const spaced = judge(claim.replaceAll(" ", space), passage.replaceAll(" ", space));
        expect({ ...spaced, quote: null }).toEqual({ ...plain, quote: null });
      }),
      runs,
    );
  });

  test.each(["NFC", "NFD", "NFKC", "NFKD"])("returns the same verdict for %s text", (form) => {
    fc.assert(
      fc.property(sentence, sentence, (claim, passage) => {
        const plain = judge(claim, passage);
        const normalized = judge(claim.normalize(form), passage.normalize(form));
        expect({ ...normalized, quote: null }).toEqual({ ...plain, quote: null });
      }),
      runs,
    );
  });

  test("returns the same judgement for an analyzed passage, in any order of claims", () => {
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 5 }), sentence, (claims, passage) => {
        const analyzed = analyzePassage(passage);
        for (const claim of claims) {
          expect(judgeAnalyzed(claim, analyzed)).toEqual(judge(claim, passage));
        }
      }),
      { numRuns: 100 },
    );
  });

  test("supports each sentence of the passage itself", () => {
    const said = sentence.filter((one) => /aspirin|zinc|lithium/.test(one) && !/[.!?]/.test(one));
    fc.assert(
      fc.property(said, (one) => {
        expect(judge(one, one).verdict).toBe("supported");
      }),
      runs,
    );
  });

  test("never supports a sentence with one word replaced by one that the passage lacks", () => {
    const sentences = fc.tuple(
      fc.constantFrom<string>("northern", "coastal", "tropical"),
      fc.constantFrom<string>("workers", "farmers", "teachers"),
      fc.constantFrom<string>("paint", "visit", "describe"),
      fc.constantFrom<string>("bridges", "gardens", "harbors", "kitchens"),
      fc.constantFrom<string>("during the winter", "in small villages", "with simple tools"),
    );
    const absent = fc.constantFrom("whistle", "borrow", "purple", "lazy", "trumpets", "wallets");
    fc.assert(
      fc.property(sentences, fc.nat({ max: 3 }), absent, (words, at, word) => {
        const passage = `Some ${words.join(" ")}.`;
        expect(judge(passage, passage).verdict).toBe("supported");
        expect(judge(`Some ${words.with(at, word).join(" ")}.`, passage).verdict).not.toBe(
          "supported",
        );
      }),
      runs,
    );
  });

  test("never supports a sentence with the subject of another one of the passage", () => {
    const subjects = fc.shuffledSubarray(["Warfarin", "Gliclazide", "The heron", "Basalt"], {
      minLength: 2,
    });
    const statements = fc.shuffledSubarray(
      ["rests near shallow rivers", "needs regular blood tests", "covers most of the island"],
      { minLength: 2 },
    );
    const titles = fc.constantFrom("", "Warfarin", "Herons");
    fc.assert(
      fc.property(subjects, statements, titles, ([one, other], [first, second], title) => {
        const passage = `${one} ${first}. ${other} ${second}.`;
        expect(judge(`${one} ${first}.`, passage, title).verdict).toBe("supported");
        expect(judge(`${other} ${second}.`, passage, title).verdict).toBe("supported");
        expect(judge(`${other} ${first}.`, passage, title).verdict).not.toBe("supported");
        expect(judge(`${one} ${second}.`, passage, title).verdict).not.toBe("supported");
      }),
      runs,
    );
  });
});
