import { strToU8, type Zippable, zipSync } from "fflate";
import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "pdf-lib";

/** Documents made in code, for tests: each format as its usual program writes it, in little. */

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const A = "http://schemas.openxmlformats.org/drawingml/2006/main";
const P = "http://schemas.openxmlformats.org/presentationml/2006/main";
const S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const OFFICE = "urn:oasis:names:tc:opendocument:xmlns";

export function zip(files: Record<string, string | Uint8Array>): Uint8Array {
  const entries = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === "string" ? strToU8(content) : content,
  ]);
  return zipSync(Object.fromEntries(entries) as Zippable);
}

function relations(...targets: [type: string, target: string][]): string {
  const list = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${R}/${type}" Target="${target}"/>`,
  );
  return `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join("")}</Relationships>`;
}

function contentTypes(...overrides: [part: string, type: string][]): string {
  const list = overrides.map(
    ([part, type]) =>
      `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
  );
  return `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${list.join("")}</Types>`;
}

function coreProperties(title: string): string {
  return `<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp:coreProperties>`;
}

/** A paragraph of a DOCX: plain, or with a style, a list or marks of its run. */
export function wordParagraph(
  text: string,
  { style = "", isItem = false, run = "" }: { style?: string; isItem?: boolean; run?: string } = {},
): string {
  const numbering = isItem ? '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>' : "";
  const properties = `<w:pPr>${style && `<w:pStyle w:val="${style}"/>`}${numbering}</w:pPr>`;
  return `<w:p>${properties}<w:r>${run && `<w:rPr>${run}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function wordTable(rows: string[][]): string {
  const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;
  return `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join("")}</w:tr>`).join("")}</w:tbl>`;
}

export function docxFiles(body: string, title = ""): Record<string, string> {
  return {
    "[Content_Types].xml": contentTypes(["/word/document.xml", "wordprocessingml.document.main"]),
    "_rels/.rels": relations(["officeDocument", "word/document.xml"]),
    "word/_rels/document.xml.rels": relations(
      ["styles", "styles.xml"],
      ["numbering", "numbering.xml"],
    ),
    "word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="${W}"><w:body>${body}</w:body></w:document>`,
    "word/styles.xml": `<?xml version="1.0"?><w:styles xmlns:w="${W}">${[1, 2].map((level) => `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr></w:style>`).join("")}</w:styles>`,
    "word/numbering.xml": `<?xml version="1.0"?><w:numbering xmlns:w="${W}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    ...(title && { "docProps/core.xml": coreProperties(title) }),
  };
}

/** An upload of a Word file whose text has far more tokens than the file has bytes. */
export function compressedUpload(): { form: FormData; bytes: number } {
  const sentences = Array.from(
    { length: 2000 },
    (_, at) => `The shelf has ${"jar after ".repeat(20)}jar ${at}.`,
  );
  const file = docx(sentences.map((sentence) => wordParagraph(sentence)).join(""));
  const form = new FormData();
  form.set("scope", "customer_kb");
  form.set("file", new File([Buffer.from(file)], "shelf.docx"));
  return { form, bytes: file.length };
}

export function docx(body: string, title = ""): Uint8Array {
  return zip(docxFiles(body, title));
}

interface Slide {
  title: string;
  body: string[];
  /** The rows of a table, as XML. */
  table?: string;
  /** The speaker's. */
  notes?: string[];
}

/** A PPTX whose slides each have a title and a body. */
export function pptx(slides: Slide[]): Uint8Array {
  const shape = (type: string, texts: string[]) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("")}</p:txBody></p:sp>`;
  const frame = (rows: string) =>
    `<p:graphicFrame><a:graphic><a:graphicData uri="${A.replace("main", "table")}"><a:tbl><a:tblPr firstRow="1"/>${rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const page = (tag: string, shapes: string) =>
    `<?xml version="1.0"?><p:${tag} xmlns:a="${A}" xmlns:p="${P}" xmlns:r="${R}"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${tag}>`;
  const parts = slides.flatMap(({ title, body, table, notes }, index) => {
    const slide = `${shape("title", [title])}${shape("body", body)}${table ? frame(table) : ""}`;
    const notesPart = `notesSlides/notesSlide${index + 1}.xml`;
    const notesParts = notes && [
      [`ppt/slides/_rels/slide${index + 1}.xml.rels`, relations(["notesSlide", `../${notesPart}`])],
      [`ppt/${notesPart}`, page("notes", shape("body", notes))],
    ];
    return [[`ppt/slides/slide${index + 1}.xml`, page("sld", slide)], ...(notesParts ?? [])];
  });
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`);
  return zip({
    "[Content_Types].xml": contentTypes(
      ["/ppt/presentation.xml", "presentationml.presentation.main"],
      ...slides.map(
        (_, index) =>
          [`/ppt/slides/slide${index + 1}.xml`, "presentationml.slide"] as [string, string],
      ),
    ),
    "_rels/.rels": relations(["officeDocument", "ppt/presentation.xml"]),
    "ppt/presentation.xml": `<?xml version="1.0"?><p:presentation xmlns:p="${P}" xmlns:r="${R}"><p:sldIdLst>${ids.join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      ...slides.map((_, index) => ["slide", `slides/slide${index + 1}.xml`] as [string, string]),
    ),
    ...Object.fromEntries(parts),
  });
}

/** An XLSX with inline strings. */
export function xlsx(sheets: Record<string, (string | number)[][]>): Uint8Array {
  const names = Object.keys(sheets);
  const cell = (value: string | number, at: string) =>
    typeof value === "number"
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const sheet = (rows: (string | number)[][]) =>
    `<?xml version="1.0"?><worksheet xmlns="${S}"><sheetData>${rows.map((row, y) => `<row r="${y + 1}">${row.map((value, x) => cell(value, `${String.fromCharCode(65 + x)}${y + 1}`)).join("")}</row>`).join("")}</sheetData></worksheet>`;
  return zip({
    "[Content_Types].xml": contentTypes(
      ["/xl/workbook.xml", "spreadsheetml.sheet.main"],
      ...names.map(
        (_, index) =>
          [`/xl/worksheets/sheet${index + 1}.xml`, "spreadsheetml.worksheet"] as [string, string],
      ),
    ),
    "_rels/.rels": relations(["officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": `<?xml version="1.0"?><workbook xmlns="${S}" xmlns:r="${R}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      ...names.map(
        (_, index) => ["worksheet", `worksheets/sheet${index + 1}.xml`] as [string, string],
      ),
    ),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        sheet(rows),
      ]),
    ),
  });
}

