import { describe, expect, test } from "vitest";
import { findConflicts } from "./conflicts";

function between(one: string, other: string, claims?: string[]) {
  return findConflicts(
    [
      { id: 1, text: one },
      { id: 2, text: other },
    ],
    claims,
  );
}

describe("findConflicts", () => {
  test("lists different numbers for the same quantity with their offsets", async () => {
    const one = "Background. The maximum daily dose of paracetamol for adults is 4 g.";
    const other = "For adults, the maximum daily dose of acetaminophen is 3,000 mg.";
    const [found, ...more] = await between(one, other);
    expect(more).toEqual([]);
    expect(found?.unit).toBe("g");
    expect(found?.terms).toEqual(expect.arrayContaining(["maximum", "dose", "paracetamol"]));
    expect(found?.values.map(({ id, text }) => [id, text])).toEqual([
      [1, "4 g"],
      [2, "3,000 mg"],
    ]);
    for (const { id, text, start, end } of found?.values ?? []) {
      expect((id === 1 ? one : other).slice(start, end)).toBe(text);
    }
  });

  test.each([
    ["Refunds are possible within 14 days.", "Refunds are possible within 30 days."],
    ["The dose of Zorvel is 2 mg.", "The dose of Zorvel is 5 mg."],
    ["A lost card costs 2 euros.", "A lost card costs €5."],
    ["Asthma affects 8% of children.", "Asthma affects 12 percent of children."],
    ["Normal fasting glucose is below 5.5 mmol/L.", "Normal fasting glucose is below 6.1 mmol/L."],
    [
      "Take amoxicillin for ear infections twice daily.",
      "Take amoxicillin for ear infections three times a day.",
    ],
    [
      "Measles incubation lasts about 10 days in children.",
      "Measles incubation lasts about 14 days in children.",
    ],
  ])("finds a conflict between %s and %s", async (one, other) => {
    expect(await between(one, other)).toHaveLength(1);
  });

  test.each([
    [
      "the same value in another unit",
      "The usual dose of aspirin is 0.5 g.",
      "The usual dose of aspirin is 500 mg.",
    ],
    ["different quantities", "Asthma affects 8% of children.", "Gout affects 3% of older men."],
    [
      "different units",
      "The usual dose of aspirin is 300 mg.",
      "The usual dose of aspirin is 5 mg/kg.",
    ],
    ["a bound and a value", "Normal sodium is above 135 mmol/L.", "Normal sodium is 140 mmol/L."],
    [
      "different groups",
      "Asthma affects 8% of children in Norway.",
      "Asthma affects 12% of miners who smoke heavily.",
    ],
    [
      "opposite directions",
      "Statins increased strength by 5% in adults.",
      "Statins decreased strength by 3% in adults.",
    ],
    ["no unit", "The survey of nurses had 300 answers.", "The survey of nurses had 200 answers."],
    [
      "different dates",
      "The survey of nurses opened in March 2019.",
      "The survey of nurses opened in May 2020.",
    ],
    [
      "a number that both passages contain",
      "Asthma affects 8% of children.",
      "Asthma affects 12% of children, 8% in towns.",
    ],
    [
      "a research question",
      "We studied whether asthma affects 8% of children.",
      "Asthma affects 12% of children.",
    ],
  ])("finds no conflict: %s", async (_what, one, other) => {
    expect(await between(one, other)).toEqual([]);
  });

  test("finds no conflict within a passage or with its copy", async () => {
    const text = "Asthma affects 8% of children. Asthma affects 12% of children.";
    expect(await findConflicts([{ id: 1, text }])).toEqual([]);
    expect(await between(text, text)).toEqual([]);
  });

  test("only reports quantities that the claims mention", async () => {
    const one = "Asthma affects 8% of children.";
    const other = "Asthma affects 12% of children.";
    expect(await between(one, other, ["Asthma is common in children."])).toHaveLength(1);
    expect(await between(one, other, ["Gout is painful."])).toEqual([]);
  });

  test("handles a long passage full of numbers in bounded time", async () => {
    const text = "The dose of aspirin was 5 mg in adults. ".repeat(2_500);
    const before = process.cpuUsage();
    await between(text, text.replaceAll("5 mg", "7 mg"));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000);
  });
});
