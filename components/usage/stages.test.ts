import { describe, expect, it } from "vitest";
import { stagesOf } from "./stages";

const shown = (request: Parameters<typeof stagesOf>[0]) =>
  stagesOf(request).map(({ name, start, ms }) => [name, start, ms]);

describe("the stages of a request", () => {
  it("follow each other, with what is outside any of them last", () => {
    const details = { stages_ms: { model: 30, retrieval: 10, verification: 5 } };
    expect(shown({ details, latency_ms: 50, first_token_ms: null })).toEqual([
      ["Retrieval", 0, 10],
      ["Model", 10, 30],
      ["Verification", 40, 5],
      ["Other", 45, 5],
    ]);
  });

  it("split a stream's model where its first token came", () => {
    const details = { stages_ms: { retrieval: 10, model: 30 } };
    expect(shown({ details, latency_ms: 40, first_token_ms: 18 })).toEqual([
      ["Retrieval", 0, 10],
      ["Model, until the first token", 10, 8],
      ["Model, generation", 18, 22],
    ]);
    // A sentence that is held back until it is verified may come after the model's end.
    expect(shown({ details, latency_ms: 45, first_token_ms: 44 })).toEqual([
      ["Retrieval", 0, 10],
      ["Model", 10, 30],
      ["Other", 40, 5],
    ]);
  });

  it("are none if none was recorded", () => {
    expect(shown({ details: {}, latency_ms: 40, first_token_ms: null })).toEqual([]);
  });
});
