import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import matter from "gray-matter";
import { describe, expect, it } from "vitest";
import { countTokens } from "@/lib/models/tokens";
import { chunkBlocks } from "./chunk";
import { DocumentFault } from "./fault";
import { type Block, decodeText, isMarkdown, parseMarkdown, parsePlain } from "./parse";

const randomWord = () => Math.random().toString(36).slice(2, 9);
const paragraph = (text: string): Block => ({ kind: "paragraph", depth: 0, text });

describe("chunks", () => {
  it("are exact ranges of the canonical text, whatever the blocks", async () => {
    const block = fc.record({
      kind: fc.constantFrom("heading", "paragraph", "item", "row") as fc.Arbitrary<Block["kind"]>,
      depth: fc.integer({ min: 1, max: 4 }),
      text: fc.oneof(
        fc.string({ minLength: 1, unit: "grapheme" }).map((text) => text.trim() || "x"),
        fc.integer({ min: 1, max: 900 }).map((words) => "Word after word. ".repeat(words).trim()),
        fc
          .tuple(fc.string({ minLength: 1, unit: "grapheme" }), fc.integer({ min: 1, max: 9000 }))
          .map(([unit, length]) => `x${unit.trim()}`.repeat(length).slice(0, 9000).toWellFormed()),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 12 }), async (blocks) => {
        const { text, chunks } = await chunkBlocks(blocks, 1000);
        for (const chunk of chunks) {
          expect(text.slice(chunk.charStart, chunk.charEnd)).toBe(chunk.text);
          expect(chunk.tokenCount).toBeLessThanOrEqual(500);
          expect([chunk.text, ...chunk.headings].every((part) => part.isWellFormed())).toBe(true);
        }
        const covered = blocks.filter(({ kind }) => kind !== "heading").length > 0;
        expect(chunks.length > 0).toBe(covered);
      }),
      { numRuns: 60 },
    );
  });

  it("keep every sentence of the text", async () => {
    const sentences = Array.from(
      { length: 300 },
      (_, index) => `Sentence number ${index} says something.`,
    );
    const { chunks } = await chunkBlocks([paragraph(sentences.join(" "))], 1000);
    expect(chunks.length).toBeGreaterThan(3);
    for (const sentence of sentences) {
      expect(chunks.some(({ text }) => text.includes(sentence))).toBe(true);
    }
  });

  it("never span two headings, and know the headings they stand under", async () => {
    const { chunks } = await chunkBlocks(
      parseMarkdown(
        "# Asthma\n\nIntro.\n\n## Symptoms\n\n- Cough\n- Wheeze\n\n## Care\n\nInhalers.\n\n### Spacers\n\nUse one.\n",
      ),
      1000,
    );
    expect(chunks.map(({ text, headings }) => [text, headings])).toEqual([
      ["Intro.", ["Asthma"]],
      ["- Cough\n- Wheeze", ["Asthma", "Symptoms"]],
      ["Inhalers.", ["Asthma", "Care"]],
      ["Use one.", ["Asthma", "Care", "Spacers"]],
    ]);
  });

  it("repeat the end of the one before, within a section", async () => {
    const blocks = Array.from({ length: 40 }, (_, index) =>
      paragraph(`Paragraph ${index}: ${"word ".repeat(30).trim()}.`),
    );
    const { chunks } = await chunkBlocks(blocks, 1000);
    for (const [index, chunk] of chunks.slice(1).entries()) {
      expect(chunk.charStart).toBeLessThan(chunks[index]?.charEnd ?? 0);
      expect(chunk.tokenCount).toBeLessThan(470);
    }
  });

  it("hold about 400 tokens at most for each article of the public sample", async () => {
    for (const name of readdirSync("prisma/knowledge")) {
      const { content } = matter(readFileSync(`prisma/knowledge/${name}`, "utf8"));
      const { text, chunks } = await chunkBlocks(parseMarkdown(content), 1000);
      expect(chunks.length).toBeGreaterThan(2);
      expect(Math.max(...chunks.map((chunk) => chunk.tokenCount))).toBeLessThanOrEqual(470);
      expect(countTokens(text)).toBeGreaterThan(300);
    }
  });
});

