import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PassageRange, TextWindow } from "@/lib/library/documents/library-schema";
import { cutSegments, layOutText, splitLists, startsQuote, withBullets } from "./text-layout";

const TEXT =
  "Dosing\n\nAdults\n\nTake one tablet. Take it with food.\n\n- at noon\n- at night\n\nChildren";

function passage(words: string, ordinal = 0, text = TEXT): PassageRange {
  const start = text.indexOf(words);
  return {
    id: `chk_${ordinal}`,
    ordinal,
    char_start: start,
    char_end: start + words.length,
    page_start: null,
    page_end: null,
    headings: [],
    tokens: 1,
    warnings: [],
  };
}

function windowOf(passages: PassageRange[], text = TEXT, start = 0): TextWindow {
  return {
    object: "kb.text",
    document_id: "doc_1",
    length: start + text.length,
    start,
    end: start + text.length,
    text,
    passages,
    pages: [],
  };
}

const PASSAGES = [
  passage("Take one tablet.", 0),
  passage("Take it with food.\n\n- at noon\n- at night", 1),
];

describe("layOutText", () => {
  it("marks where pages begin, also inside a list", () => {
    const pages = ["Adults", "- at night"].map((words, at) => ({
      page: at + 2,
      char_start: TEXT.indexOf(words),
    }));
    const blocks = layOutText({ ...windowOf(PASSAGES), pages }, null);
    const marked = blocks.filter(({ page }) => page !== null);
    expect(marked.map(({ page, segments }) => [page, segments[0]?.text])).toEqual([
      [2, "Adults"],
      [3, "- at night"],
    ]);
  });

  it("splits text into headings, paragraphs, and parts where passages start", () => {
    const blocks = layOutText(windowOf(PASSAGES), null);
    expect(
      blocks.map(({ kind, isContinued, begins, segments }) => [
        kind,
        isContinued,
        begins.map(({ ordinal }) => ordinal),
        segments.map(({ text }) => text).join("|"),
      ]),
    ).toEqual([
      ["heading", false, [], "Dosing"],
      ["heading", false, [], "Adults"],
      ["paragraph", false, [0], "Take one tablet. "],
      ["paragraph", true, [1], "Take it with food."],
      ["paragraph", false, [], "- at noon\n- at night"],
      ["heading", false, [], "Children"],
    ]);
  });

  it("marks a quote across several blocks", () => {
    const start = TEXT.indexOf("with food");
    const quote = { start, end: TEXT.indexOf("noon") + 4 };
    const quoted = layOutText(windowOf(PASSAGES), quote).flatMap(({ segments }) =>
      segments.filter(({ isQuoted }) => isQuoted),
    );
    expect(quoted.map(({ text }) => text)).toEqual(["with food.", "- at noon"]);
    expect(quoted[0]?.start).toBe(start);
  });

  it("treats text of a passage from the previous window as a paragraph, without marking it again", () => {
    const origin = TEXT.indexOf("- at noon");
    const [block] = layOutText(windowOf(PASSAGES.slice(1), TEXT.slice(origin), origin), null);
    expect(block).toMatchObject({ start: origin, kind: "paragraph", begins: [] });
  });

  it("marks overlapping passages", () => {
    const overlapping = [
      passage("Take one tablet. Take it with", 0),
      passage("Take it with food.", 1),
    ];
    const blocks = layOutText(windowOf(overlapping), null);
    expect(blocks.flatMap(({ begins }) => begins.map(({ ordinal }) => ordinal))).toEqual([0, 1]);
  });

  it("neither loses nor repeats text, wherever passages and quotes are", () => {
    const place = fc.integer({ min: 0, max: 60 });
    const range = fc.tuple(place, fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b", " ", "\n"), maxLength: 60 }),
        fc.array(range, { maxLength: 6 }),
        range,
        (text, ranges, [quoteStart, quoteLength]) => {
          const passages = ranges
            .map(([start, length]) => ({
              ...passage("", 0),
              char_start: start,
              char_end: start + length,
            }))
            .toSorted((a, b) => a.char_start - b.char_start);
          const quote = { start: quoteStart, end: quoteStart + quoteLength };
          const blocks = layOutText(windowOf(passages, text), quote);
          const segments = blocks.flatMap((block) => block.segments);
          expect(segments.map((segment) => segment.text).join("")).toBe(
            [...text.matchAll(/[^\n]+(?:\n[^\n]+)*/g)].join(""),
          );
          for (const segment of segments) {
            expect(text.slice(segment.start, segment.start + segment.text.length)).toBe(
              segment.text,
            );
            const isInside = segment.start >= quote.start && segment.start < quote.end;
            expect(segment.isQuoted).toBe(isInside);
          }
        },
      ),
    );
  });
});

