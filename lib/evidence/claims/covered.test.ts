import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMs } from "@/lib/testing/cpu-time";
import { CodePoints } from "@/lib/text/code-points";
import { normalizeMarkers } from "../markers";
import { readSpans } from "./spans";

/** Formats each covered sentence as "1,3: its text". */
function covered(answer: string): string[] {
  const { text, markers } = normalizeMarkers(answer, 9);
  return readSpans(text, markers).covered.map((span) => `${span.ids}: ${span.text}`);
}

describe("a marker", () => {
  it.each<[string, string, string[]]>([
    [
      "ends a paragraph",
      "Foo helps. Bar harms. Baz rests [1].",
      ["1: Foo helps.", "1: Bar harms."],
    ],
    ["follows its last full stop", "Foo helps. Bar harms. [1]", ["1: Foo helps."]],
    ["is on a line of its own", "Foo helps. Bar harms.\n\n[1]", ["1: Foo helps."]],
    ["begins a paragraph", "[1] Foo helps. Bar harms.", ["1: Bar harms."]],
    ["is one of several", "Foo helps. Bar harms [1][2].", ["1,2: Foo helps."]],
    ["ends a list item", "- Foo helps. Bar harms [1].\n- Baz rests.", ["1: Foo helps."]],
  ])("covers the other sentences when it %s", (_, answer, expected) => {
    expect(covered(answer)).toEqual(expected);
  });

  it.each<[string, string, string[]]>([
    ["the previous one", "Foo helps. Bar harms [1]. Baz rests. Qux ends [2].", ["2: Baz rests."]],
    ["the next one", "[1] Foo helps. Bar harms. Baz rests [2]. Qux ends.", ["1: Bar harms."]],
    ["another in its own sentence", "Foo helps. Bar harms [1], and baz rests [2].", []],
    ["the paragraph's end", "Foo helps.\n\nBar harms. Baz rests [1].\n\nQux.", ["1: Bar harms."]],
  ])("covers sentences up to %s", (_, answer, expected) => {
    expect(covered(answer)).toEqual(expected);
  });

  it("shares the sentences between two that begin and end a paragraph", () => {
    expect(covered("[1] Foo helps. Bar harms. Baz rests [2].")).toEqual(["1,2: Bar harms."]);
  });

  it.each([
    ["that end within a paragraph", "Foo helps [1]. Bar harms."],
    ["with words after them", "Foo helps. In [1] bar harms."],
    ["for code", "```\nFoo helps. Bar harms.\n```\nBaz rests [1]."],
    ["for JSON", 'So {"foo": "It helps. It harms."} is right [1].'],
    ["for a table", "| Foo | helps. Bar |\n|---|---|\n| harms | it [1] |"],
    ["for a heading", "## Foo helps. Bar harms.\nBaz rests [1]."],
    ["for quoted lines", "> Foo helps. Bar harms [1]."],
    ["for questions", "Does foo help? Bar harms [1]."],
    ["for abstentions", "The sources do not mention foo. Bar harms [1]."],
    ["of abstentions", "Foo helps. The sources do not mention bar [1]."],
  ])("covers nothing: markers %s", (_, answer) => {
    expect(covered(answer)).toEqual([]);
  });

  it("covers nothing if it was added", () => {
    const text = "Foo helps. Bar harms [1].";
    const markers = [{ id: 1, start: 21, end: 24, isAdded: true as const }];
    expect(readSpans(text, markers)).toMatchObject({ covered: [], spans: [{ ids: [1] }] });
  });
});

describe("covered sentences of any answer", () => {
  const part = fc.constantFrom(
    ...[
      "Foo helps. ",
      "Bar 👩 is 2.5 mg",
      ". ",
      "\n\n",
      "\n",
      "- ",
      "1. ",
      "[1]",
      "[2] ",
      "[1][3]",
    ],
    ...["**", "`x.y`", "```\n", "| a | b |\n", "> ", "Does it? ", "“Yes.” ", "…", ":", "{", '"'],
    ...["## ", "The sources do not mention it. ", "According to "],
  );
  const answer = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""));

  it("are in the text, have no marker, and overlap no other claim", () => {
    fc.assert(
      fc.property(answer, (written) => {
        const { text, markers } = normalizeMarkers(written, 9);
        const points = new CodePoints(text);
        const { spans, covered: found } = readSpans(text, markers);
        const cited = new Set(spans.map(({ sentence }) => sentence));
        for (const { start, end, text: claim, sentence, ids, markers: own } of found) {
          const [from, to] = [points.toOffset(start), points.toOffset(end)];
          expect(text.slice(from, to)).toBe(claim);
          expect(claim).toMatch(/[\p{L}\p{N}]/u);
          expect(cited.has(sentence)).toBe(false);
          expect(markers.some((marker) => marker.start < to && marker.end > from)).toBe(false);
          expect(ids.toSorted()).toEqual([...new Set(own.map(({ id }) => id))].toSorted());
          // Between a marker of the same paragraph and the claim is no other paragraph's claim.
          for (const marker of own) {
            const place = points.toOffset(marker.start);
            const between = text.slice(Math.min(place, to), Math.max(place, from));
            expect(between.trim()).not.toMatch(/\p{L}[^\n]*\n\s*\n[^\n]*\p{L}/u);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("are at most 100, in linear time", () => {
    const long = (length: number) => `${"Foo helps. ".repeat(length / 11)}Bar harms [1].`;
    expect(covered(long(40_000))).toHaveLength(100);
    const read = (text: string) => {
      const { markers } = normalizeMarkers(text, 9);
      return cpuMs(() => readSpans(text, markers));
    };
    expect(read(long(200_000))).toBeLessThan(2_500);
    expect(read("[1] Foo helps. Bar harms. Baz rests [2].\n\n".repeat(4_000))).toBeLessThan(2_500);
  });
});
