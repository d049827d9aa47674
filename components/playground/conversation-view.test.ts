import { describe, expect, it } from "vitest";
import type { Turn } from "./conversation";
import { formatState } from "./conversation-view";

function done(sources: number): Turn {
  const citations = Array.from({ length: sources }, (_, index) => ({ id: index + 1 }));
  return { state: "done", answer: { content: "Yes.", citations } } as unknown as Turn;
}

describe("formatState", () => {
  it.each([
    [0, "Answer complete, with 0 sources."],
    [1, "Answer complete, with 1 source."],
    [2, "Answer complete, with 2 sources."],
  ])("counts %s sources", (sources, text) => {
    expect(formatState(done(sources))).toBe(text);
  });
});
