import { deflateSync } from "node:zlib";
import { docxFiles, drawLines, pdf, wordParagraph, xlsx, zip } from "@/lib/testing/document-files";

export interface NamedFile {
  name: string;
  bytes: Uint8Array;
}

const MEGABYTE = 1024 * 1024;
const LINES_PER_PAGE = 45;

/** Pages of full lines, each page with words of its own. */
export async function longPdf(pages: number): Promise<NamedFile> {
  const bytes = await pdf(pages, (page, number, { plain }) => {
    const lines = Array.from(
      { length: LINES_PER_PAGE },
      (_, at) =>
        `Line ${at + 1} of page ${number} records the dose, the weight and the reading ${number * at} of a visit to the ward.`,
    );
    drawLines(page, lines, { font: plain });
  });
  return { name: `${pages} pages.pdf`, bytes };
}

/** Files within the limits on uploads that take much memory to read. */
export async function* hostileFiles(): AsyncGenerator<NamedFile> {
  yield file("many elements.html", `<!doctype html>${"<p>x</p>".repeat(1_000_000)}`);
  yield file("deep.html", `<!doctype html><body>${"<div>".repeat(50_000)}`);
  yield file("long.txt", "A sentence of some more words than others. ".repeat(1_000_000));
  yield file("wide.csv", `${"cell,".repeat(16_000)}\n`.repeat(300));
  yield {
    name: "zeros.pdf",
    bytes: Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(49 * MEGABYTE)]),
  };
  const row = Array.from({ length: 16_000 }, (_, at) => at);
  yield { name: "wide.xlsx", bytes: xlsx({ Wide: Array.from({ length: 60 }, () => row) }) };
  yield {
    name: "expands.docx",
    bytes: zip({
      ...docxFiles(wordParagraph("Kept.")),
      "word/media/bomb.bin": Buffer.alloc(140 * MEGABYTE),
    }),
  };
  yield {
    name: "many paragraphs.docx",
    bytes: zip(docxFiles(wordParagraph("A paragraph of words.").repeat(400_000))),
  };
  yield { name: "long stream.pdf", bytes: streamPdf([text("Words. ", 6_000_000)]) };
  yield { name: "many paths.pdf", bytes: streamPdf(["0 0 m 9 9 l S\n".repeat(2_000_000)]) };
  yield { name: "dense pages.pdf", bytes: streamPdf(Array.from({ length: 60 }, densePage)) };
}

function file(name: string, content: string): NamedFile {
  return { name, bytes: new TextEncoder().encode(content) };
}

function text(words: string, times: number): string {
  return `BT /F1 8 Tf 20 800 Td (${words.repeat(times)}) Tj ET`;
}

/** As many characters as are read of a page, in rows of a table. */
function densePage(): string {
  const rows = Array.from({ length: 400 }, (_, row) =>
    Array.from(
      { length: 20 },
      (_cell, column) => `1 0 0 1 ${20 + column * 28} ${820 - row * 2} Tm (${row}.${column}) Tj`,
    ).join("\n"),
  );
  return `BT /F1 2 Tf\n${rows.join("\n")}\nET`;
}

/** A PDF with these content streams, one a page, compressed. */
function streamPdf(contents: readonly string[]): Uint8Array {
  const pages = contents.map((_, at) => 4 + at * 2);
  const objects: (string | Buffer)[] = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${pages.map((at) => `${at} 0 R`).join(" ")}]/Count ${pages.length}>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ...contents.flatMap((content, at) => {
      const data = deflateSync(content);
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + at * 2} 0 R>>`,
        Buffer.concat([
          Buffer.from(`<</Length ${data.length}/Filter/FlateDecode>>stream\n`),
          data,
          Buffer.from("\nendstream"),
        ]),
      ];
    }),
  ];
  return joinObjects(objects);
}

function joinObjects(objects: readonly (string | Buffer)[]): Uint8Array {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  const push = (part: Buffer) => {
    parts.push(part);
    at += part.length;
  };
  push(Buffer.from("%PDF-1.7\n"));
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    push(Buffer.from(`${index + 1} 0 obj\n`));
    push(Buffer.from(object));
    push(Buffer.from("\nendobj\n"));
  }
  const start = at;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const size = objects.length + 1;
  push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`));
  push(Buffer.from(`trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`));
  return new Uint8Array(Buffer.concat(parts));
}