describe("hostile text", () => {
  it("of words without a full stop is cut in a time that grows with its length", async () => {
    const text = Array.from({ length: 60_000 }, randomWord).join(" ");
    const startedAt = performance.now();
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 5);
    const { chunks } = await chunkBlocks([paragraph(text)], 100_000);
    clearInterval(ticking);
    expect(performance.now() - startedAt).toBeLessThan(8000);
    expect(turns).toBeGreaterThan(8);
    expect(chunks.at(-1)?.charEnd).toBe(text.length);
  });

  it("of too many chunks is given up at the limit, not at its end", async () => {
    const text = Array.from({ length: 1_000_000 }, randomWord).join(" ");
    const startedAt = performance.now();
    await expect(chunkBlocks([paragraph(text)], 10)).rejects.toMatchObject({
      code: "too_many_chunks",
    });
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  it("of endless headings leaves each chunk 200 characters of one and 400 of them all", async () => {
    const long = (mark: string) => `${mark} ${"😀a".repeat(100_000)}`;
    const markdown = `${long("#")}\n\n${long("##")}\n\n### Inner\n\n${"Words of it. ".repeat(3)}\n`;
    const { text, chunks } = await chunkBlocks(parseMarkdown(markdown), 1000);
    expect(text.length).toBeGreaterThan(600_000);
    const [headings = []] = chunks.map((chunk) => chunk.headings);
    expect(headings.at(-1)).toBe("Inner");
    expect(headings.join().length).toBeLessThanOrEqual(400);
    expect(headings.every((heading) => heading.isWellFormed() && heading.length <= 200)).toBe(true);
    expect(countTokens(headings.join(" "))).toBeLessThanOrEqual(110);
  });

  it("of endless white space makes no chunk longer than others", async () => {
    const { chunks } = await chunkBlocks([paragraph(`a.${" \t".repeat(50_000)}b`.repeat(3))], 1000);
    expect(chunks.map(({ text }) => text)).toEqual(["a.", "ba.", "ba.", "b"]);
  });
});

describe("parsing", () => {
  it("takes Markdown's marks away and keeps its text", () => {
    const blocks = parseMarkdown(
      "---\ntitle: x\n---\n\n# Title\n\nSome **bold** and [a link](https://a.example) `code`.\n\n1. one\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\n<b>html</b>\n\n```\ncode block\n```\n",
    );
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ["heading", "Title"],
      ["paragraph", "Some bold and a link code."],
      ["item", "one"],
      ["item", "two"],
      ["row", "a | b"],
      ["row", "1 | 2"],
      ["paragraph", "quoted"],
      ["paragraph", "html"],
      ["paragraph", "code block"],
    ]);
  });

  it("takes plain text in paragraphs", () => {
    expect(parsePlain("a\nb\n\n \nc\n").map(({ text }) => text)).toEqual(["a\nb", "c"]);
  });

  it("tells Markdown by name or by a heading", () => {
    expect(isMarkdown("x.md", "")).toBe(true);
    expect(isMarkdown("x.txt", "# Head\n")).toBe(true);
    expect(isMarkdown(null, "#hashtag and # sign")).toBe(false);
  });

  it("refuses what is not UTF-8 text", () => {
    for (const bytes of [
      new Uint8Array([0xff, 0xfe, 0x41, 0]),
      new Uint8Array([0x41, 0]),
      new Uint8Array([0xc3]),
      ...["%PDF-1.4\nx", "PK\u0003\u0004x", "<!DOCTYPE html>\n<p>x", "\n<html lang=en>"].map(
        (text) => new TextEncoder().encode(text),
      ),
    ]) {
      expect(() => decodeText(bytes)).toThrow(DocumentFault);
    }
    expect(decodeText(new TextEncoder().encode("\uFEFFa\r\nb\rc"))).toBe("a\nb\nc");
  });
});
