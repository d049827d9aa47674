import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import {
  docx,
  docxFiles,
  epub,
  odt,
  pptx,
  wordParagraph,
  wordTable,
  zip,
} from "@/lib/testing/document-files";
import { docxWithNotes, wordCell, wordReference, wordRow } from "@/lib/testing/office-files";
import { withColumnNames } from "@/lib/text/tables";
import type { ReadDocument } from "../parse/read-task";

afterAll(closeParserPool);

function read(bytes: Uint8Array, name: string | null = null): Promise<ReadDocument> {
  return readDocument({ bytes, name, title: null, mediaType: null });
}

const lines = ({ text }: ReadDocument) => withColumnNames(text).split("\n").filter(Boolean);

const DOSES = [
  ["Drug", "Morning", "Noon", "Evening"],
  ["Aspivaril", "", "", "100 mg"],
  ["Cendrazine", "", "25 mg", "75 mg"],
];
const DOSE_LINES = [
  "| Drug: Aspivaril | Evening: 100 mg |",
  "| Drug: Cendrazine | Noon: 25 mg | Evening: 75 mg |",
];

describe("a table with empty cells", () => {
  const rows = (row: string, cell: (text: string) => string) =>
    DOSES.map((texts) => `<${row}>${texts.map(cell).join("")}</${row}>`).join("");
  const slideCell = (text: string, attributes = "") =>
    `<a:tc${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const odtCell = (text: string) =>
    `<table:table-cell>${text && `<text:p>${text}</text:p>`}</table:table-cell>`;

  it.each([
    ["DOCX", docx(wordTable(DOSES))],
    ["ODT", odt(`<table:table>${rows("table:table-row", odtCell)}</table:table>`)],
    ["PPTX", pptx([{ title: "", body: [], table: rows("a:tr", (text) => slideCell(text)) }])],
    ["EPUB", epub("x", [`<table>${rows("tr", (text) => `<td>${text}</td>`)}</table>`])],
    [
      "HTML",
      Buffer.from(`<!doctype html><table>${rows("tr", (text) => `<td>${text}</td>`)}</table>`),
    ],
    [
      "Markdown",
      Buffer.from(
        `# Doses\n\n|${DOSES.map((row) => `${row.join("|")}|`)
          .join("\n|---|---|---|---|\n|")
          .replace(/(?<=100 mg\|\n)\|---\|---\|---\|---\|\n/, "")}`,
      ),
    ],
    ["CSV", Buffer.from(DOSES.map((row) => row.join(",")).join("\n"))],
  ])("in %s names the column of each value", async (_, bytes) => {
    const document = await read(bytes);
    expect(lines(document).slice(-2)).toEqual(DOSE_LINES);
  });

  it("is read whole inside a cell, its column names included", async () => {
    const bold = (text: string) => `<w:tc>${wordParagraph(text, { run: "<w:b/>" })}</w:tc>`;
    const inner = `<w:tbl>${wordRow([bold("Route"), bold("Limit")])}${wordRow([wordCell("oral"), wordCell("35 mg")])}</w:tbl>`;
    const outer = `<w:tbl>${wordRow([wordCell("Aspivaril"), `<w:tc>${inner}${wordParagraph("")}</w:tc>`])}</w:tbl>`;
    const { text } = await read(docx(outer));
    expect(text.replaceAll("\\", "")).toContain("| Route | Limit oral | 35 mg |");
  });

  it("keeps merged cells in place, in DOCX and PPTX", async () => {
    const head = wordRow([wordCell("Drug"), wordCell("Dose", '<w:gridSpan w:val="2"/>')], true);
    const names = wordRow([wordCell(""), wordCell("Adults"), wordCell("Children")], true);
    const merged = wordRow([
      wordCell("Aspirin", '<w:vMerge w:val="restart"/>'),
      wordCell("1 mg"),
      wordCell(""),
    ]);
    const below = wordRow([wordCell("", "<w:vMerge/>"), wordCell(""), wordCell("2 mg")]);
    const expected = [
      "| Drug: Aspirin | Dose / Adults: 1 mg |",
      "| Drug: Aspirin | Dose / Children: 2 mg |",
    ];
    expect(lines(await read(docx(`<w:tbl>${head}${names}${merged}${below}</w:tbl>`)))).toEqual(
      expected,
    );
    const table = [
      slideCell("Drug") + slideCell("Dose", ' gridSpan="2"') + slideCell("", ' hMerge="1"'),
      slideCell("") + slideCell("Adults") + slideCell("Children"),
      slideCell("Aspirin", ' rowSpan="2"') + slideCell("1 mg") + slideCell(""),
      slideCell("", ' vMerge="1"') + slideCell("") + slideCell("2 mg"),
    ].map((cells) => `<a:tr>${cells}</a:tr>`);
    const slides = pptx([{ title: "Doses", body: [], table: table.join("") }]);
    expect(lines(await read(slides)).slice(1)).toEqual(expected);
  });

  it("with one column is a frame around its text", async () => {
    const frame = wordRow([
      `<w:tc>${wordParagraph("One.")}${wordParagraph("Two.", { isItem: true })}</w:tc>`,
    ]);
    expect(lines(await read(docx(`<w:tbl>${frame}</w:tbl>`)))).toEqual(["One.", "- Two."]);
  });
});

describe("notes", () => {
  const paragraphWith = (text: string, ...runs: string[]) =>
    wordParagraph(text).replace("</w:p>", `${runs.join("")}</w:p>`);

  it("of a DOCX follow their paragraph, numbered, and comments as such", async () => {
    const body = [
      paragraphWith("Never exceed it.", wordReference("footnote", 1), wordReference("endnote", 1)),
      paragraphWith("The end.", wordReference("comment", 1)),
    ];
    const notes = {
      footnotes: ["At most 35 mg."],
      endnotes: ["See the label."],
      comments: ["Is this so?"],
    };
    expect(lines(await read(docxWithNotes(body.join(""), notes)))).toEqual([
      "Never exceed it.",
      "[note 1] At most 35 mg.",
      "[note 2] See the label.",
      "The end.",
      "[comment] Is this so?",
    ]);
  });

  it("in a table follow the table", async () => {
    const cell = `<w:tc>${paragraphWith("100 mg", wordReference("footnote", 1))}</w:tc>`;
    const table = `<w:tbl>${wordRow([wordCell("Drug"), wordCell("Dose")], true)}${wordRow([wordCell("Aspirin"), cell])}</w:tbl>`;
    expect(lines(await read(docxWithNotes(table, { footnotes: ["For adults."] })))).toEqual([
      "| Drug: Aspirin | Dose: 100 mg |",
      "[note 1] For adults.",
    ]);
  });

  it("of an ODT and an EPUB follow their paragraph", async () => {
    const letter = odt(
      '<text:p>Never exceed it.<text:note text:id="ftn0" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>At most 35 mg.</text:p></text:note-body></text:note> The end.</text:p>',
    );
    const book = epub("x", [
      '<p>Never exceed it.<a href="#fn1" epub:type="noteref" xmlns:epub="http://www.idpf.org/2007/ops">1</a> The end.</p><aside id="fn1" epub:type="footnote" xmlns:epub="http://www.idpf.org/2007/ops"><p>At most 35 mg.</p></aside>',
    ]);
    for (const bytes of [letter, book]) {
      expect(lines(await read(bytes))).toEqual([
        "Never exceed it. The end.",
        "[note 1] At most 35 mg.",
      ]);
    }
  });

  it("of a speaker are on their slide's page, and no page counts as less than empty", async () => {
    const slides = [
      { title: "First", body: ["One"], notes: ["Say hello.", "Smile."] },
      { title: "", body: [] },
      { title: "", body: [], notes: ["Only notes."] },
    ];
    const document = await read(pptx(slides));
    expect(document).toMatchObject({ pages: 3, emptyPages: 1 });
    expect(document.chunks).toMatchObject([{ pageStart: 1, pageEnd: 3 }]);
    expect(lines(document)).toEqual([
      "First",
      "One",
      "[speaker notes] Say hello.",
      "Smile.",
      "[speaker notes] Only notes.",
    ]);
  });
});

describe("what the parser of Word files leaves out", () => {
  it("is read: text below its reading, and the places of cells that a row skips", async () => {
    const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
    const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run("yoryo")}</w:rt><w:rubyBase>${run("用量")}</w:rubyBase></w:ruby></w:r>`;
    const skipping = wordRow([wordCell("5 mg"), wordCell("daily")]).replace(
      "<w:trPr>",
      '<w:trPr><w:gridBefore w:val="1"/>',
    );
    const head = wordRow(
      ["Drug", "Dose", "Time"].map((name) => wordCell(name)),
      true,
    );
    const table = `<w:tbl>${head}${wordRow([wordCell("A"), wordCell(""), wordCell("night")])}${skipping}</w:tbl>`;
    expect(lines(await read(docx(`<w:p>${run("Read ")}${ruby}</w:p>${table}`)))).toEqual([
      "Read 用量",
      "| Drug: A | Time: night |",
      "| Dose: 5 mg | Time: daily |",
    ]);
  });
});

