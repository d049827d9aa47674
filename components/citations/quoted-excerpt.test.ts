import { describe, expect, it } from "vitest";
import { excerptParts } from "./quoted-excerpt";

/** The parts as text, quoted ones in brackets. */
function show(excerpt: string, quotes: string[]): string {
  return excerptParts(excerpt, quotes)
    .map(({ text, isQuoted }) => (isQuoted ? `[${text}]` : text))
    .join("");
}

describe("splitting an excerpt", () => {
  it("separates the quote from the rest", () => {
    expect(show("Take 500 mg daily.", ["500 mg"])).toBe("Take [500 mg] daily.");
  });

  it("finds a quote with different whitespace", () => {
    expect(show("Take 500 mg daily.", ["500\n mg"])).toBe("Take [500 mg] daily.");
  });

  it("matches a quote literally, including special characters", () => {
    expect(show("a+b (c)* x", ["a+b (c)*"])).toBe("[a+b (c)*] x");
    expect(show("aab cc x", ["a+b"])).toBe("aab cc x … [a+b]");
  });

  it("appends the rest of a quote that is cut off", () => {
    expect(show("One. Two is a sentence that is…", ["Two is a sentence that is cut short."])).toBe(
      "One. [Two is a sentence that is cut short.]…",
    );
  });

  it("appends a quote that lies beyond its end", () => {
    expect(show("The beginning…", ["Far behind."])).toBe("The beginning … [Far behind.]");
  });

  it("merges overlapping and duplicate quotes", () => {
    expect(show("one two three four", ["one two", "two three", "one two"])).toBe(
      "[one two three] four",
    );
  });

  it("returns the excerpt unchanged without quotes", () => {
    expect(show("Words of a passage…", [])).toBe("Words of a passage…");
    expect(show("Words", ["", "  "])).toBe("Words");
    expect(show("", ["x"])).toBe(" … [x]");
  });
});
