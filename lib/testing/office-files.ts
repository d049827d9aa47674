import { docxFiles, wordParagraph, zip } from "./document-files";

/** Parts of office files that hold more than plain text, for tests. */

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

interface WordNotes {
  footnotes?: string[];
  endnotes?: string[];
  comments?: string[];
}

/** The reference to a note or comment, by its index from 1. */
export function wordReference(kind: "footnote" | "endnote" | "comment", id: number): string {
  return `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
}

/** A DOCX with notes and comments, whose paragraphs refer to them with `wordReference`. */
export function docxWithNotes(body: string, notes: WordNotes): Uint8Array {
  const part = (tag: string, texts: string[] = []) =>
    `<?xml version="1.0"?><w:${tag}s xmlns:w="${W}">${texts.map((text, index) => `<w:${tag} w:id="${index + 1}">${wordParagraph(text)}</w:${tag}>`).join("")}</w:${tag}s>`;
  return zip({
    ...docxFiles(body),
    "word/footnotes.xml": part("footnote", notes.footnotes),
    "word/endnotes.xml": part("endnote", notes.endnotes),
    "word/comments.xml": part("comment", notes.comments),
  });
}

/** Levels of a DOCX list by their numFmt and lvlText, and its items as [level, text]. */
export function docxWithList(
  levels: [format: string, text: string][],
  items: [level: number, text: string][],
): Uint8Array {
  const level = ([format, text]: [string, string], index: number) =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
  const item = ([at, text]: [number, string]) =>
    wordParagraph(text, { isItem: true }).replace('<w:ilvl w:val="0"/>', `<w:ilvl w:val="${at}"/>`);
  return zip({
    ...docxFiles(items.map(item).join("")),
    "word/numbering.xml": `<?xml version="1.0"?><w:numbering xmlns:w="${W}"><w:abstractNum w:abstractNumId="0">${levels.map(level).join("")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
  });
}

/** A DOCX cell: its text, and the properties that merge it with others. */
export function wordCell(text: string, properties = ""): string {
  return `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`;
}

/** A row of cells, with the header mark if it is one. */
export function wordRow(cells: string[], isHeader = false): string {
  return `<w:tr><w:trPr>${isHeader ? "<w:tblHeader/>" : ""}</w:trPr>${cells.join("")}</w:tr>`;
}

const S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

interface Workbook {
  /** The inside of its only worksheet. */
  sheet: string;
  /** Number formats: cell style 1 has the first, 2 the second. A number is the id of one of Excel's. */
  formats?: (string | number)[];
  strings?: string[];
  is1904?: boolean;
  /** The name of the workbook's part. */
  main?: string;
  /** Comments on cells: the inside of the list of notes, and of the list of threads. */
  notes?: string;
  threads?: string;
}

/** An XLSX with one sheet, as XML. */
export function workbook({ sheet, formats = [], strings = [], ...more }: Workbook): Uint8Array {
  const { is1904 = false, main = "xl/workbook.xml" } = more;
  const idOf = (format: string | number, index: number) =>
    typeof format === "number" ? format : 164 + index;
  const numFmts = formats.map((format, index) =>
    typeof format === "string"
      ? `<numFmt numFmtId="${164 + index}" formatCode="${format.replaceAll('"', "&quot;")}"/>`
      : "",
  );
  const styles = formats.map((format, index) => `<xf numFmtId="${idOf(format, index)}"/>`);
  const relation = (type: string, target: string) =>
    `<Relationship Id="${type}" Type="${R}/${type}" Target="${target}"/>`;
  const relations = (list: string) =>
    `<Relationships xmlns="${PACKAGE}/relationships">${list}</Relationships>`;
  const file = main.replace("xl/", "");
  const { notes = "", threads = "" } = more;
  return zip({
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    "_rels/.rels": relations(relation("officeDocument", main)),
    [main]: `<workbook xmlns="${S}" xmlns:r="${R}"><workbookPr${is1904 ? ' date1904="1"' : ""}/><sheets><sheet name="Sheet" sheetId="1" r:id="worksheet"/></sheets></workbook>`,
    [`xl/_rels/${file}.rels`]: relations(
      relation("worksheet", "/xl/sheets/any.xml") +
        relation("styles", "styles.xml") +
        relation("sharedStrings", "sharedStrings.xml"),
    ),
    "xl/sheets/any.xml": `<worksheet xmlns="${S}">${sheet}</worksheet>`,
    ...((notes || threads) && {
      "xl/sheets/_rels/any.xml.rels": relations(
        relation("comments", "../notes.xml") + relation("threadedComment", "../threads/1.xml"),
      ),
      "xl/notes.xml": `<comments xmlns="${S}"><authors><author>Ann</author></authors><commentList>${notes}</commentList></comments>`,
      "xl/threads/1.xml": `<ThreadedComments>${threads}</ThreadedComments>`,
    }),
    "xl/styles.xml": `<styleSheet xmlns="${S}"><numFmts>${numFmts.join("")}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst xmlns="${S}">${strings.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
  });
}

/** A row of a worksheet: texts, or cells as XML. */
export function sheetRow(...cells: string[]): string {
  const text = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  return `<row>${cells.map((cell) => (cell.startsWith("<c") ? cell : text(cell))).join("")}</row>`;
}

/** A number with the cell style of that index. */
export function sheetNumber(value: number | string, style = 0): string {
  return `<c s="${style}"><v>${value}</v></c>`;
}

const OFFICE = "urn:oasis:names:tc:opendocument:xmlns";
const SPACES = ["office", "text", "table", "presentation", "meta"]
  .map((name) => `xmlns:${name}="${OFFICE}:${name}:1.0"`)
  .concat(`xmlns:draw="${OFFICE}:drawing:1.0"`)
  .join(" ");

/** An OpenDocument file of another kind than text; `body` is the inside of its element. */
export function openDocument(kind: "spreadsheet" | "presentation", body: string): Uint8Array {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  return zip({
    mimetype: type,
    "META-INF/manifest.xml": `<manifest:manifest xmlns:manifest="${OFFICE}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/></manifest:manifest>`,
    "content.xml": `<office:document-content ${SPACES}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  });
}

/** An OLE container whose directory has a stream of this name, as Office 97 to 2003 and Outlook write. */
export function compoundFile(stream: string): Uint8Array {
  const head = Buffer.from("d0cf11e0a1b11ae1", "hex");
  return Buffer.concat([head, Buffer.alloc(600), Buffer.from(stream, "utf16le"), Buffer.alloc(40)]);
}
