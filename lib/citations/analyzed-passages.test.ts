import { describe, expect, it } from "vitest";
import { analyzeChunk } from "./analyzed-passages";
import { RulesJudge } from "./rules-judge";

const TEXT = "The night shift begins at 21:30 and ends at 06:00.";

describe("the analysis of a chunk", () => {
  it("is done once, and judges claims as its text does", () => {
    const label = "Ward handbook";
    const first = analyzeChunk("chk_same", TEXT, label);
    for (const text of ["The night shift begins at 21:30.", "The night shift ends at 21:30."]) {
      const judgements = [undefined, "chk_same"].map((chunkId) =>
        new RulesJudge([{ text: TEXT, label, chunkId }]).judge({ text, ids: [1] }),
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

  it("is forgotten when many others were used since", () => {
    const first = analyzeChunk("chk_old", TEXT, "");
    const kept = analyzeChunk("chk_kept", TEXT, "");
    const long = TEXT.repeat(200);
    for (let index = 0; index < 90; index += 1) {
      analyzeChunk(`chk_${index}`, long, "");
      expect(analyzeChunk("chk_kept", TEXT, "")).toBe(kept);
    }
    expect(analyzeChunk("chk_old", TEXT, "")).not.toBe(first);
  });
});
