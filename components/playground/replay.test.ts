import { describe, expect, it } from "vitest";
import { toReplay } from "./replay";

type Stored = Parameters<typeof toReplay>[0];

function stored(messages: object[], completion: object = {}): Stored {
  return {
    completion: { request_id: "req_1", model: "m-2", evidence: [], ...completion },
    messages: messages.map((message) => ({ content: null, content_parts: null, ...message })),
  } as object as Stored;
}

describe("toReplay", () => {
  it("reads the question, what came before it, and the instructions", () => {
    const replay = toReplay(
      stored([
        { role: "system", content: "Be brief." },
        { role: "user", content: "One?" },
        { role: "assistant", content: "Uno [1]." },
        { role: "user", content: "Two?" },
      ]),
    );
    expect(replay).toEqual({
      requestId: "req_1",
      model: "m-2",
      preset: "company",
      isCited: false,
      system: "Be brief.",
      earlier: [{ question: "One?", answer: "Uno [1]." }],
      question: "Two?",
    });
  });

  it("takes the text of parts, and leaves tool calls out", () => {
    const parts = [{ type: "text", text: "What is this?" }, { type: "image_url" }];
    const messages = [
      { role: "user", content: "Weather?" },
      { role: "assistant" },
      { role: "tool", content: "{}" },
      { role: "user", content_parts: parts },
    ];
    expect(toReplay(stored(messages))).toMatchObject({ question: "What is this?", earlier: [] });
  });

  it("asks as the member when personal documents were searched", () => {
    const completion = { evidence: [{ scope: "personal_kb" }], citations: [] };
    expect(toReplay(stored([], completion))).toMatchObject({
      preset: "personal",
      isCited: true,
      question: "",
    });
  });
});
