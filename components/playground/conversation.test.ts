import { describe, expect, it } from "vitest";
import { NO_ANSWER, type Piece, takePiece } from "./answer";
import { newTurn, readKept, type Turn } from "./conversation";
import { newSettings } from "./settings";

const settings = newSettings("m-1");

function turn(change: Partial<Turn> = {}): Turn {
  const turns: Turn[] = [];
  return { ...newTurn("t", "Why?", { turns, settings }), state: "done", ...change };
}

describe("an answer", () => {
  const stream: Piece[] = [
    { choices: [{ delta: { content: "" } }], citations: [] },
    { choices: [{ delta: { content: "Be" } }] },
    { choices: [{ delta: { content: "cause" } }] },
    { choices: [{ delta: { annotations: [] }, finish_reason: "stop" }], citations: [] },
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, cost_usd: "0.000004" } },
  ];

  it("grows with the pieces of its stream, whose first words tell the time", () => {
    const answer = stream.reduce((so, piece, at) => takePiece(so, piece, at * 10), NO_ANSWER);
    expect(answer).toEqual({
      content: "Because",
      requestId: null,
      citations: [],
      annotations: [],
      finishReason: "stop",
      usage: { prompt_tokens: 3, completion_tokens: 2, cost_usd: "0.000004" },
      firstTokenMs: 10,
    });
  });

  it("that comes whole has no time to its first token, but its warnings", () => {
    const warnings = [{ code: "retrieval_unavailable", message: "…" }];
    const whole = {
      choices: [{ message: { content: "Because" }, finish_reason: "stop" }],
      warnings,
    };
    const answer = takePiece(NO_ANSWER, whole, 50);
    expect(answer).toMatchObject({ content: "Because", warnings });
    expect(answer).not.toHaveProperty("firstTokenMs");
    expect(answer).not.toHaveProperty("citations");
  });

  it("may be a refusal, and may be nothing", () => {
    const refused = takePiece(NO_ANSWER, { choices: [{ delta: { refusal: "No." } }] }, 1);
    expect(refused.content).toBe("No.");
    expect(takePiece(NO_ANSWER, {}, 1)).toEqual(NO_ANSWER);
    expect(takePiece(NO_ANSWER, { choices: [{ message: { content: null } }] }, 1).content).toBe("");
  });
});

describe("a new turn", () => {
  it("asks after all that was answered before, be it in part, and not after what failed", () => {
    const said = (content: string) => ({ ...NO_ANSWER, content });
    const turns = [
      turn({ question: "1?", answer: said("One [1].") }),
      turn({ question: "2?", state: "failed", answer: said("Tw") }),
      turn({ question: "3?", state: "stopped", answer: said("Thr") }),
      turn({ question: "4?", state: "stopped" }),
    ];
    expect(newTurn("n", "5?", { turns, settings }).request.messages).toEqual([
      { role: "user", content: "1?" },
      { role: "assistant", content: "One [1]." },
      { role: "user", content: "3?" },
      { role: "assistant", content: "Thr" },
      { role: "user", content: "5?" },
    ]);
  });
});

describe("a kept conversation", () => {
  const kept = (change: object) =>
    JSON.stringify({ owner: "mem_1", settings, turns: [turn()], draft: "Next", ...change });

  it("comes back to its member, with what was under way as stopped", () => {
    const back = readKept(kept({ turns: [turn({ state: "waiting" })] }), "mem_1", settings);
    expect(back).toMatchObject({ draft: "Next", turns: [{ question: "Why?", state: "stopped" }] });
  });

  it("comes back to nobody else", () => {
    expect(readKept(kept({}), "mem_2", settings)).toBeNull();
    expect(readKept(kept({ owner: undefined }), "mem_1", settings)).toBeNull();
  });

  it("takes the controls that it does not know from the defaults", () => {
    const back = readKept(kept({ settings: { model: "m-2" } }), "mem_1", settings);
    expect(back?.settings).toEqual({ ...settings, model: "m-2" });
  });

  it.each([null, "", "{", "7", "null", "[]", '{"owner":"mem_1","turns":7}'])(
    "is none when it reads %j",
    (text) => {
      expect(readKept(text, "mem_1", settings)).toBeNull();
    },
  );
});