/** An ODT; `body` is the inside of office:text, `styles` of its automatic styles. */
export function odt(body: string, title = "", styles = ""): Uint8Array {
  const spaces = `xmlns:office="${OFFICE}:office:1.0" xmlns:style="${OFFICE}:style:1.0" xmlns:text="${OFFICE}:text:1.0" xmlns:table="${OFFICE}:table:1.0" xmlns:meta="${OFFICE}:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"`;
  return zip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "META-INF/manifest.xml": `<?xml version="1.0"?><manifest:manifest xmlns:manifest="${OFFICE}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/></manifest:manifest>`,
    "content.xml": `<?xml version="1.0"?><office:document-content ${spaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    "meta.xml": `<?xml version="1.0"?><office:document-meta ${spaces}><office:meta><dc:title>${title}</dc:title></office:meta></office:document-meta>`,
  });
}

/** An EPUB whose chapters stand in the spine in the order given, and in the archive in the reverse. */
export function epub(title: string, chapters: string[]): Uint8Array {
  const files = chapters.map((body, index) => [
    `OEBPS/chapter${index + 1}.xhtml`,
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`,
  ]);
  const items = chapters.map(
    (_, index) =>
      `<item id="c${index + 1}" href="chapter${index + 1}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, index) => `<itemref idref="c${index + 1}"/>`);
  return zip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "OEBPS/content.opf": `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>${title}</dc:title><dc:language>en</dc:language></metadata><manifest>${items.toReversed().join("")}</manifest><spine>${spine.join("")}</spine></package>`,
    ...Object.fromEntries(files.toReversed()),
  });
}

/** A PDF drawn by hand: `draw` is called for each page with its fonts. */
export async function pdf(
  pages: number,
  draw: (page: PDFPage, number: number, fonts: { plain: PDFFont; bold: PDFFont }) => void,
  title = "",
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const plain = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  if (title) {
    document.setTitle(title);
  }
  for (let number = 1; number <= pages; number += 1) {
    draw(document.addPage([595, 842]), number, { plain, bold });
  }
  return document.save();
}

export const WHITE = rgb(1, 1, 1);

/** Lines of text from the top of a page down. */
export function drawLines(
  page: PDFPage,
  lines: string[],
  { font, size = 11, top = 760 }: { font: PDFFont; size?: number; top?: number },
): void {
  for (const [index, line] of lines.entries()) {
    page.drawText(line, { x: 60, y: top - index * size * 1.3, size, font });
  }
}

/** A PDF that opens only with a password: its dictionary says so, and its check is random. */
export function encryptedPdf(): Uint8Array {
  const check = "5f".repeat(32);
  const encryption = `<</Filter/Standard/V 2/R 3/Length 128/P -4/O<${check}>/U<${check}>>>`;
  return rawPdf(pageObjects(1), { encryption, id: check });
}

/** A PDF of pages without anything on them. */
export function emptyPdf(pages: number): Uint8Array {
  return rawPdf(pageObjects(pages));
}

function pageObjects(pages: number): string[] {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`);
  return [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids.join(" ")}]/Count ${pages}>>`,
    ...kids.map(() => "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>"),
  ];
}

function rawPdf(objects: string[], encrypted?: { encryption: string; id: string }): Uint8Array {
  const all = encrypted ? [...objects, encrypted.encryption] : objects;
  const parts = ["%PDF-1.4\n"];
  let length = parts.join("").length;
  const offsets = all.map((object, index) => {
    const part = `${index + 1} 0 obj\n${object}\nendobj\n`;
    const offset = length;
    parts.push(part);
    length += part.length;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const encryption = encrypted
    ? `/Encrypt ${all.length} 0 R/ID[<${encrypted.id}><${encrypted.id}>]`
    : "";
  parts.push(
    `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${offsets.join("")}`,
    `trailer\n<</Size ${all.length + 1}/Root 1 0 R${encryption}>>\nstartxref\n${length}\n%%EOF`,
  );
  return strToU8(parts.join(""), true);
}
