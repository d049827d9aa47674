import { describe, expect, it } from "vitest";
import { type Block, paragraph } from "../parse/block";
import { isTranscript, writtenBlocks } from "./written-page";

const SENTENCE =
  "Patients with severe asthma receive twice the usual quantity before every meal during summer.";

function tesseract(text: string, ...unsure: string[]): Block[] {
  const uncertain = unsure.flatMap((word) => [
    text.indexOf(word),
    text.indexOf(word) + word.length,
  ]);
  return [{ ...paragraph(text), page: 4, uncertain }];
}

describe("a page that a vision model has read", () => {
  it("has the structure that the model wrote, in or outside a block of code", () => {
    const blocks = tesseract("Dosage Aspivaril 35 mg Betacor 20 mg");
    const text = "# Dosage\n\n| Drug | Dose |\n|---|---|\n| Aspivaril | 35 mg |\n| Betacor | |";
    const expected = [
      { kind: "heading", text: "Dosage", page: 4 },
      { kind: "row", text: "Aspivaril | 35 mg", head: "Drug | Dose", page: 4, uncertain: [] },
      { kind: "row", text: "Betacor | ", head: "Drug | Dose", page: 4 },
    ];
    for (const written of [text, `\`\`\`markdown\n${text}\n\`\`\`\n`]) {
      expect(writtenBlocks({ page: 4, blocks, language: "eng", written })).toMatchObject(expected);
    }
  });

  it("is sure of the numbers that Tesseract read with confidence, and of no others", () => {
    const blocks = tesseract("Give 35 mg or 1.5 ml, at most 8O mg or 60 mg.", "60");
    const written = "Give 35 mg or 1.5 ml, at most 80 mg or 60 mg.";
    const [block] = writtenBlocks({ page: 4, blocks, language: "eng", written });
    const [eighty, sixty] = [written.indexOf("80"), written.indexOf("60")];
    expect(block?.uncertain).toEqual([eighty, eighty + 2, sixty, sixty + 2]);
  });
});

describe("a model's text", () => {
  it("is a page's if it has most of the words that Tesseract read there", () => {
    expect(isTranscript(`**${SENTENCE}**`, tesseract(SENTENCE))).toBe(true);
    expect(isTranscript("I can't read this image, sorry.", tesseract(SENTENCE))).toBe(false);
    expect(isTranscript("", tesseract(SENTENCE))).toBe(false);
  });

  it("is taken where Tesseract could read little, unless it is empty", () => {
    expect(isTranscript(SENTENCE, tesseract("Pat1ents w1th", "Pat1ents"))).toBe(true);
    expect(isTranscript(" ", tesseract("Ward"))).toBe(false);
  });
});
