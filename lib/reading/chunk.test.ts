import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMs } from "@/lib/testing/cpu-time";
import { splitFrontMatter } from "@/lib/text/front-matter";
import { readTables } from "@/lib/text/tables";
import { countTokens } from "@/lib/text/tokens";
import { chunkBlocks } from "./chunk";
import { type Block, paragraph } from "./parse/block";
import { parseMarkdown } from "./parse/markdown";

const LIMITS = { maxChunks: 1000, chunkTokens: 400, overlapTokens: 60 };
const blocksOf = (markdown: string) => parseMarkdown(markdown).blocks;
const randomWord = () => Math.random().toString(36).slice(2, 9);

describe("chunks", () => {
  it("are exact ranges of the canonical text, for any blocks", () => {
    const block = fc.record({
      kind: fc.constantFrom("heading", "paragraph", "item", "row") as fc.Arbitrary<Block["kind"]>,
      depth: fc.integer({ min: 1, max: 4 }),
      hasHead: fc.boolean(),
      text: fc.oneof(
        fc.string({ minLength: 1, unit: "grapheme" }).map((text) => text.trim() || "x"),
        fc.integer({ min: 1, max: 900 }).map((words) => "Word after word. ".repeat(words).trim()),
        fc
          .tuple(fc.string({ minLength: 1, unit: "grapheme" }), fc.integer({ min: 1, max: 9000 }))
          .map(([unit, length]) => `x${unit.trim()}`.repeat(length).slice(0, 9000).toWellFormed()),
      ),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), (drafts) => {
        const blocks = drafts.map(({ hasHead, ...draft }) => ({
          ...draft,
          ...(hasHead && draft.kind === "row" && { head: "Drug | Dose" }),
        }));
        const { text, chunks } = chunkBlocks(blocks, LIMITS);
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

  it("don't begin after an abbreviation", () => {
    const sentence = "It was approved by the U.S. Food and Drug Administration for severe pain.";
    const { chunks } = chunkBlocks([paragraph(Array(120).fill(sentence).join(" "))], LIMITS);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.filter(({ text }) => !text.startsWith("It was"))).toEqual([]);
  });

  it("cover every sentence of the text", () => {
    const sentences = Array.from(
      { length: 300 },
      (_, index) => `Sentence number ${index} says something.`,
    );
    const { chunks } = chunkBlocks([paragraph(sentences.join(" "))], LIMITS);
    expect(chunks.length).toBeGreaterThan(3);
    for (const sentence of sentences) {
      expect(chunks.some(({ text }) => text.includes(sentence))).toBe(true);
    }
  });

  it.each(["\n", " "])("don't cut sentences of a long text without a blank line (%j)", (space) => {
    const sentence =
      "The patient was given 40 mg of simvastatin once daily and was seen again after a week.";
    const { chunks } = chunkBlocks([paragraph(Array(3000).fill(sentence).join(space))], LIMITS);
    expect(chunks.length).toBeGreaterThan(100);
    expect(
      chunks.filter(({ text }) => !(text.startsWith("The") && text.endsWith("week."))),
    ).toEqual([]);
  });

  it("never span two headings, and include the headings above them", () => {
    const { chunks } = chunkBlocks(
      blocksOf(
        "# Asthma\n\nIntro.\n\n## Symptoms\n\n- Cough\n- Wheeze\n\n## Care\n\nInhalers.\n\n### Spacers\n\nUse one.\n",
      ),
      LIMITS,
    );
    expect(chunks.map(({ text, headings }) => [text, headings])).toEqual([
      ["Intro.", ["Asthma"]],
      ["- Cough\n- Wheeze", ["Asthma", "Symptoms"]],
      ["Inhalers.", ["Asthma", "Care"]],
      ["Use one.", ["Asthma", "Care", "Spacers"]],
    ]);
  });

  it("overlap with the previous chunk within a section", () => {
    const blocks = Array.from({ length: 40 }, (_, index) =>
      paragraph(`Paragraph ${index}: ${"word ".repeat(30).trim()}.`),
    );
    const { chunks } = chunkBlocks(blocks, LIMITS);
    for (const [index, chunk] of chunks.slice(1).entries()) {
      expect(chunk.charStart).toBeLessThan(chunks[index]?.charEnd ?? 0);
      expect(chunk.tokenCount).toBeLessThan(470);
    }
  });

  it("begin with the names of their columns where a long table is split, and repeat none otherwise", () => {
    const head = "Drug | Dose in the morning | Dose in the evening";
    const rows = Array.from(
      { length: 200 },
      (_, at): Block => ({
        ...{ kind: "row", depth: 0, text: `Drug number ${at} | ${at} mg | ${at + 1} mg`, head },
      }),
    );
    const prose = Array.from({ length: 12 }, (_, at) =>
      paragraph(`Paragraph ${at}: ${"word ".repeat(30).trim()}.`),
    );
    const { text, chunks } = chunkBlocks([...prose, ...rows, ...prose], LIMITS);
    const tables = chunks.filter((chunk) => chunk.text.includes("Drug number"));
    expect(tables.length).toBeGreaterThan(5);
    expect(text.split(head).length - 1).toBe(tables.length);
    for (const chunk of tables) {
      const named = readTables(chunk.text).rows;
      expect(named.length).toBe(chunk.text.split("Drug number").length - 1);
      expect(named.every(({ cells }) => cells[2]?.column === "Dose in the evening")).toBe(true);
      expect(chunk.tokenCount).toBeLessThanOrEqual(470);
      expect(text.slice(chunk.charStart, chunk.charEnd)).toBe(chunk.text);
    }
  });

  it("tell a table from the next one by its columns", () => {
    const row = (text: string, head?: string): Block => ({
      ...{ kind: "row", depth: 0, text, ...(head && { head }) },
    });
    const blocks = [row("Aspirin | 1 mg", "Drug | Dose"), row("Ann | 555", "Name | Phone")];
    const { text, starts } = chunkBlocks([...blocks, row("plain | row")], LIMITS);
    expect(text).toBe(
      "| Drug | Dose |\n| --- | --- |\n| Aspirin | 1 mg |\n\n| Name | Phone |\n| --- | --- |\n| Ann | 555 |\n\n| plain | row |",
    );
    expect(starts.map((start) => text.slice(start, start + 3))).toEqual(["Asp", "Ann", "pla"]);
  });

  it("include their pages and whether part of them is hidden", () => {
    const blocks = [1, 2, 3].map((page) => ({
      ...paragraph(`Page ${page}.`),
      page,
      isHidden: page === 2,
    }));
    const { chunks } = chunkBlocks(blocks, LIMITS);
    expect(chunks).toMatchObject([{ pageStart: 1, pageEnd: 3, isHidden: true }]);
    expect(chunkBlocks([paragraph("No pages.")], LIMITS).chunks).toMatchObject([
      { pageStart: null, pageEnd: null, isHidden: false },
    ]);
  });

  it("come with the places where pages begin; one without text begins where the next one does", () => {
    const blocks = [1, 1, 4].map((page, at) => ({ ...paragraph(`Part ${at}.`), page }));
    const { text, pageStarts } = chunkBlocks(blocks, LIMITS);
    const last = text.indexOf("Part 2.");
    expect(pageStarts).toEqual([0, last, last, last]);
    expect(chunkBlocks([paragraph("No pages.")], LIMITS).pageStarts).toEqual([]);
  });

  it("follow the configured size", () => {
    const blocks = Array.from({ length: 90 }, (_, index) => paragraph(`Paragraph ${index} of it.`));
    const { chunks } = chunkBlocks(blocks, { ...LIMITS, chunkTokens: 50, overlapTokens: 0 });
    expect(Math.max(...chunks.map(({ tokenCount }) => tokenCount))).toBeLessThanOrEqual(50);
    expect(
      chunks.every(({ charStart }, index) => charStart > (chunks[index - 1]?.charEnd ?? -1)),
    ).toBe(true);
  });

  it("have at most about 400 tokens in every article of the public sample", () => {
    for (const name of readdirSync("prisma/knowledge")) {
      const { content } = splitFrontMatter(readFileSync(`prisma/knowledge/${name}`, "utf8"));
      const { text, chunks } = chunkBlocks(blocksOf(content), LIMITS);
      expect(chunks.length).toBeGreaterThan(2);
      expect(Math.max(...chunks.map((chunk) => chunk.tokenCount))).toBeLessThanOrEqual(470);
      expect(countTokens(text)).toBeGreaterThan(300);
    }
  });
});

describe("hostile text", () => {
  it("without full stops is split in linear time", () => {
    const text = Array.from({ length: 60_000 }, randomWord).join(" ");
    const cut = () => chunkBlocks([paragraph(text)], { ...LIMITS, maxChunks: 100_000 });
    expect(cpuMs(() => expect(cut().chunks.at(-1)?.charEnd).toBe(text.length))).toBeLessThan(8000);
  });

  it("is rejected when it exceeds the chunk limit", () => {
    const text = Array.from({ length: 1_000_000 }, randomWord).join(" ");
    const cut = () => chunkBlocks([paragraph(text)], { ...LIMITS, maxChunks: 10 });
    const refused = expect.objectContaining({ code: "too_many_chunks" });
    expect(cpuMs(() => expect(cut).toThrow(refused))).toBeLessThan(2000);
  });

  it("with endless headings is limited to 200 characters per heading and 400 in total", () => {
    const long = (mark: string) => `${mark} ${"😀a".repeat(100_000)}`;
    const markdown = `${long("#")}\n\n${long("##")}\n\n### Inner\n\n${"Words of it. ".repeat(3)}\n`;
    const { text, chunks } = chunkBlocks(blocksOf(markdown), LIMITS);
    expect(text.length).toBeGreaterThan(600_000);
    const [headings = []] = chunks.map((chunk) => chunk.headings);
    expect(headings.at(-1)).toBe("Inner");
    expect(headings.join().length).toBeLessThanOrEqual(400);
    expect(headings.every((heading) => heading.isWellFormed() && heading.length <= 200)).toBe(true);
    expect(countTokens(headings.join(" "))).toBeLessThanOrEqual(110);
  });

  it("with endless whitespace doesn't make chunks longer", () => {
    const { chunks } = chunkBlocks([paragraph(`a.${" \t".repeat(50_000)}b`.repeat(3))], LIMITS);
    expect(chunks.map(({ text }) => text)).toEqual(["a.", "ba.", "ba.", "b"]);
  });
});
