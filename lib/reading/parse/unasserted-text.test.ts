import { PDFDocument, PDFName, PDFString, rgb, StandardFonts } from "pdf-lib";
import { afterAll, describe, expect, it } from "vitest";
import { judge } from "@/lib/evidence/verdict/judge";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { docx, epub, odt, pdf, pptx } from "@/lib/testing/document-files";
import { workbook } from "@/lib/testing/office-files";

afterAll(closeParserPool);

function read(content: Uint8Array | string, name: string | null = null) {
  return readDocument({ bytes: Buffer.from(content), name, title: null, mediaType: null });
}

const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';
const STRUCK_STYLE =
  '<style:style style:name="S" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>';

/** "The dose is 40 mg 10 mg daily.", with something drawn over 40 mg. */
function struckPdf(
  draw: (
    page: Parameters<Parameters<typeof pdf>[1]>[0],
    x0: number,
    x1: number,
    size: number,
  ) => void,
  size = 11,
) {
  return pdf(1, (page, _, { plain }) => {
    const before = "The dose is ";
    const x0 = 60 + plain.widthOfTextAtSize(before, size);
    const x1 = x0 + plain.widthOfTextAtSize("40 mg", size);
    page.drawText(`${before}40 mg 10 mg daily.`, { x: 60, y: 700, size, font: plain });
    draw(page, x0, x1, size);
  });
}

const STRUCK: [string, () => Promise<Uint8Array> | Uint8Array | string, string?][] = [
  ...["<w:strike/>", "<w:dstrike/>"].map((mark): [string, () => Uint8Array] => [
    `DOCX ${mark}`,
    () => docx(`<w:p>${run("The dose is ")}${run("40 mg", mark)}${run(" 10 mg daily.")}</w:p>`),
  ]),
  [
    "ODT",
    () =>
      odt(
        '<text:p>The dose is <text:span text:style-name="S">40 mg</text:span> 10 mg daily.</text:p>',
        "",
        STRUCK_STYLE,
      ),
  ],
  ["RTF \\strike", () => "{\\rtf1\\ansi The dose is {\\strike 40 mg} 10 mg daily.}"],
  ["RTF \\striked1", () => "{\\rtf1\\ansi The dose is {\\striked1 40 mg} 10 mg daily.}"],
  ...[
    "<s>|</s>",
    "<del>|</del>",
    "<strike>|</strike>",
    '<span style="text-decoration: line-through red">|</span>',
    '<i class="old">|</i>',
  ].map((tags): [string, () => string] => {
    const [start, end] = tags.split("|");
    return [
      `HTML ${start}`,
      () =>
        `<html><style>.old { text-decoration-line: line-through; }</style><body><p>The dose is ${start}40 mg${end} 10 mg daily.</p></body></html>`,
    ];
  }),
  ["Markdown", () => "# Plan\n\nThe dose is ~~40 mg~~ 10 mg daily.", "plan.md"],
  ["HTML in Markdown", () => "# Plan\n\nThe dose is <del>40 mg</del> 10 mg daily.", "plan.md"],
  ["EPUB", () => epub("Plan", ["<p>The dose is <del>40 mg</del> 10 mg daily.</p>"])],
  ...["sngStrike", "dblStrike"].map((mark): [string, () => Uint8Array] => [
    `PPTX ${mark}`,
    () =>
      pptx([
        {
          title: "Plan",
          body: [
            `The dose is </a:t></a:r><a:r><a:rPr strike="${mark}"/><a:t>40 mg</a:t></a:r><a:r><a:t> 10 mg daily.`,
          ],
        },
      ]),
  ]),
  [
    "XLSX",
    () =>
      workbook({
        sheet: `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><r><t>The dose is </t></r><r><rPr><b/><strike/></rPr><t>40 mg</t></r><r><rPr><strike val="0"/></rPr><t> 10 mg daily.</t></r></is></c></row></sheetData>`,
      }),
  ],
  ["text", () => "The dose is ~~40 mg~~ 10 mg daily."],
  [
    "PDF line",
    () =>
      struckPdf((page, x0, x1, size) =>
        page.drawLine({
          start: { x: x0, y: 700 + size * 0.3 },
          end: { x: x1, y: 700 + size * 0.3 },
          thickness: 0.7,
        }),
      ),
  ],
  [
    "PDF bar",
    () =>
      struckPdf(
        (page, x0, x1, size) =>
          page.drawRectangle({
            x: x0,
            y: 700 + size * 0.22,
            width: x1 - x0,
            height: 1,
            color: rgb(1, 0, 0),
          }),
        14,
      ),
  ],
  [
    "PDF annotation",
    () =>
      struckPdf((page, x0, x1, size) => {
        const [bottom, top] = [700 - 0.2 * size, 700 + 0.8 * size];
        const note = page.doc.context.obj({
          Type: "Annot",
          Subtype: "StrikeOut",
          Rect: [x0, bottom, x1, top],
          QuadPoints: [x0, top, x1, top, x0, bottom, x1, bottom],
          Contents: PDFString.of("wrong"),
        });
        page.node.set(
          PDFName.of("Annots"),
          page.doc.context.obj([page.doc.context.register(note)]),
        );
      }),
  ],
];