describe("an equation", () => {
  it("stays in its sentence", async () => {
    const math = `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>c</m:t></m:r></m:den></m:f></m:oMath>`;
    const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const document = await read(docx(`<w:p>${run("See ")}${math}${run(" for the ratio.")}</w:p>`));
    expect(document.text).toMatch(/^See \$\\frac\{?a\}?\{?c\}?\$ for the ratio\.$/);
  });
});

describe("a long file", () => {
  it("of Word is read whole, with numbers of notes that go on", async () => {
    const runs = "<w:r><w:t>a </w:t></w:r>".repeat(400);
    const long = Array.from({ length: 150 }, (_, at) =>
      wordParagraph(`Line ${at}`).replace("</w:p>", `${runs}</w:p>`),
    );
    const refer = (id: number) => `<w:p>${wordReference("footnote", id)}</w:p>`;
    const bytes = docxWithNotes([refer(1), ...long, refer(2)].join(""), {
      footnotes: ["First.", "Second."],
    });
    const { text } = await read(bytes);
    const found = text.match(/Line \d+|\[note \d\] \w+/g) ?? [];
    expect(found).toHaveLength(152);
    expect(found.slice(0, 2)).toEqual(["[note 1] First", "Line 0"]);
    expect(found.slice(-2)).toEqual(["Line 149", "[note 2] Second"]);
  });

  it("of Word is read whole, with signs of tags in attributes", async () => {
    const body = `<w:p><w:r><w:tab w:a="b -> c" w:d='">'/><w:t>Some</w:t></w:r></w:p>`;
    const { text } = await read(docx(body.repeat(16_000)));
    expect(text.match(/Some/g)).toHaveLength(16_000);
  });

  it("of Word that is cut off ends", async () => {
    const long = wordParagraph("Some").repeat(20_000);
    const files = docxFiles(`${long}<w:p>`);
    const cut = files["word/document.xml"]?.replace(/<w:p><\/w:body>.*/s, "<w:p><w:r") ?? "";
    await expect(read(zip({ ...files, "word/document.xml": cut }))).rejects.toThrow("cut off");
  });
});
