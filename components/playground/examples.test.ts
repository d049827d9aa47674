import { describe, expect, it } from "vitest";
import { toExamples } from "./examples";

const outline = (title: string, ...headings: string[]) => ({
  scope: "customer_kb" as const,
  title,
  headings,
});

describe("toExamples", () => {
  it("asks about the headings of each document in turn", () => {
    expect(
      toExamples(
        [outline("Apixaban", "Dose", "Interactions"), outline("Ward rules", "2.1 Visiting hours")],
        "company",
      ),
    ).toEqual([
      "What does “Apixaban” say about dose?",
      "What does “Ward rules” say about visiting hours?",
      "What does “Apixaban” say about interactions?",
    ]);
  });

  it("takes headings that are questions as they are, and keeps abbreviations", () => {
    expect(toExamples([outline("Stroke", "Who is at risk?", "NIHSS score")], "company")).toEqual([
      "Who is at risk?",
      "What does “Stroke” say about NIHSS score?",
    ]);
  });

  it("skips headings without a subject, and asks about the title alone when there is no other", () => {
    const headings = ["Introduction", "1. Background:", "Page 3", "42", "STROKE", "x".repeat(90)];
    expect(toExamples([outline("Stroke", ...headings)], "company")).toEqual([
      "What does “Stroke” say?",
    ]);
    expect(toExamples([outline(" ")], "company")).toEqual([]);
    expect(toExamples([outline("Letter"), outline("Stroke", "Signs")], "company")).toEqual([
      "What does “Stroke” say about signs?",
    ]);
  });

  it("asks only about documents that are searched", () => {
    const personal = { ...outline("My letter", "Diagnosis"), scope: "personal_kb" as const };
    expect(toExamples([personal], "company")).toEqual([]);
    expect(toExamples([personal], "personal")).toHaveLength(1);
  });

  it("shortens a long title at a word", () => {
    const title = "Guideline for the prevention of venous thromboembolism in hospitalized adults";
    expect(toExamples([outline(title, "Dose")], "company")).toEqual([
      "What does “Guideline for the prevention of venous thromboembolism in…” say about dose?",
    ]);
  });
});
