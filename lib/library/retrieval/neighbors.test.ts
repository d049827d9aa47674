import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NEIGHBOR_TOKENS, type Neighbor, widen } from "./neighbors";

const SECTION = "First sentence. Second sentence. Third sentence.\n\nFourth sentence. Fifth.";

/** The chunk of the section from one position to another. */
function part(from: number, to: number) {
  return { text: SECTION.slice(from, to), charStart: from, charEnd: to };
}

function neighbor(distance: number, from: number, to: number, tokenCount = 5): Neighbor {
  return { id: `chk_${distance}`, distance, tokenCount, ...part(from, to) };
}

const middle = part(16, 32);

describe("a passage with its neighbors", () => {
  it("is one piece of the document, without repeating where chunks overlap", () => {
    const around = [neighbor(-1, 0, 20), neighbor(1, 28, 48), neighbor(2, 50, 73)];
    expect(widen(middle, around, new Set())).toEqual({ text: SECTION, charStart: 0 });
  });

  it("is the passage alone if it has none", () => {
    expect(widen(middle, [], new Set())).toEqual({ text: middle.text, charStart: 16 });
  });

  it("leaves out chunks that are shown already, and what is behind them", () => {
    const shown = new Set(["chk_1"]);
    const around = [neighbor(-1, 0, 16), neighbor(1, 33, 48), neighbor(2, 50, 73)];
    expect(widen(middle, around, shown).text).toBe(SECTION.slice(0, 32));
    expect(shown).toEqual(new Set(["chk_1", "chk_-1"]));
  });

  it("leaves out chunks that don't touch it, and those that would exceed the bound", () => {
    const far = neighbor(1, 40, 48);
    const long = neighbor(-1, 0, 16, NEIGHBOR_TOKENS + 1);
    expect(widen(middle, [far, long], new Set()).text).toBe(middle.text);
  });

  it("is always a piece of the document, within the bound", () => {
    const place = fc.nat(SECTION.length);
    const cuts = fc.tuple(place, place, place, place, place, place).map((all) => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = all.toSorted((x, y) => x - y);
      return { before: [a, c] as const, at: [b, d] as const, after: [Math.min(d, e), f] as const };
    });
    fc.assert(
      fc.property(cuts, fc.nat(NEIGHBOR_TOKENS), ({ before, at, after }, tokens) => {
        const around = [neighbor(-1, ...before, tokens), neighbor(1, ...after, tokens)];
        const shown = new Set<string>();
        const { text, charStart } = widen(part(...at), around, shown);
        expect(SECTION.slice(charStart, charStart + text.length)).toBe(text);
        expect(shown.size * tokens).toBeLessThanOrEqual(NEIGHBOR_TOKENS);
      }),
    );
  });
});
