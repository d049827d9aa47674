import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "pdf-lib";
import { docx, odt, pptx, zip } from "@/lib/testing/document-files";
import { openDocument, wordCell, wordRow, workbook } from "@/lib/testing/office-files";

/** A cell of a generated table. Empty text is an empty cell. */
interface MadeCell {
  text: string;
  colSpan: number;
  rowSpan: number;
}

/** A table whose first row names its columns. A place that a merged cell covers is null. */
export type MadeTable = (MadeCell | null)[][];

export const HEADS = ["Drug", "Morning", "Noon", "Evening", "Notes"];
const ROWS = 6;

/** A table with about a third of its cells empty and one merged over columns and one over rows; the same for each seed. */
export function makeTable(seed: number, isMerged: boolean): MadeTable {
  let state = seed * 7919 + 13;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const cell = (text: string): MadeCell => ({ text, colSpan: 1, rowSpan: 1 });
  const body = Array.from({ length: ROWS }, (_, row) => [
    cell(`Drug ${String.fromCharCode(65 + row)}${seed}`),
    ...[1, 2, 3].map((column) => cell(random() < 0.35 ? "" : `${seed}${row}${column} mg`)),
    cell(random() < 0.5 ? "" : `as told ${seed}${row}`),
  ]) as MadeTable;
  if (isMerged) {
    const [across, down] = [1 + (seed % 2), 3 + (seed % 2)];
    body[across]?.splice(1, 2, { text: `${seed}${across} drops`, colSpan: 2, rowSpan: 1 }, null);
    body[down]?.splice(3, 1, { text: `${seed}${down} drips`, colSpan: 1, rowSpan: 2 });
    body[down + 1]?.splice(3, 1, null);
  }
  return [HEADS.map(cell), ...body];
}

/** How a table is drawn on a page. */
interface Look {
  rules: "cells" | "head" | "none";
  align: "left" | "center" | "right";
  /** In points, of a row. */
  height: number;
}

/** Files with a table each, by what they are. */
export async function tableFiles(table: MadeTable): Promise<Record<string, [string, Uint8Array]>> {
  const drawn = (look: Partial<Look>) =>
    pdfTable(table, { rules: "none", align: "left", height: 20, ...look });
  return {
    DOCX: ["t.docx", docx(wordXml(table))],
    ODT: ["t.odt", odt(openXml(table))],
    XLSX: ["t.xlsx", sheetFile(table)],
    ODS: ["t.ods", openDocument("spreadsheet", openXml(table))],
    PPTX: ["t.pptx", pptx([{ title: "Doses", body: [], table: slideXml(table) }])],
    HTML: ["t.html", new TextEncoder().encode(`<html><body>${htmlOf(table)}</body></html>`)],
    EPUB: ["t.epub", epubFile(htmlOf(table))],
    "PDF, ruled cells": ["t.pdf", await drawn({ rules: "cells" })],
    "PDF, ruled cells, centered": ["t.pdf", await drawn({ rules: "cells", align: "center" })],
    "PDF, rules at the head": ["t.pdf", await drawn({ rules: "head" })],
    "PDF, rules at the head, tight": ["t.pdf", await drawn({ rules: "head", height: 11 })],
    "PDF, no rules": ["t.pdf", await drawn({})],
    "PDF, no rules, centered": ["t.pdf", await drawn({ align: "center" })],
    "PDF, no rules, right, tight": ["t.pdf", await drawn({ align: "right", height: 11 })],
  };
}

/** Whether a place that a merged cell covers is below that cell, and not on its right. */
function isBelow(table: MadeTable, x: number, y: number): boolean {
  return (table[y - 1]?.[x]?.rowSpan ?? 1) > 1;
}

function wordXml(table: MadeTable): string {
  const toCell = ({ text, colSpan, rowSpan }: MadeCell) =>
    wordCell(
      text,
      (colSpan > 1 ? `<w:gridSpan w:val="${colSpan}"/>` : "") +
        (rowSpan > 1 ? '<w:vMerge w:val="restart"/>' : ""),
    );
  const covered = (x: number, y: number) =>
    isBelow(table, x, y) ? [wordCell("", "<w:vMerge/>")] : [];
  const rows = table.map((row, y) =>
    wordRow(
      row.flatMap((cell, x) => (cell ? [toCell(cell)] : covered(x, y))),
      y === 0,
    ),
  );
  return `<w:tbl>${rows.join("")}</w:tbl>`;
}

