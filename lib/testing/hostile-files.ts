import { deflateSync } from "node:zlib";
import { docx, docxFiles, epub, odt, pptx, wordParagraph, xlsx, zip } from "./document-files";

const MEGABYTE = 1024 * 1024;

/** A PDF with one page and this content. */
function pdfOf(content: Buffer): Uint8Array {
  const stream = deflateSync(content);
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n4 0 obj<</Length ${stream.length}/Filter/FlateDecode>>stream\n`,
    ),
    stream,
    Buffer.from("\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF"),
  ]);
}

/** A DOCX whose central directory gives the sizes of its parts in 64 bits, of which there are none. */
function zip64(): Uint8Array {
  const bytes = Buffer.from(docx(wordParagraph("Whole.")));
  for (
    let at = bytes.indexOf("PK\u0001\u0002");
    at >= 0;
    at = bytes.indexOf("PK\u0001\u0002", at + 4)
  ) {
    bytes.writeUInt32LE(0xffffffff, at + 24);
  }
  return bytes;
}

const words = (megabytes: number) => "a ".repeat((megabytes * MEGABYTE) / 2);
const letters = (megabytes: number) => "a".repeat(megabytes * MEGABYTE);

/** Files that cost far more than their size, by name: a parser of each could take the memory of its whole process. */
export const HOSTILE_FILES: Record<string, () => string | Uint8Array> = {
  "one-run.docx": () => docx(wordParagraph(words(20))),
  "long-run.docx": () => docx(wordParagraph(words(140))),
  "many-rows.csv": () => "1,2\n".repeat(2_500_000),
  "one-paragraph.html": () => `<!doctype html><p>${words(12)}</p>`,
  "open-quote.csv": () => `a,b\n"${words(21)}`,
  "one-cell.xlsx": () => xlsx({ Sheet: [[words(40)]] }),
  "shared-string.xlsx": () =>
    zip({
      "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
      "xl/workbook.xml": `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
      "xl/sharedStrings.xml": `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${words(20)}</t></si></sst>`,
      "xl/worksheets/sheet1.xml": `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${Array.from({ length: 1000 }, (_, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>0</v></c></row>`).join("")}</sheetData></worksheet>`,
    }),
  "one-paragraph.odt": () => odt(`<text:p>${words(40)}</text:p>`),
  "one-paragraph.epub": () => epub("Long", [`<p>${words(40)}</p>`]),
  "one-line.pptx": () => pptx([{ title: "Long", body: [words(40)] }]),
  "nested.json": () => `${'{"a":['.repeat(2_000_000)}1`,
  "words.md": () => `# Short\n\n${"words ".repeat(100)}`,
  "one-line.md": () => `# Long\n\n${words(40)}`,
  "one-word.md": () => `# Long\n\n${letters(40)}`,
  "emphasis.md": () => `# Long\n\n${"*a **b [c](d) ".repeat(1_000_000)}`,
  "groups.rtf": () => `{\\rtf1 ${"{\\b ".repeat(1_000_000)}deep`,
  "one-line.rtf": () => `{\\rtf1 ${words(40)}}`,
  "one-part.eml": () =>
    `From: a@example.com\nSubject: Long\nMIME-Version: 1.0\nContent-Type: text/html\n\n<p>${words(30)}</p>`,
  "base64.eml": () =>
    `From: a@example.com\nSubject: Long\nMIME-Version: 1.0\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n${Buffer.from(words(30)).toString("base64")}`,
  "content.pdf": () =>
    pdfOf(Buffer.from("BT /F1 1 Tf 72 700 Td (word ) Tj ET\n".repeat(2_000_000))),
  "paths.pdf": () => pdfOf(Buffer.from("0 0 m 9 9 l S\n".repeat(5_000_000))),
  "zip64.docx": zip64,
  "entries.docx": () =>
    zip({
      ...docxFiles(wordParagraph("Kept.")),
      ...Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`word/${at}.xml`, "<a/>"])),
    }),
  "words.txt": () => words(50),
  "letters.txt": () => letters(50),
  "lines.txt": () => "a\n".repeat(25 * MEGABYTE),
  "paragraphs.txt": () => "a b c\n\n".repeat(7 * MEGABYTE),
  "cjk.txt": () => "漢字。".repeat(5 * MEGABYTE),
  "attributes.html": () => `<!doctype html><p ${"a='b' ".repeat(3_000_000)}>x`,
  "cells.html": () => `<!doctype html><table>${"<tr><td>1<td>2".repeat(1_000_000)}`,
  "columns.csv": () => `${"a,".repeat(2_000_000)}b\n1,2\n`,
};
