import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RulesJudge } from "./rules-judge";

const judge = new RulesJudge([
  { text: "The night shift begins at 21:30.", label: "Ward handbook › Shifts" },
  { text: "Take it with food.", label: "" },
]);

async function verdictOn(text: string, id: number) {
  return (await judge.judge({ text, ids: [id] })).combined.verdict;
}

describe("a claim", () => {
  it("that only names its source is supported", async () => {
    expect(await verdictOn("Ward handbook › Shifts", 1)).toBe("supported");
  });

  it("that names something else, or nothing, isn't", async () => {
    expect(await verdictOn("Pharmacy handbook › Shifts", 1)).not.toBe("supported");
    expect(await verdictOn("…", 2)).not.toBe("supported");
  });
});

describe("the passages, while the answer is awaited,", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Two sources that record when they are read. */
  function prepare() {
    const read: number[] = [];
    const sources = [1, 2].map((id) => ({
      get text() {
        read.push(id);
        return "The night shift begins at 21:30.";
      },
      label: "",
    }));
    return { read, stop: new RulesJudge(sources).prepare() };
  }

  it("are analyzed", () => {
    const { read } = prepare();
    vi.runAllTimers();
    expect(read).toEqual([1, 2]);
  });

  it("are left as soon as it is there", () => {
    const { read, stop } = prepare();
    vi.advanceTimersToNextTimer();
    stop();
    vi.runAllTimers();
    expect(read).toEqual([1]);
  });
});
