import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "@/lib/testing/cpu-time";
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
          if (before.verdict !== "unsupported") {
            expect(after.score).toBeLessThanOrEqual(before.score);
          }
          expect(after.verdict).not.toBe("supported");
        },
      ),
      {
        ...runs,
        examples: [
          ["1,000 twice mg aspirin ; 5-10", "mg twice , 1,000 aspirin. ; to the", "6661 mg"],
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
});

describe("running time", () => {
  const HOSTILE: Record<string, string> = {
    prose: "Aspirin reduced fever by 5 mg in 10% of children, but not in adults. ",
    "endless digits": "1",
    "endless thousands": "1,000,",
    negations: "not ",
    "negative numbers": "-1-",
    brackets: "([{",
    "unclosed markers": "[1,",
    "one long word": "a",
    "one sentence of numbers": "5 mg 10 % twice daily ",
    "one sentence of directions": "increase decrease ",
    synonyms: "high blood pressure ",
    "short forms": "chronic kidney disease (CKD) ",
    dates: "5 March 2020 ",
    exponents: "10^10^",
    accents: "e\u0301",
    "combining marks": "\u0301",
    "full stops": ". ",
    "every 12": "every every 12 ",
    blanks: " \n",
  };

  test.each(["prose", "negative numbers", "unclosed markers", "one sentence of numbers", "dates"])(
    "grows linearly with %s",
    (name) => {
      const piece = HOSTILE[name] ?? "";
      const cpuOf = (length: number) => {
        const text = piece.repeat(length / piece.length);
        const before = process.cpuUsage();
        judge(text, text);
        return process.cpuUsage(before).user;
      };
      // A quadratic step would take 16 times as long. Noise only adds time, so the best of several rounds decides.
      let [short, long] = [cpuOf(40_000), cpuOf(160_000)];
      for (let round = 0; round < 10 && long / short >= 10; round += 1) {
        short = Math.min(short, cpuOf(40_000));
        long = Math.min(long, cpuOf(160_000));
      }
      expect(long / short).toBeLessThan(10);
    },
  );

  test("grows linearly with thousands of numbers in a claim", () => {
    const numbers = Array.from({ length: 20_000 }, (_, at) => `${at + 10} mg`).join(" ");
    const dates = Array.from({ length: 8_000 }, (_, at) => `0${1 + (at % 9)}/03/2020`).join(" ");
    for (const claim of [`Aspirin ${numbers}`, `Aspirin ${dates}`]) {
      expect(cpuMs(() => judge(claim, "Aspirin 3 mg on 05/06/2020."))).toBeLessThan(2_500);
      expect(cpuMs(() => judge(claim, claim))).toBeLessThan(2_500);
    }
  });

  test.each(Object.keys(HOSTILE))("is linear in 100 kB of %s as claim and passage", (name) => {
    const piece = HOSTILE[name] ?? "";
    const of = (length: number) => piece.repeat(Math.ceil(length / piece.length));
    const elapsed = (claim: string, passage: string) => cpuMs(() => judge(claim, passage));
    elapsed(of(1_000), of(1_000));
    // Generous for a busy machine; a quadratic step would take minutes.
    expect(elapsed("Aspirin did not reduce fever by 5 mg.", of(100_000))).toBeLessThan(3_000);
    expect(elapsed(of(100_000), "Aspirin did not reduce fever by 5 mg.")).toBeLessThan(3_000);
    expect(elapsed(of(100_000), of(100_000))).toBeLessThan(5_000);
  });
});