describe("splitLists", () => {
  it("takes the bullets off the lines of a list, and keeps what is quoted", () => {
    const start = TEXT.indexOf("noon");
    const [block] = layOutText(windowOf(PASSAGES), { start, end: start + 4 }).slice(4);
    const [list] = splitLists(block?.segments ?? []);
    expect(list?.items?.map((item) => item.map(({ text }) => text))).toEqual([
      ["at ", "noon"],
      ["at night"],
    ]);
    expect(list?.items?.[0]?.[1]).toMatchObject({ start, isQuoted: true });
  });

  it("separates lists from the text around them", () => {
    const text = "Take it:\n\n- at noon\n- at night\nTwice.\n\nOr not\n- at all";
    const runs = splitLists([{ start: 7, text, isQuoted: false }]);
    const words = (segments: { text: string }[]) => segments.map((each) => each.text).join("");
    expect(runs.map(({ segments, items }) => items?.map(words) ?? words(segments))).toEqual([
      "Take it:",
      ["at noon", "at night"],
      "Twice.\n\nOr not",
      ["at all"],
    ]);
    for (const { start, text: piece } of runs.flatMap((run) => run.segments)) {
      expect(text.slice(start - 7, start - 7 + piece.length)).toBe(piece);
    }
  });

  it("has no lists in other text", () => {
    const [block] = layOutText(windowOf(PASSAGES), null).slice(2);
    expect(splitLists(block?.segments ?? [])).toMatchObject([{ items: null }]);
    expect(splitLists([])).toEqual([]);
  });
});

describe("withBullets", () => {
  it("shows the items of a list with bullets", () => {
    expect(withBullets("Take it:\n\n- at noon\n- 2 - 3 times")).toBe(
      "Take it:\n• at noon\n• 2 - 3 times",
    );
  });
});

describe("startsQuote", () => {
  it.each([
    ["Take one. Take two.", "Take two.", "Take two."],
    ["- at noon\n- at night", "- at night", "at night"],
    ["| | Noon | 5 mg |", "| Noon | 5 mg", "Noon"],
  ])("is true of the first words alone: %s", (text, quoted, first) => {
    const start = text.indexOf(quoted);
    const quote = { start, end: start + quoted.length };
    const [block] = layOutText(windowOf([passage(text, 0, text)], text), quote);
    const segments = block?.segments ?? [];
    const places = [...text.matchAll(/[\w .]*\w\.?/g)].map(({ 0: words, index }) => ({
      start: index,
      end: index + words.length,
    }));
    const pieces = places.flatMap((place) => cutSegments(segments, place));
    expect(pieces.filter((piece) => startsQuote(piece, segments, quote))).toMatchObject([
      { text: expect.stringContaining(first) },
    ]);
  });

  it("is false for a quote that continues in another block", () => {
    const quote = { start: TEXT.indexOf("Take it"), end: TEXT.indexOf("noon") + 4 };
    const [list] = layOutText(windowOf(PASSAGES), quote).filter(({ segments }) =>
      segments[0]?.text.startsWith("- "),
    );
    const segments = list?.segments ?? [];
    expect(segments.some(({ isQuoted }) => isQuoted)).toBe(true);
    expect(segments.some((segment) => startsQuote(segment, segments, quote))).toBe(false);
  });
});
