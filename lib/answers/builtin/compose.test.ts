import { describe, expect, test } from "vitest";
import { type Candidate, readCorpus } from "@/lib/evidence/questions/candidates";
import { compose } from "./compose";

function unitsOf(...texts: string[]): readonly Candidate[] {
  return readCorpus(
    texts.map((text, at) => ({ number: at + 1, title: `Source ${at + 1}`, text })),
    "en",
  ).candidates;
}

describe("compose", () => {
  test.each([
    ["Rest helps.", "Rest helps [1]."],
    ["Rest helps!", "Rest helps [1]!"],
    ['He said "rest."', 'He said "rest [1]."'],
    ["Rest helps (see above.)", "Rest helps (see above [1].)"],
    ["It is sold in the U.S.", "It is sold in the U.S. [1]"],
    ["Pain, fever, etc.", "Pain, fever, etc. [1]"],
    ["Metformin 500 mg twice daily", "Metformin 500 mg twice daily [1]"],
    ["休息有帮助。", "休息有帮助 [1]。"],
  ])("writes %s as %s", (text, written) => {
    expect(compose(unitsOf(text))).toBe(written);
  });

  test("writes sentences in the order given, each with its marker", () => {
    expect(compose(unitsOf("One is one. Two is two."))).toBe("One is one [1]. Two is two [1].");
  });

  test("writes items as a list under their lead", () => {
    expect(
      compose(unitsOf("It is common. Symptoms include:\n- fever\n- cough.\n\nRest helps.")),
    ).toBe("It is common [1].\n\nSymptoms include:\n- fever [1]\n- cough [1].\n\nRest helps [1].");
  });

  test("writes items without a lead as a list", () => {
    expect(compose(unitsOf("- Fever is common.\n- Cough is rare."))).toBe(
      "- Fever is common [1].\n- Cough is rare [1].",
    );
  });

  test("writes a single item that is a sentence as a sentence", () => {
    expect(compose(unitsOf("- Fever is common.").slice(0, 1))).toBe("Fever is common [1].");
  });

  test("writes a sentence with line breaks on one line", () => {
    expect(compose(unitsOf("Rest\n  helps\nmost."))).toBe("Rest helps most [1].");
  });
});
