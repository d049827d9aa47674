import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { permalinkOf } from "./permalink";
import {
  hashOf,
  locateQuote,
  MAX_QUOTE,
  parseQuoteRef,
  type QuoteRef,
  TURN_UNITS,
} from "./quote-ref";

const TEXT = "Take 500 mg twice daily. Do not exceed 2 g. Take 500 mg twice daily with food.";
const units = fc.string({ unit: "binary", minLength: 0, maxLength: 60 });
const few = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 });

function refOf(text: string, start: number, end: number): QuoteRef {
  return { start, end, hash: hashOf(text.slice(start, end)) };
}

/** The occurrence of the quote nearest to a position: the result a search by hash must return. */
function nearestByWords(text: string, quote: string, start: number): number | null {
  let best: number | null = null;
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    best = best === null || Math.abs(at - start) < Math.abs(best - start) ? at : best;
  }
  return best;
}

describe("a permalink", () => {
  it("is the document's console URL with the quote's position and hash", () => {
    const link = permalinkOf("doc_1", { text: "500 mg", start: 5, end: 11 });
    expect(link).toMatch(/^http:\/\/localhost:3000\/documents\/doc_1\?quote=5-11-[0-9a-f]{12}$/);
    const ref = new URL(link).searchParams.get("quote") ?? "";
    expect(parseQuoteRef(ref)).toEqual({ start: 5, end: 11, hash: hashOf("500 mg") });
    expect(link).not.toContain("500");
  });

  it("has a stable format, because links in stored answers must work forever", () => {
    expect(hashOf("500 mg twice daily")).toBe("d63b829c3a18");
    expect(hashOf("é 😀")).toBe("b7444c9e8fc5");
  });

  it("is parsed only in its own format", () => {
    const hash = "0123456789ab";
    expect(parseQuoteRef(`0-1-${hash}`)).toEqual({ start: 0, end: 1, hash });
    const malformed = [
      "",
      "1-2",
      `2-1-${hash}`,
      `1-1-${hash}`,
      `-1-2-${hash}`,
      `01-2-${hash}`,
      `1.5-2-${hash}`,
      `1e3-2000-${hash}`,
      `1-2-${hash}0`,
      `1-2-${hash.toUpperCase()}`,
      `1-9999999999-${hash}`,
      ` 1-2-${hash}`,
      `1-2-${hash}\n`,
    ];
    for (const ref of malformed) {
      expect(parseQuoteRef(ref), ref).toBeNull();
    }
  });
});

describe("a quote", () => {
  it("is found at its original position", async () => {
    const place = await locateQuote(TEXT, refOf(TEXT, 5, 11));
    expect(place).toEqual({ status: "current", start: 5, end: 11 });
  });

  it("keeps its position even if the text repeats it elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(units, few, units, async (before, quote, after) => {
        const text = quote + before + quote + after + quote;
        const start = quote.length + before.length;
        const place = { start, end: start + quote.length };
        expect(await locateQuote(text, refOf(text, place.start, place.end))).toEqual({
          status: "current",
          ...place,
        });
      }),
    );
  });

  it("is found after edits elsewhere, at the nearest position with the same words", async () => {
    const edit = fc.tuple(units, few, units, units, units);
    await fc.assert(
      fc.asyncProperty(edit, async ([before, quote, after, newBefore, newAfter]) => {
        const text = before + quote + after;
        const ref = refOf(text, before.length, before.length + quote.length);
        const edited = newBefore + quote + newAfter;
        const start = nearestByWords(edited, quote, ref.start);
        expect(start).not.toBeNull();
        expect(await locateQuote(edited, ref)).toEqual({
          status: start === ref.start ? "current" : "moved",
          start,
          end: Number(start) + quote.length,
        });
      }),
    );
  });

  it("is reported as changed if its words are missing or its position is past the end", async () => {
    const ref = refOf(TEXT, 25, 43);
    expect(await locateQuote(TEXT.replace("2 g", "4 g"), ref)).toEqual({
      status: "changed",
      start: null,
      end: null,
    });
    for (const text of ["", "2 g", TEXT.slice(0, 42)]) {
      expect((await locateQuote(text, ref)).status).toBe("changed");
    }
    const beyond = { start: 900_000_000, end: 999_999_999, hash: "0".repeat(12) };
    expect((await locateQuote(TEXT, beyond)).status).toBe("changed");
  });

  it("never matches different words", async () => {
    await fc.assert(
      fc.asyncProperty(units, few, fc.integer({ min: 0, max: 200 }), async (text, quote, start) => {
        const ref = { start, end: start + quote.length, hash: hashOf(quote) };
        const place = await locateQuote(text, ref);
        expect(place.start).toBe(nearestByWords(text, quote, start));
      }),
    );
  });

  it("prefers the earlier of two equally near positions", async () => {
    expect(await locateQuote("ab..ab", { start: 2, end: 4, hash: hashOf("ab") })).toMatchObject({
      status: "moved",
      start: 0,
    });
  });

  it("is located in one pass, even among a million similar positions", async () => {
    const text = `${"a".repeat(1_000_000)}b`;
    const quote = `${"a".repeat(500_000)}b`;
    const ref = { start: 0, end: quote.length, hash: hashOf(quote) };
    expect(await locateQuote(text, ref)).toEqual({
      status: "moved",
      start: 500_000,
      end: 1_000_001,
    });
  });

  it("lets other work run while a long text is searched", async () => {
    const ref = { start: 0, end: 4, hash: hashOf("none") };
    const turns: number[] = [];
    const text = "a".repeat(4 * TURN_UNITS);
    await locateQuote(text, ref, async () => turns.push(turns.length));
    expect(turns).toHaveLength(3);
  });

  it("is not searched for if it is longer than any passage", async () => {
    const text = "a".repeat(MAX_QUOTE + 1);
    const ref = { start: 0, end: text.length, hash: hashOf(text) };
    expect((await locateQuote(text, ref)).status).toBe("changed");
  });
});
