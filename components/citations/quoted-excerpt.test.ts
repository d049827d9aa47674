import { describe, expect, it } from "vitest";
import { excerptParts } from "./quoted-excerpt";

/** The parts as text, quoted ones in brackets. */
function show(excerpt: string, quotes: (string | [text: string, start: number])[]): string {
  const placed = quotes.map((quote, index) => {
    const [text, start] = typeof quote === "string" ? [quote, index * 1000] : quote;
    return { text, char_start: start, char_end: start + text.length };
  });
  return excerptParts(excerpt, placed)
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
    expect(show("aab cc x", ["a+b"])).toBe("aab cc x\n… [a+b]");
  });

  it("appends the rest of a quote that is cut off", () => {
    expect(show("One. Two is a sentence that is…", ["Two is a sentence that is cut short."])).toBe(
      "One. [Two is a sentence that is cut short.]…",
    );
  });

  it("appends a quote that lies beyond its end", () => {
    expect(show("The beginning…", ["Far behind."])).toBe("The beginning\n… [Far behind.]");
  });

  it("appends quotes in a row without a gap, and others on lines of their own", () => {
    expect(
      show("The beginning…", [
        ["Far behind.", 100],
        ["And on.", 112],
        ["Later.", 400],
      ]),
    ).toBe("The beginning\n… [Far behind.] [And on.]\n… [Later.]");
    expect(
      show("The beginning…", [
        ["- one", 100],
        ["- two", 106],
      ]),
    ).toBe("The beginning\n…\n[- one]\n[- two]");
  });

  it("continues the list at the end of the excerpt", () => {
    expect(
      show("- at noon\n- at night…", [
        ["at night", 20],
        ["at dawn", 31],
      ]),
    ).toBe("- at noon\n- [at night]\n- [at dawn]");
  });

  it("merges overlapping and duplicate quotes", () => {
    expect(show("one two three four", ["one two", "two three", "one two"])).toBe(
      "[one two three] four",
    );
  });

  it("returns the excerpt unchanged without quotes", () => {
    expect(show("Words of a passage…", [])).toBe("Words of a passage…");
    expect(show("Words", ["", "  "])).toBe("Words");
    expect(show("", ["x"])).toBe("\n… [x]");
  });
});
