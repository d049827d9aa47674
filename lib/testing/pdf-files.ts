import {
  degrees,
  PDFDocument,
  type PDFFont,
  PDFName,
  type PDFPage,
  PDFString,
  StandardFonts,
} from "pdf-lib";

/** PDFs that are hard to read, in little. */

const PAGE = [595, 842] as const;

/** Draws lines down from a point. */
export function drawColumn(
  page: PDFPage,
  lines: readonly string[],
  { font, x, top, size = 10 }: { font: PDFFont; x: number; top: number; size?: number },
): void {
  for (const [at, line] of lines.entries()) {
    page.drawText(line, { x, y: top - at * size * 1.2, size, font });
  }
}

/** Draws the cells of a table, the first row in bold; `place` says where a cell stands. */
export function drawTable(
  page: PDFPage,
  rows: readonly (readonly string[])[],
  {
    plain,
    bold,
    angle = 0,
    place,
  }: {
    plain: PDFFont;
    bold: PDFFont;
    angle?: number;
    place: (column: number, row: number) => { x: number; y: number };
  },
): void {
  for (const [y, row] of rows.entries()) {
    for (const [x, cell] of row.entries()) {
      const font = y === 0 ? bold : plain;
      page.drawText(cell, {
        ...place(x, y),
        size: 10,
        lineHeight: 12,
        font,
        rotate: degrees(angle),
      });
    }
  }
}

/** A PDF of one page in Helvetica. */
export async function pdfPage(
  draw: (page: PDFPage, fonts: { plain: PDFFont; bold: PDFFont }, document: PDFDocument) => void,
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const plain = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  draw(document.addPage([...PAGE]), { plain, bold }, document);
  return document.save();
}

/** A page whose font isn't embedded and names a predefined CMap, so that a reader must know the CMap. */
export function japanesePdf(shiftJis: string): Promise<Uint8Array> {
  return pdfPage((page, _, document) => {
    const descendant = document.context.obj({
      Type: "Font",
      Subtype: "CIDFontType0",
      BaseFont: "Ryumin-Light",
      CIDSystemInfo: {
        Registry: PDFString.of("Adobe"),
        Ordering: PDFString.of("Japan1"),
        Supplement: 2,
      },
    });
    const font = document.context.obj({
      Type: "Font",
      Subtype: "Type0",
      BaseFont: "Ryumin-Light-90ms-RKSJ-H",
      Encoding: "90ms-RKSJ-H",
      DescendantFonts: [descendant],
    });
    addText(page, document, { font: document.context.register(font), hex: shiftJis, x: 60 });
  });
}

/** Lines in a font that isn't embedded, whose characters have the numbers of a collection such as Japan1. */
export function addBorrowedText(
  page: PDFPage,
  document: PDFDocument,
  { lines, ordering, isWhite = false }: { lines: number; ordering: string; isWhite?: boolean },
): void {
  const font = document.context.obj({
    Type: "Font",
    Subtype: "Type0",
    BaseFont: "Ryumin-Light-Identity-V",
    Encoding: "Identity-V",
    DescendantFonts: [
      document.context.obj({
        Type: "Font",
        Subtype: "CIDFontType0",
        BaseFont: "Ryumin-Light",
        CIDSystemInfo: {
          Registry: PDFString.of("Adobe"),
          Ordering: PDFString.of(ordering),
          Supplement: 2,
        },
      }),
    ],
  });
  const reference = document.context.register(font);
  for (let line = 0; line < lines; line += 1) {
    addText(page, document, { font: reference, hex: "05000501", x: 60 + line * 30, isWhite });
  }
}

/** A page with a line whose font says by a ToUnicode map that its Latin letters mean others, drawn from right to left. */
export function rightToLeftPdf(words: readonly string[]): Promise<Uint8Array> {
  return pdfPage((page, _, document) => {
    const letters = [...new Set(words.join(""))];
    const pairs = letters.map((letter, at) => [0x61 + at, letter.codePointAt(0) ?? 0] as const);
    const hex = (code: number, width: number) => code.toString(16).padStart(width, "0");
    const lines = pairs.map(([code, unicode]) => `<${hex(code, 2)}> <${hex(unicode, 4)}>`);
    const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def
1 begincodespacerange <00> <ff> endcodespacerange
${lines.length} beginbfchar
${lines.join("\n")}
endbfchar endcmap CMapName currentdict /CMap defineresource pop end end`;
    const { context } = document;
    const font = context.obj({
      Type: "Font",
      Subtype: "Type1",
      BaseFont: "Courier",
      ToUnicode: context.register(context.stream(map)),
    });
    const reference = context.register(font);
    for (const [at, word] of words.entries()) {
      // Each word is drawn as it looks, with its last letter on the left.
      const codes = [...word].toReversed().map((letter) => hex(0x61 + letters.indexOf(letter), 2));
      addText(page, document, { font: reference, hex: codes.join(""), x: 480 - at * 80 });
    }
  });
}

function addText(
  page: PDFPage,
  document: PDFDocument,
  {
    font,
    hex,
    x,
    isWhite = false,
  }: {
    font: ReturnType<PDFDocument["context"]["register"]>;
    hex: string;
    x: number;
    isWhite?: boolean;
  },
): void {
  page.node.setFontDictionary(PDFName.of("Own"), font);
  const content = `BT ${isWhite ? 1 : 0} g /Own 12 Tf ${x} 700 Td <${hex}> Tj ET`;
  page.node.addContentStream(document.context.register(document.context.stream(content)));
}

/** A text typed on a page, as an annotation. */
export function addFreeText(page: PDFPage, document: PDFDocument, text: string): void {
  const note = document.context.obj({
    Type: "Annot",
    Subtype: "FreeText",
    Rect: [60, 500, 300, 520],
    Contents: PDFString.of(text),
    DA: PDFString.of("/Helv 10 Tf 0 g"),
  });
  page.node.addAnnot(document.context.register(note));
}
