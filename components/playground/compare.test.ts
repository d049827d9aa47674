import { describe, expect, it } from "vitest";
import type { Verification } from "@/lib/answers/citations/schema";
import { NO_ANSWER } from "./answer";
import { compareRuns } from "./compare";
import { newTurn, type Run, runOf } from "./conversation";
import { newSettings, type Settings } from "./settings";

function run(change: Partial<Settings>, answer: Partial<Run["answer"]> = {}): Run {
  const settings = { ...newSettings("m-1"), ...change };
  const turn = newTurn("t", "Why?", { settings, rival: null, turns: [] });
  return { ...turn, state: "done", answer: { ...NO_ANSWER, ...answer } };
}

describe("compareRuns", () => {
  it("names the settings that differ, as fields of the request", () => {
    const facts = compareRuns(
      run({ top_k: "3", verify: "off" }),
      run({ model: "m-2", system: "Be brief." }),
    );
    expect(facts).toEqual([
      { name: "model", isField: true, main: "m-1", rival: "m-2" },
      { name: "top_k", isField: true, main: "3", rival: "default" },
      { name: "verify", isField: true, main: "off", rival: "default" },
      { name: "system", isField: true, main: "default", rival: "Be brief." },
    ]);
  });

  it("says that citations are off", () => {
    expect(compareRuns(run({}), run({ enabled: false }))).toContainEqual({
      name: "enabled",
      isField: true,
      main: "true",
      rival: "false",
    });
  });

  it("puts verdicts, cost and time side by side", () => {
    const usage = { prompt_tokens: 9, completion_tokens: 2, cost_usd: "0.000041" };
    const verification = {
      answered: "yes",
      sentences: 3,
      cited: 2,
      supported: 1,
      contradicted: 1,
    } as Verification;
    const facts = compareRuns(run({}, { usage, verification, totalMs: 1500 }), run({}));
    expect(facts.map(({ name, main, rival }) => [name, main, rival])).toEqual([
      ["Answers the question", "Yes", "–"],
      ["Verdicts", "1 supported, 1 possibly contradicted", "–"],
      ["Sentences cited", "2 of 3", "–"],
      ["Cost", "$0.000041", "–"],
      ["Tokens", "9 in, 2 out", "–"],
      ["Total", "1.50 s", "–"],
    ]);
  });
});

describe("a compared turn", () => {
  it("asks both sides, each after its own answers", () => {
    const settings = newSettings("m-1");
    const said = (content: string) => ({ ...NO_ANSWER, content });
    const first = newTurn("1", "One?", { settings, rival: null, turns: [] });
    const second = newTurn("2", "Two?", { settings, rival: newSettings("m-2"), turns: [first] });
    const turns = [
      { ...first, state: "done" as const, answer: said("Shared.") },
      {
        ...{ ...second, state: "done" as const, answer: said("A.") },
        rival: { ...runOf(second, "rival"), state: "done" as const, answer: said("B.") },
      },
    ];
    const third = newTurn("3", "Three?", { settings, rival: newSettings("m-2"), turns });
    const answers = (messages: { role: string; content: string }[] | undefined) =>
      messages?.filter(({ role }) => role === "assistant").map(({ content }) => content);
    expect(answers(third.request.messages)).toEqual(["Shared.", "A."]);
    expect(third.rival?.request.model).toBe("m-2");
    expect(answers(third.rival?.request.messages)).toEqual(["Shared.", "B."]);
  });
});
