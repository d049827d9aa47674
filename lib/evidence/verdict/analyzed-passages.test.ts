import { describe, expect, it } from "vitest";
import { analyzeChunk } from "./analyzed-passages";
import { RulesJudge } from "./rules-judge";

const TEXT = "The night shift begins at 21:30 and ends at 06:00.";

describe("the analysis of a chunk", () => {
  it("is done once, and judges claims as its text does", async () => {
    const label = "Ward handbook";
    const first = analyzeChunk("chk_same", TEXT, label);
    for (const text of ["The night shift begins at 21:30.", "The night shift ends at 21:30."]) {
      const judgements = await Promise.all(
        [undefined, "chk_same"].map((chunkId) =>
          new RulesJudge([{ text: TEXT, label, chunkId }]).judge({ text, ids: [1] }),
        ),
      );
      expect(judgements[1]).toEqual(judgements[0]);
    }
    expect(analyzeChunk("chk_same", TEXT, label)).toBe(first);
  });

  it("is done again for another text or another label", () => {
    const first = analyzeChunk("chk_changed", TEXT, "Ward handbook");
    const longer = analyzeChunk("chk_changed", `${TEXT} Ask the sister.`, "Ward handbook");
    expect(longer.passage).toBe(`${TEXT} Ask the sister.`);
    expect(analyzeChunk("chk_changed", TEXT, "Roster").label.text).toBe("Roster");
    expect(analyzeChunk("chk_changed", TEXT, "Ward handbook")).not.toBe(first);
  });

  it("isn't kept when the cache is full, which is emptied when it finds too little", () => {
    const long = TEXT + " ".repeat(20_000);
    const analyze = (id: number) => analyzeChunk(`chk_${id}`, long, "");
    const isKept = (id: number) => {
      const once = analyze(id);
      return analyze(id) === once;
    };
    const first = analyze(0);
    const ids = Array.from({ length: 100 }, (_, index) => index);
    const fitting = ids.filter(isKept);
    expect(fitting.length).toBeGreaterThan(20);
    expect(fitting.length).toBeLessThan(100);
    expect(analyze(0)).toBe(first);
    for (let missed = 0; missed <= 5000; missed += 1) {
      analyze(1000 + missed);
    }
    expect(analyze(0)).not.toBe(first);
  });
});