function openXml(table: MadeTable): string {
  const rows = table.map((row) => {
    const cells = row.map((cell) =>
      cell
        ? `<table:table-cell table:number-columns-spanned="${cell.colSpan}" table:number-rows-spanned="${cell.rowSpan}">${cell.text && `<text:p>${cell.text}</text:p>`}</table:table-cell>`
        : "<table:covered-table-cell/>",
    );
    return `<table:table-row>${cells.join("")}</table:table-row>`;
  });
  return `<table:table table:name="Doses">${rows.join("")}</table:table>`;
}

function sheetFile(table: MadeTable): Uint8Array {
  const at = (x: number, y: number) => `${String.fromCharCode(65 + x)}${y + 1}`;
  const rows = table.map((row, y) => {
    const cells = row.map((cell, x) =>
      cell?.text ? `<c r="${at(x, y)}" t="inlineStr"><is><t>${cell.text}</t></is></c>` : "",
    );
    return `<row r="${y + 1}">${cells.join("")}</row>`;
  });
  const merged = table.flatMap((row, y) =>
    row.flatMap((cell, x) =>
      cell && cell.colSpan + cell.rowSpan > 2
        ? `<mergeCell ref="${at(x, y)}:${at(x + cell.colSpan - 1, y + cell.rowSpan - 1)}"/>`
        : [],
    ),
  );
  const sheet = `<sheetData>${rows.join("")}</sheetData>`;
  return workbook({
    sheet: merged.length > 0 ? `${sheet}<mergeCells>${merged.join("")}</mergeCells>` : sheet,
  });
}

function slideXml(table: MadeTable): string {
  const toCell = (attributes: string, text = "") =>
    `<a:tc${attributes}><a:txBody><a:bodyPr/><a:p>${text && `<a:r><a:t>${text}</a:t></a:r>`}</a:p></a:txBody></a:tc>`;
  const rows = table.map((row, y) => {
    const cells = row.map((cell, x) =>
      cell
        ? toCell(` gridSpan="${cell.colSpan}" rowSpan="${cell.rowSpan}"`, cell.text)
        : toCell(isBelow(table, x, y) ? ' vMerge="1"' : ' hMerge="1"'),
    );
    return `<a:tr>${cells.join("")}</a:tr>`;
  });
  return rows.join("");
}

function htmlOf(table: MadeTable): string {
  const rows = table.map((row, y) => {
    const tag = y === 0 ? "th" : "td";
    const cells = row.map((cell) =>
      cell
        ? `<${tag} colspan="${cell.colSpan}" rowspan="${cell.rowSpan}">${cell.text}</${tag}>`
        : "",
    );
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}

function epubFile(body: string): Uint8Array {
  return zip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "b.opf": `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Doses</dc:title></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`,
    "c.xhtml": `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`,
  });
}

const LEFT = 60;
const TOP = 700;
/** In points: where columns begin. */
const COLUMNS = [LEFT, 160, 260, 360, 460, 560];

async function pdfTable(table: MadeTable, look: Look): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([620, 800]);
  const plain = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  const cells = table.flatMap((row, y) => row.map((cell, x) => ({ cell, x, y })));
  for (const { cell, x, y } of cells) {
    if (cell) {
      drawCell(page, { cell, x, y, font: y === 0 ? bold : plain, look });
    }
  }
  for (const row of look.rules === "head" ? [0, 1, table.length] : []) {
    const y = TOP - row * look.height;
    page.drawLine({ start: { x: LEFT, y }, end: { x: COLUMNS.at(-1) ?? LEFT, y }, thickness: 1 });
  }
  return document.save();
}

interface DrawnCell {
  cell: MadeCell;
  x: number;
  y: number;
  font: PDFFont;
  look: Look;
}

function drawCell(page: PDFPage, { cell, x, y, font, look }: DrawnCell): void {
  const left = COLUMNS[x] ?? LEFT;
  const width = (COLUMNS[x + cell.colSpan] ?? left) - left;
  const height = cell.rowSpan * look.height;
  const top = TOP - y * look.height;
  if (look.rules === "cells") {
    const bottom = { x: left, y: top - height };
    page.drawRectangle({ ...bottom, width, height, borderWidth: 0.7, opacity: 0 });
  }
  const room = width - 8 - font.widthOfTextAtSize(cell.text, 9);
  const share = { left: 0, center: 0.5, right: 1 }[cell.colSpan > 1 ? "center" : look.align];
  // Text is in the first of the rows that a cell covers, where most programs set it.
  const base = top - look.height / 2 - 3;
  page.drawText(cell.text, { x: left + 4 + room * share, y: base, size: 9, font });
}
