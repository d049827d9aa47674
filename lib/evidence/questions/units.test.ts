import { describe, expect, test } from "vitest";
import { splitUnits, type Unit } from "./units";

function textsOf(text: string): string[] {
  return splitUnits(text).map((unit) => unit.text);
}

function contextOf({ text, heading, lead }: Unit): Partial<Unit> {
  return { text, heading, lead };
}

describe("splitUnits on prose", () => {
  test("returns each sentence", () => {
    expect(textsOf("Asthma is common. It starts early! Does it last? Often.")).toEqual([
      "Asthma is common.",
      "It starts early!",
      "Does it last?",
      "Often.",
    ]);
  });

  test.each([
    "Take carbohydrate, e.g. juice, i.e. sugar, at once.",
    "Dr. Smith and Prof. Jones compared drug A vs. drug B.",
    "It takes approx. 5 days.",
    "Glucose of 5.5 mmol/L (approx. 99 mg/dL) is normal.",
    "The U.S. Food and Drug Administration approved it.",
    "See Fig. 3 and No. 4 for details.",
    "Smith et al. found it in 2019.",
    "The total is 1,200.50 mg in 24 hours.",
  ])("%s is one sentence", (sentence) => {
    expect(textsOf(sentence)).toEqual([sentence]);
  });

  test.each([
    ["It is sold in the U.S. The label says so.", 2],
    ["It needs vitamin K. The liver makes clotting factors.", 2],
    ["The kidneys filter blood. eGFR falls with age.", 2],
  ])("%s is %i sentences", (text, count) => {
    expect(textsOf(text)).toHaveLength(count);
  });

  test("continues a sentence over line breaks, as an exact substring", () => {
    const text = "The main symptoms are wheezing\nand cough. They come\r\nat night.";
    expect(textsOf(text)).toEqual([
      "The main symptoms are wheezing\nand cough.",
      "They come\r\nat night.",
    ]);
  });

  test("cuts text without end marks into parts", () => {
    const text = Array.from({ length: 300 }, (_, at) => `value${at}`).join(" ");
    const parts = textsOf(text);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.every((part) => text.includes(part) && part.split(" ").length <= 60)).toBe(true);
    expect(parts.join(" ")).toBe(text);
  });

  test("returns nothing for an empty text", () => {
    expect(splitUnits("")).toEqual([]);
    expect(splitUnits("\n\n---\n\n***\n")).toEqual([]);
  });
});

describe("splitUnits on structure", () => {
  test("uses headings as context and never quotes them", () => {
    const units = splitUnits(
      "# Asthma\n\nA disease.\n\n## Symptoms ##\n\nCough.\n\n### At night\n\nWheeze.\n\n## Causes\n\nDust.",
    );
    expect(units.map(({ text, heading }) => [text, heading])).toEqual([
      ["A disease.", "Asthma"],
      ["Cough.", "Asthma › Symptoms"],
      ["Wheeze.", "Asthma › Symptoms › At night"],
      ["Dust.", "Asthma › Causes"],
    ]);
  });

  test.each([
    ["a short line by itself", "Sick leave\n\nTell your manager."],
    ["a line underlined with dashes", "Sick leave\n----------\nTell your manager."],
    ["a line underlined with equals signs", "Sick leave\n===\n\nTell your manager."],
    ["a short line with a colon before prose", "Sick leave:\n\nTell your manager."],
    ["a line in bold", "**Sick leave**\n\nTell your manager."],
  ])("%s is a heading", (_, text) => {
    expect(splitUnits(text).map(contextOf)).toEqual([
      { text: "Tell your manager.", heading: "Sick leave", lead: null },
    ]);
  });

  test("quotes a short last line", () => {
    expect(textsOf("Metformin 500 mg twice daily")).toEqual(["Metformin 500 mg twice daily"]);
  });

  test("returns list items with their lead", () => {
    const units = splitUnits(
      "It is common. Symptoms include:\n\n- fever\n- a cough\n  that lasts\n\n* chills\n• rash\n\nSee a doctor.",
    );
    expect(units.map(({ text, lead, list }) => [text, lead, list])).toEqual([
      ["It is common.", null, null],
      ["fever", "Symptoms include:", 0],
      ["a cough\n  that lasts", "Symptoms include:", 0],
      ["chills", "Symptoms include:", 0],
      ["rash", "Symptoms include:", 0],
      ["See a doctor.", null, null],
    ]);
  });

  test("returns numbered items and separates two lists", () => {
    const units = splitUnits("1. Call for help.\n2. Start CPR.\n\nThen wait.\n\n1) Rest.");
    expect(units.map(({ text, list }) => [text, list])).toEqual([
      ["Call for help.", 0],
      ["Start CPR.", 0],
      ["Then wait.", null],
      ["Rest.", 1],
    ]);
  });

  test("uses an item with a colon as lead for the items below it only", () => {
    const units = splitUnits("Options are:\n- Medicines:\n  - triptans\n  - gepants\n- rest");
    expect(units.map(({ text, lead }) => [text, lead])).toEqual([
      ["triptans", "Medicines:"],
      ["gepants", "Medicines:"],
      ["rest", "Options are:"],
    ]);
  });

  test("finds a list that lost its line breaks", () => {
    const units = splitUnits("You become sick if: - you breathe it in - it gets into a wound");
    expect(units.map(({ text, lead }) => [text, lead])).toEqual([
      ["you breathe it in", "You become sick if:"],
      ["it gets into a wound", "You become sick if:"],
    ]);
  });

  test("doesn't read a dash in prose as a list", () => {
    expect(textsOf("One thing is clear - it helps - and it is safe.")).toHaveLength(1);
  });

  test("returns table rows with the table's header", () => {
    const units = splitUnits("| Plan | Price |\n|:---|---:|\n| Free | $0 |\n| Pro | $20 |");
    expect(units.map(contextOf)).toEqual([
      { text: "Free | $0", heading: null, lead: "Plan | Price" },
      { text: "Pro | $20", heading: null, lead: "Plan | Price" },
    ]);
  });

  test("numbers units across the source", () => {
    const units = splitUnits("# A\n\nOne. Two.\n\n- three\n\n## B\n\nFour.");
    expect(units.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });

  test("reads a long rule in bounded time", () => {
    expect(textsOf(`| ${"-".repeat(20_000)}x`)).toHaveLength(1);
  });
});
