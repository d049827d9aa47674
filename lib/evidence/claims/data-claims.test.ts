import { describe, expect, test } from "vitest";
import { findClearSource, hasWord } from "../verdict/clear-source";
import { RulesJudge } from "../verdict/rules-judge";
import { readDataClaims } from "./data-claims";

const SOURCES = [
  {
    label: "Ibuprofen",
    text: "The usual dose of ibuprofen is 400 mg every 6 to 8 hours with food. Do not take more than 1,200 mg in 24 hours.",
  },
  {
    label: "Antibiotic doses",
    text: "| Drug | Adult dose | Child dose |\n|---|---|---|\n| Amoxicillin | 500 mg | 250 mg |\n| Doxycycline | 100 mg | not recommended |",
  },
];

async function verdictsOf(data: unknown): Promise<Record<string, string | null>> {
  const judge = new RulesJudge(SOURCES);
  const isKnown = (word: string) => [1, 2].some((id) => hasWord(judge.analyze([id]), word));
  const verdicts: Record<string, string | null> = {};
  for (const { path, text, ids } of readDataClaims(JSON.stringify(data), {
    sourceCount: 2,
    isKnown,
  })) {
    const found = ids.length > 0 ? ids : [await findClearSource(text, judge, 1)];
    const known = found.filter((id) => id !== null);
    const judged = known.length > 0 ? await judge.judge({ text, ids: known }) : null;
    verdicts[path] = judged?.combined.verdict ?? null;
  }
  return verdicts;
}

const textsOf = (data: unknown) =>
  readDataClaims(JSON.stringify(data), { sourceCount: 2, isKnown: (word) => word !== "data" }).map(
    ({ text }) => text,
  );

describe("a value is a claim about the record around it", () => {
  test.each<[string, unknown, string[]]>([
    ["its name", { drug: "Ibuprofen", dose: "400 mg" }, ["Ibuprofen dose 400 mg"]],
    ["its keys", { ibuprofen: { adults: { dose: "400 mg" } } }, ["ibuprofen adults dose 400 mg"]],
    ["a name further out", { drug: "Ibuprofen", doses: [{ mg: 400 }] }, ["Ibuprofen 400 mg"]],
    ["the unit of its key", { drug: "A", doseMgPerDay: 400 }, ["A dose 400 mg per day"]],
    [
      "the unit of its key, for a range",
      { drug: "A", interval_hours: "6 to 8" },
      ["A interval 6 to 8 hours"],
    ],
    ["no unit from a rate", { drug: "A", times_a_day: 4 }, ["A times a day 4"]],
    ["not its schema's outer words", { data: [{ drug: "A", dose: "4 mg" }] }, ["A dose 4 mg"]],
    [
      "a sentence about its name",
      { drug: "Advil", how: "Take 4 mg with food." },
      ["Advil: Take 4 mg with food."],
    ],
    [
      "a sentence that names it",
      { drug: "Advil", how: "Advil is taken with food." },
      ["Advil is taken with food."],
    ],
    ["sentences one by one", { answer: "Take 4 mg [1]. It helps [2]." }, ["Take 4 mg", "It helps"]],
  ])("%s", (_how, data, texts) => {
    expect(textsOf(data)).toEqual(texts);
  });

  test.each([
    { name: "Ibuprofen" },
    { ok: true, none: null, empty: "" },
    { page: "https://example.org/a", id: "urn:x:1" },
    { word: "x".repeat(2000) },
  ])("or none: %j", (data) => {
    expect(textsOf(data)).toEqual([]);
  });

  test("at most 100 of them", () => {
    expect(textsOf({ drug: "A", doses: Array.from({ length: 500 }, (_, at) => at) })).toHaveLength(
      100,
    );
  });
});

describe("judged by the sources", () => {
  test("right values of a table are supported, exchanged ones aren't", async () => {
    expect(
      await verdictsOf([
        { drug: "Amoxicillin", adult_dose: "500 mg", child_dose_mg: 250 },
        { drug: "Doxycycline", adult_dose: "500 mg", child_dose: "100 mg" },
      ]),
    ).toEqual({
      "$[0].adult_dose": "supported",
      "$[0].child_dose_mg": "supported",
      "$[1].adult_dose": "contradicted",
      "$[1].child_dose": "partial",
    });
  });

  test("another number than the source's is contradicted", async () => {
    expect(await verdictsOf({ drug: "Ibuprofen", usual_dose: "1,200 mg" })).toEqual({
      "$.usual_dose": "contradicted",
    });
  });

  test("a right number under a key in other words isn't accused", async () => {
    const verdicts = await verdictsOf({
      drug: "Ibuprofen",
      max_daily_mg: 1200,
      interval_hours: "6 to 8",
    });
    expect(Object.values(verdicts)).not.toContain("contradicted");
  });

  test("what no source is about has no source", async () => {
    expect(await verdictsOf({ country: "France", capital: "Paris" })).toEqual({
      "$.capital": null,
    });
  });
});
