import { describe, expect, it } from "vitest";
import { excerptParts } from "./excerpt";

/** The parts as text, quoted ones in brackets. */
function show(excerpt: string, quotes: string[]): string {
  return excerptParts(excerpt, quotes)
    .map(({ text, isQuoted }) => (isQuoted ? `[${text}]` : text))
    .join("");
}

describe("an excerpt", () => {
  it("tells its quote apart", () => {
    expect(show("Take 500 mg daily.", ["500 mg"])).toBe("Take [500 mg] daily.");
  });

  it("finds a quote whose words are parted by other blanks", () => {
    expect(show("Take 500 mg daily.", ["500\n mg"])).toBe("Take [500 mg] daily.");
  });

  it("takes a quote word for word, with its signs", () => {
    expect(show("a+b (c)* x", ["a+b (c)*"])).toBe("[a+b (c)*] x");
    expect(show("aab cc x", ["a+b"])).toBe("aab cc x … [a+b]");
  });

  it("goes on behind its end with a quote that begins in it", () => {
    expect(show("One. Two is a sentence that is…", ["Two is a sentence that is cut short."])).toBe(
      "One. [Two is a sentence that is cut short.]…",
    );
  });

  it("is followed by a quote that stands outside of it", () => {
    expect(show("The beginning…", ["Far behind."])).toBe("The beginning … [Far behind.]");
  });

  it("joins quotes that overlap, and takes each once", () => {
    expect(show("one two three four", ["one two", "two three", "one two"])).toBe(
      "[one two three] four",
    );
  });

  it("is as it was without quotes", () => {
    expect(show("Words of a passage…", [])).toBe("Words of a passage…");
    expect(show("Words", ["", "  "])).toBe("Words");
    expect(show("", ["x"])).toBe(" … [x]");
  });
});
