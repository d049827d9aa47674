import { afterAll, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { docx, wordParagraph } from "@/lib/testing/document-files";
import { toListing } from "./listing";

afterAll(closeParserPool);

const CODE = ["def dose(kg):", "    if kg &gt; 20:", "        return 100"];

function inFont(line: string, font: string): string {
  return `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr><w:t xml:space="preserve">${line}</w:t></w:r></w:p>`;
}

it("has more marks around it than there are in the code", () => {
  expect(toListing("\n\na\n  b\n")).toBe("```\na\n  b\n```");
  expect(toListing("```\ncode\n```")).toBe("````\n```\ncode\n```\n````");
  expect(toListing("  one line\n")).toBe("one line");
});

it("keeps the lines of code in a DOCX, but not those of typewritten prose", async () => {
  const code = CODE.map((line) => inFont(line, "Consolas")).join("");
  const prose = ["He was seen on Monday.", "There was no fever."];
  const typed = prose.map((line) => inFont(line, "Courier New")).join("");
  const bytes = docx(`${wordParagraph("Before.")}${code}${wordParagraph("Between.")}${typed}`);
  const { text } = await readDocument({ bytes, name: null, title: null, mediaType: null });
  const listing = `\`\`\`\n${CODE.join("\n").replace("&gt;", ">")}\n\`\`\``;
  expect(text).toBe(["Before.", listing, "Between.", ...prose].join("\n\n"));
});
