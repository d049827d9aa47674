import { describe, expect, it } from "vitest";
import { RulesJudge } from "./rules-judge";

const judge = new RulesJudge([
  { text: "The night shift begins at 21:30.", label: "Ward handbook › Shifts" },
  { text: "Take it with food.", label: "" },
]);

function verdictOn(text: string, id: number) {
  return judge.judge({ text, ids: [id] }).combined.verdict;
}

describe("a claim", () => {
  it("that only names its source is supported", () => {
    expect(verdictOn("Ward handbook › Shifts", 1)).toBe("supported");
  });

  it("that names something else, or nothing, isn't", () => {
    expect(verdictOn("Pharmacy handbook › Shifts", 1)).not.toBe("supported");
    expect(verdictOn("…", 2)).not.toBe("supported");
  });
});