describe("struck-out text", () => {
  it.each(STRUCK)("of %s is marked and supports no claim", async (_, file, name) => {
    const { text, chunks, warnings } = await read(await file(), name ?? null);
    expect(text).toContain("The dose is ~~40 mg~~ 10 mg daily.");
    expect(warnings.map(({ code }) => code)).toContain("struck_text");
    expect(chunks[0]?.warnings).toContain("struck_text");
    expect(judge("The dose is 40 mg daily.", text).verdict).not.toBe("supported");
    expect(judge("The dose is 10 mg daily.", text).verdict).toBe("supported");
  });

  it("doesn't include underlined words or words above a table's rule", async () => {
    const underlined = await read(
      await struckPdf((page, x0, x1) => {
        page.drawLine({ start: { x: x0, y: 698 }, end: { x: x1, y: 698 }, thickness: 0.7 });
        page.drawLine({ start: { x: 40, y: 703 }, end: { x: 560, y: 703 }, thickness: 0.7 });
      }),
    );
    expect(underlined.text).toBe("The dose is 40 mg 10 mg daily.");
    const html = await read("<html><body><p>The <ins>dose</ins> is <u>5 mg</u>.</p></body></html>");
    expect(html.text).toBe("The dose is 5 mg.");
  });
});

const field = (state: string) =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:sizeAuto/><w:default w:val="0"/>${state}</w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const control = (isChecked: number, sign: string) =>
  `<w:p><w:sdt><w:sdtPr><w14:checkbox ${W14}><w14:checked w14:val="${isChecked}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run(sign)}</w:sdtContent></w:sdt>`;
const FIELDS = 'xmlns:field="urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0"';
const mark = (inner: string) =>
  `<field:fieldmark ${FIELDS} field:type="vnd.oasis.opendocument.field.FORMCHECKBOX">${inner}</field:fieldmark>`;

/** A form on which the patient smokes and isn't pregnant. */
const FORMS: [string, () => Promise<Uint8Array> | Uint8Array | string, string?][] = [
  [
    "DOCX fields",
    () =>
      docx(
        `${field("<w:checked/>")}${run(" The patient smokes.")}</w:p>${field("")}${run(" The patient is pregnant.")}</w:p>`,
      ),
  ],
  [
    "DOCX controls",
    () =>
      docx(
        `${control(1, "\u2612")}${run(" The patient smokes.")}</w:p>${control(0, "\u25cb")}${run(" The patient is pregnant.")}</w:p>`,
      ),
  ],
  [
    "ODT fields",
    () =>
      odt(
        `<text:p>${mark('<field:param field:name="Checkbox_Checked" field:value="true"/>')} The patient smokes.</text:p><text:p>${mark("")} The patient is pregnant.</text:p>`,
      ),
  ],
  [
    "HTML boxes",
    () =>
      "<html><body><form><p><label><input type=checkbox checked> The patient smokes.</label></p><p><input type=radio> The patient is pregnant.</p></form></body></html>",
  ],
  [
    "Markdown tasks",
    () => "# Form\n\n- [x] The patient smokes.\n- [ ] The patient is pregnant.",
    "form.md",
  ],
  [
    "PDF fields",
    async () => {
      const document = await PDFDocument.create();
      const font = await document.embedFont(StandardFonts.Helvetica);
      const page = document.addPage([595, 842]);
      for (const [at, text] of ["The patient smokes.", "The patient is pregnant."].entries()) {
        const box = document.getForm().createCheckBox(`box ${at}`);
        box.addToPage(page, { x: 60, y: 699 - at * 20, width: 10, height: 10 });
        box[at === 0 ? "check" : "uncheck"]();
        page.drawText(text, { x: 76, y: 700 - at * 20, size: 11, font });
      }
      return document.save();
    },
  ],
  [
    "PDF squares",
    () =>
      pdf(1, (page, _, { plain }) => {
        for (const [at, text] of ["The patient smokes.", "The patient is pregnant."].entries()) {
          const y = 699 - at * 20;
          page.drawRectangle({
            x: 60,
            y,
            width: 9,
            height: 9,
            borderWidth: 0.7,
            borderColor: rgb(0, 0, 0),
          });
          if (at === 0) {
            page.drawLine({ start: { x: 61, y: y + 1 }, end: { x: 68, y: y + 8 } });
            page.drawLine({ start: { x: 61, y: y + 8 }, end: { x: 68, y: y + 1 } });
          }
          page.drawText(text, { x: 76, y: 700 - at * 20, size: 11, font: plain });
        }
      }),
  ],
];

describe("the boxes of a form", () => {
  it.each(FORMS)("of %s are signs, and an empty one supports no claim", async (_, file, name) => {
    const { text } = await read(await file(), name ?? null);
    expect(text).toMatch(/☑ The patient smokes\./);
    expect(text).toMatch(/☐ The patient is pregnant\./);
    expect(judge("The patient smokes.", text).verdict).toBe("supported");
    expect(judge("The patient is pregnant.", text).verdict).toBe("unsupported");
  });

  it("show chosen values, and no fields that a reader doesn't see", async () => {
    const { text } = await read(
      "<html><body><p>Weight: <input value='82 kg'> Side: <select><option>left<option selected>right</select><input type=hidden value=secret><input type=password value=secret></p></body></html>",
    );
    expect(text).toBe("Weight: 82 kg Side: right");
    const list = await read(
      docx(
        `<w:p>${run("Ward: ")}<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="A"/><w:listEntry w:val="B"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
      ),
    );
    expect(list.text).toBe("Ward: B");
  });

  it("aren't the cells of a table or a plot's points", async () => {
    const { text } = await read(
      await pdf(1, (page, _, { plain }) => {
        for (const at of [0, 1, 2, 3]) {
          page.drawRectangle({ x: 60 + at * 10, y: 700, width: 10, height: 10, borderWidth: 0.7 });
        }
        page.drawText("0 1 1 0", { x: 62, y: 702, size: 9, font: plain });
      }),
    );
    expect(text).not.toMatch(/[☐☑]/);
  });
});
