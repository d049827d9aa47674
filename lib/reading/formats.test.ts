import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { FORMAT_IDS, FORMAT_LABELS, FORMATS, findFormat, hasExtension } from "./formats";

describe("formats", () => {
  it("match the list in docs/knowledge-bases.md", async () => {
    const page = await readFile("docs/knowledge-bases.md", "utf8");
    const [, section = ""] = /^### Formats\n([\s\S]*?)^### /m.exec(page) ?? [];
    const rows = section.split("\n").filter((line) => /^\| (?!format)/i.test(line));
    const labels = rows.flatMap((row) => (row.split("|")[1] ?? "").split(",")).map((l) => l.trim());
    expect(labels.sort()).toEqual(FORMAT_IDS.map((format) => FORMATS[format].label).sort());
  });

  it("are joined into one readable list", () => {
    expect(FORMAT_LABELS).toBe(
      "PDF, PNG, JPEG, TIFF, DOCX, PPTX, XLSX, ODT, ODS, ODP, RTF, HTML, EPUB, Markdown, EML, MSG, CSV or plain text",
    );
  });

  it("are found by the media type assigned to documents", () => {
    for (const format of FORMAT_IDS) {
      expect(findFormat(FORMATS[format].mediaTypes[0])).toBe(format);
    }
    expect(findFormat("text/*")).toBeNull();
  });

  it("match extensions in upper and lower case", () => {
    expect(hasExtension("Notes.MD", "markdown")).toBe(true);
    expect(hasExtension("notes.md.txt", "markdown")).toBe(false);
    expect(hasExtension(null, "csv")).toBe(false);
  });
});
