import { describe, expect, it } from "vitest";
import { applyPiece, NO_ANSWER, type Piece } from "./answer";
import { newTurn, restoreConversation, type Turn } from "./conversation";
import { newSettings } from "./settings";

const settings = newSettings("m-1");

function turn(change: Partial<Turn> = {}): Turn {
  const turns: Turn[] = [];
  return { ...newTurn("t", "Why?", { turns, settings, rival: null }), state: "done", ...change };
}

describe("an answer", () => {
  const stream: Piece[] = [
    { choices: [{ delta: { content: "" } }], citations: [] },
    { choices: [{ delta: { content: "Be" } }] },
    { choices: [{ delta: { content: "cause" } }] },
    { choices: [{ delta: { annotations: [] }, finish_reason: "stop" }], citations: [] },
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, cost_usd: "0.000004" } },
  ];

  it("grows with each chunk and records the time to the first token", () => {
    const answer = stream.reduce((so, piece, at) => applyPiece(so, piece, at * 10), NO_ANSWER);
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

  it("has warnings but no time to first token when it isn't streamed", () => {
    const warnings = [{ code: "retrieval_unavailable", message: "…" }];
    const whole = {
      choices: [{ message: { content: "Because" }, finish_reason: "stop" }],
      warnings,
    };
    const answer = applyPiece(NO_ANSWER, whole, 50);
    expect(answer).toMatchObject({ content: "Because", warnings });
    expect(answer).not.toHaveProperty("firstTokenMs");
    expect(answer).not.toHaveProperty("citations");
  });

  it("can be a refusal or empty", () => {
    const refused = applyPiece(NO_ANSWER, { choices: [{ delta: { refusal: "No." } }] }, 1);
    expect(refused.content).toBe("No.");
    expect(applyPiece(NO_ANSWER, {}, 1)).toEqual(NO_ANSWER);
    expect(applyPiece(NO_ANSWER, { choices: [{ message: { content: null } }] }, 1).content).toBe(
      "",
    );
  });
});

describe("a new turn", () => {
  it("follows all complete and partial answers, but not failed ones", () => {
    const said = (content: string) => ({ ...NO_ANSWER, content });
    const turns = [
      turn({ question: "1?", answer: said("One [1].") }),
      turn({ question: "2?", state: "failed", answer: said("Tw") }),
      turn({ question: "3?", state: "stopped", answer: said("Thr") }),
      turn({ question: "4?", state: "stopped" }),
    ];
    expect(newTurn("n", "5?", { turns, settings, rival: null }).request.messages).toEqual([
      { role: "user", content: "1?" },
      { role: "assistant", content: "One [1]." },
      { role: "user", content: "3?" },
      { role: "assistant", content: "Thr" },
      { role: "user", content: "5?" },
    ]);
  });
});

describe("a saved conversation", () => {
  const kept = (change: object) =>
    JSON.stringify({ owner: "mem_1", settings, turns: [turn()], draft: "Next", ...change });

  it("is restored for its member, with requests in progress marked as stopped", () => {
    const back = restoreConversation(
      kept({ turns: [turn({ state: "waiting" })] }),
      "mem_1",
      settings,
    );
    expect(back).toMatchObject({ draft: "Next", turns: [{ question: "Why?", state: "stopped" }] });
  });

  it("isn't restored for anyone else", () => {
    expect(restoreConversation(kept({}), "mem_2", settings)).toBeNull();
    expect(restoreConversation(kept({ owner: undefined }), "mem_1", settings)).toBeNull();
  });

  it("fills missing settings from the defaults", () => {
    const back = restoreConversation(kept({ settings: { model: "m-2" } }), "mem_1", settings);
    expect(back?.settings).toEqual({ ...settings, model: "m-2" });
  });

  it.each([null, "", "{", "7", "null", "[]", '{"owner":"mem_1","turns":7}'])(
    "is null for %j",
    (text) => {
      expect(restoreConversation(text, "mem_1", settings)).toBeNull();
    },
  );
});
