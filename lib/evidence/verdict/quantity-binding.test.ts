import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judge } from "./judge";

const DOSES =
  "Paracetamol: the usual dose is 1 g in adults and 15 mg/kg in children. Labels allow 3,000 mg a day, and doctors at most 4,000 mg a day.";

describe("a number", () => {
  test.each([
    ["Labels allow 4,000 mg a day.", DOSES],
    [
      "The loading dose is 75 mg, and the maintenance dose is 300 mg.",
      "The loading dose is 300 mg, and the maintenance dose is 75 mg.",
    ],
    [
      "Survival was 54% in the treated group and 71% in the control group.",
      "In that trial, survival was 71% in the treated group and 54% in the control group.",
    ],
    [
      "A response was seen in 33% (95% CI 37% to 30%) of patients.",
      "A response was seen in 33% (95% CI 30% to 37%) of patients.",
    ],
    [
      "Die Anfangsdosis beträgt 20 mg und die Erhaltungsdosis 10 mg.",
      "Die Anfangsdosis beträgt 10 mg und die Erhaltungsdosis 20 mg.",
    ],
  ])("that describes something else in the passage contradicts: %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).toBe("contradicted");
  });

  test("that describes something else, with another bound, isn't supported", () => {
    expect(judge("Doctors allow at most 3,000 mg a day.", DOSES).verdict).not.toBe("supported");
  });

  test.each([
    ["Labels allow 3,000 mg a day.", DOSES],
    ["Labels allow 3 g a day.", DOSES],
    [
      "The maintenance dose is 75 mg, and the loading dose is 300 mg.",
      "The loading dose is 300 mg, and the maintenance dose is 75 mg.",
    ],
    ["The trial opened on 03/05/2020.", "The trial opened on March 5th, 2020."],
  ])("with what it describes is supported in any order: %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).toBe("supported");
  });

  test("swapped with another of its sentence is never supported", () => {
    const values = fc.uniqueArray(fc.integer({ min: 2, max: 900 }), { minLength: 2, maxLength: 4 });
    const group = ["placebo", "aspirin", "warfarin", "heparin"];
    const sentenceWith = (numbers: readonly number[]) =>
      `Bleeding occurred in ${numbers.map((number, at) => `${number} patients on ${group[at]}`).join(", ")}.`;
    fc.assert(
      fc.property(values, (numbers) => {
        expect(judge(sentenceWith(numbers), sentenceWith(numbers)).verdict).toBe("supported");
        const swapped = [numbers[1] ?? 0, numbers[0] ?? 0, ...numbers.slice(2)];
        expect(judge(sentenceWith(swapped), sentenceWith(numbers)).verdict).toBe("contradicted");
      }),
      { numRuns: 100 },
    );
  });
});

describe("a rounded number", () => {
  const passage =
    "Remission was reached by 31.4% of patients after 54 weeks, and by 18 to 26% before.";

  test.each([
    "Remission was reached by about 31% of patients after 54 weeks.",
    "Remission was reached by roughly 30% of patients after 54 weeks.",
  ])("is supported: %s", (claim) => {
    expect(judge(claim, passage).verdict).toBe("supported");
  });

  test("isn't supported without a word that says so, but isn't contradicted either", () => {
    const claim = "Remission was reached by 31% of patients after 54 weeks.";
    expect(judge(claim, passage)).toMatchObject({ verdict: "partial", reason: "number" });
  });

  test.each([
    "Remission was reached by about 40% of patients after 54 weeks.",
    "Remission was reached by about 32% of patients after 54 weeks.",
  ])("that isn't the passage's contradicts: %s", (claim) => {
    expect(judge(claim, passage).verdict).toBe("contradicted");
  });
});

test.each([
  [
    "The fine for a book returned two weeks late is $6.",
    "A book returned up to three weeks late costs a fine of $6.",
  ],
  ["The infusion runs for 90 minutes.", "The infusion runs for at least 60 minutes."],
])("a number within the passage's bound isn't contradicted: %s", (claim, passage) => {
  expect(judge(claim, passage)).toMatchObject({ verdict: "partial", reason: "comparator" });
});

test.each([
  ["Yes.", "Antibiotics do not help."],
  ["$4", "A book costs $4."],
  ["It is **$4**.", "A book costs $4."],
  ["Es sind 4 €", "Das Buch kostet 4 €."],
  ["500 mg", "Adults take 500 mg twice a day."],
  ["10 to 20 mg.", "Adults take 10 to 20 mg."],
])("an answer without its question isn't judged: %s", (claim, passage) => {
  const whole = judge(passage, passage);
  expect(whole).toMatchObject({ verdict: "supported" });
  expect(judge(claim, passage)).toMatchObject({ verdict: "unjudged", reason: "too_short" });
});
