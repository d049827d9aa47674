import { describe, expect, it } from "vitest";
import { type Misread, misreadNumbers, withoutMisread } from "./misread";
import { RulesJudge } from "./rules-judge";

const TEXT = "The maximum dose of Aspivaril is 35 mg a day. Children take Aspivaril with food.";
const CHAR_START = 1000;
const at = (part: string) => [
  CHAR_START + TEXT.indexOf(part),
  CHAR_START + TEXT.indexOf(part) + part.length,
];

async function judge(claim: string, uncertain: readonly number[] | null, others: string[] = []) {
  const sources = [TEXT, ...others].map((text) => ({ text, label: "Aspivaril" }));
  const ids = sources.map((_, index) => index + 1);
  const misread = new Map<number, Misread[]>([
    [1, misreadNumbers({ text: TEXT, charStart: CHAR_START, uncertain })],
  ]);
  const rules = await new RulesJudge(sources).judge({ text: claim, ids });
  const checked = withoutMisread({ text: claim, ids }, rules, (id) => misread.get(id) ?? []);
  return {
    combined: checked.combined,
    first: checked.bySource.get(1),
  };
}

const CLAIM = "The maximum dose of Aspivaril is 35 mg a day.";
const UNJUDGED = { verdict: "unjudged", reason: "ocr", score: 0 };

describe("a number that may have been misread", () => {
  it("never supports or contradicts a claim, whose quote stays", async () => {
    expect((await judge(CLAIM, null)).combined.verdict).toBe("supported");
    expect(await judge(CLAIM, at("35"))).toMatchObject({
      combined: UNJUDGED,
      first: { ...UNJUDGED, quote: { text: expect.stringContaining("35 mg") } },
    });
    const other = CLAIM.replace("35", "70");
    expect((await judge(other, null)).combined.verdict).toBe("contradicted");
    expect((await judge(other, at("35"))).combined).toMatchObject(UNJUDGED);
    const spelled = CLAIM.replace("35", "thirty-five");
    expect((await judge(spelled, null)).combined.verdict).toBe("supported");
    expect((await judge(spelled, at("35"))).combined).toMatchObject(UNJUDGED);
  });

  it("leaves claims without numbers, and words that may have been misread, as they are", async () => {
    const claim = "Children take Aspivaril with food.";
    expect((await judge(claim, at("35"))).combined.verdict).toBe("supported");
    expect((await judge(CLAIM, at("maximum"))).combined.verdict).toBe("supported");
    expect((await judge("Zinc grows in 12 gardens of Peru.", at("35"))).combined.verdict).toBe(
      "unsupported",
    );
  });

  it("doesn't outweigh another source that was not recognized", async () => {
    const sure = await judge(CLAIM, at("35"), [TEXT]);
    const combined = await judge(CLAIM, at("35"), ["Salt."]);
    expect(sure.first).toMatchObject(UNJUDGED);
    expect(sure.combined.verdict).toBe("supported");
    expect(combined.combined).toMatchObject(UNJUDGED);
  });

  it("counts only inside the source's text", () => {
    expect(misreadNumbers({ text: TEXT, charStart: CHAR_START, uncertain: [0, 900] })).toEqual([]);
    expect(misreadNumbers({ text: TEXT, charStart: CHAR_START, uncertain: [5000, 5010] })).toEqual(
      [],
    );
  });
});
