import { describe, expect, it } from "vitest";
import { bindMarkers } from "./bind-markers";

/** The text with its bound parts in braces. */
function show(content: string): string {
  const markers = [...content.matchAll(/\[\d\]/g)].map(({ index }) => ({
    start: index,
    end: index + 3,
  }));
  return bindMarkers(content, { start: 0, end: content.length }, markers)
    .map(({ start, end, isBound }) => {
      const text = content.slice(start, end);
      return isBound ? `{${text}}` : text;
    })
    .join("");
}

describe("bindMarkers", () => {
  it.each([
    ["A loss of balance [1]. Or more", "A loss of {balance [1].} Or more"],
    ["At most 2,550 mg [1]", "At most {2,550 mg [1]}"],
    ["One [1][2] [3][4], two", "{One [1][2] [3]}{[4],} two"],
    ["[1] first", "{[1]} first"],
    ["line\n[1]", "line\n{[1]}"],
    [`${"x".repeat(30)} [1]`, `${"x".repeat(30)} {[1]}`],
    ["これは文です[1]。次", "これは文です{[1]}。次"],
    ["No marker", "No marker"],
  ])("keeps a marker with what is before it: %s", (content, bound) => {
    expect(show(content)).toBe(bound);
  });

  it("stays inside its range", () => {
    const content = "A loss of balance [1]. Or";
    const marker = { start: 18, end: 21 };
    expect(bindMarkers(content, { start: 13, end: 21 }, [marker])).toEqual([
      { start: 13, end: 21, isBound: true },
    ]);
  });
});
