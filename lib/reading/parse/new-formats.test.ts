import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { docxFiles, wordParagraph, zip } from "@/lib/testing/document-files";
import { compoundFile, openDocument } from "@/lib/testing/office-files";
import { outlookFile } from "@/lib/testing/outlook-file";
import { withColumnNames } from "@/lib/text/tables";
import { parseEmail } from "../email/email";
import type { ReadDocument } from "./read-task";

afterAll(closeParserPool);

function read(content: Uint8Array | string, name: string | null = null): Promise<ReadDocument> {
  return readDocument({ bytes: Buffer.from(content), name, title: null, mediaType: null });
}

async function messageOf(content: Uint8Array, name: string): Promise<string> {
  const thrown: unknown = await read(content, name).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: "unsupported_format" });
  return thrown instanceof Error ? thrown.message : "";
}

const lines = ({ text }: ReadDocument) => withColumnNames(text).split("\n").filter(Boolean);
const codes = ({ warnings }: ReadDocument) => warnings.map(({ code }) => code);

describe("OpenDocument", () => {
  const cell = (text: string, attributes = "") =>
    `<table:table-cell ${attributes}>${text && `<text:p>${text}</text:p>`}</table:table-cell>`;
  const row = (...cells: string[]) => `<table:table-row>${cells.join("")}</table:table-row>`;

  it("sheets have their values as shown, with column names", async () => {
    const date = cell("14/03/25", 'office:value-type="date" office:date-value="2025-03-14"');
    const share = cell("2.5 %", 'office:value-type="percentage" office:value="0.025"');
    const body = row(cell("Visit"), cell(""), cell("Change")) + row(date, cell(""), share);
    const document = await read(
      openDocument("spreadsheet", `<table:table table:name="Visits">${body}</table:table>`),
      "visits.ods",
    );
    expect(document).toMatchObject({ title: "visits", pages: null });
    expect(document.mediaType).toContain("spreadsheet");
    expect(lines(document)).toEqual(["Visits", "| Visit: 14/03/25 | Change: 2.5 % |"]);
  });

  it("sheets have the comments on their cells below the table, once each", async () => {
    const comment = (text: string) =>
      `<office:annotation><text:p>${text}</text:p><text:p>Ask Ann.</text:p></office:annotation>`;
    const body =
      row(cell("Drug"), cell("Evening")) +
      row(
        cell("Aspirin"),
        `<table:table-cell table:number-columns-repeated="3">${comment("With food.")}<text:p>100</text:p></table:table-cell>`,
      ) +
      row(`<table:table-cell table:number-columns-repeated="3"/>`) +
      row(
        cell("Note"),
        "<table:table-cell/>",
        `<table:table-cell>${comment("Empty.")}</table:table-cell>`,
      );
    const document = await read(
      openDocument("spreadsheet", `<table:table table:name="Doses">${body}</table:table>`),
    );
    expect(lines(document)).toEqual([
      "Doses",
      "| Drug: Aspirin | Evening: 100 | column 3: 100 | column 4: 100 |",
      "| Drug: Note |",
      "[comment on B2, Aspirin, Evening: 100] With food. Ask Ann.",
      "[comment on C4, Note] Empty. Ask Ann.",
    ]);
  });

  it("presentations have a page per slide, with the speaker's notes", async () => {
    const slide = (text: string, notes = "") =>
      `<draw:page><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>${notes && `<presentation:notes><draw:frame><draw:text-box><text:p>${notes}</text:p></draw:text-box></draw:frame></presentation:notes>`}</draw:page>`;
    const document = await read(
      openDocument("presentation", slide("First.", "Say hello.") + slide("Second.")),
    );
    expect(document).toMatchObject({ pages: 2, emptyPages: 0 });
    expect(document.chunks).toMatchObject([{ pageStart: 1, pageEnd: 2 }]);
    expect(lines(document)).toEqual(["First.", "[speaker notes] Say hello.", "Second."]);
  });

  it("with ten million repeated cells is read in part or refused", async () => {
    const many = cell("x", 'table:number-columns-repeated="16384"').repeat(2);
    const bomb = `<table:table table:name="x"><table:table-row table:number-rows-repeated="1048576">${many}</table:table-row></table:table>`;
    const outcome = await read(openDocument("spreadsheet", bomb)).catch((error) => error.code);
    expect(typeof outcome === "string" ? outcome : codes(outcome)).toEqual(
      typeof outcome === "string"
        ? expect.stringMatching(/^too_/)
        : expect.arrayContaining(["incomplete"]),
    );
  }, 60_000);
});

describe("RTF", () => {
  it("is read with its tables and notes", async () => {
    const row = (...cells: string[]) =>
      `\\trowd${cells.map((_, index) => `\\cellx${(index + 1) * 1000}`).join("")} ${cells.map((text) => `\\intbl ${text}\\cell`).join("")}\\row`;
    const document = await read(
      `{\\rtf1\\ansi\\ansicpg1252 {\\pard Gr\\'f6\\'dfe.{\\footnote\\pard At most 35 mg.}\\par}${row("Drug", "Noon", "Evening")}${row("Aspirin", "", "100 mg")}}`,
      "letter.txt",
    );
    expect(document.mediaType).toBe("application/rtf");
    expect(lines(document)).toEqual([
      "Größe.",
      "[note 1] At most 35 mg.",
      "| Drug: Aspirin | Evening: 100 mg |",
    ]);
  });

  it("keeps the columns of cells that are merged across, marked or by where they end", async () => {
    const row = (cells: [end: number, text: string, mark?: string][]) =>
      `\\trowd${cells.map(([end, , mark = ""]) => `${mark}\\cellx${end}`).join("")} ${cells.map(([, text]) => `\\intbl ${text}\\cell`).join("")}\\row`;
    const below =
      row([
        [1000, ""],
        [2000, "Adults"],
        [3000, "Children"],
      ]) +
      row([
        [1010, "Aspirin"],
        [1990, "100 mg"],
        [3000, ""],
      ]);
    const aside = `{\\header ${row([[500, "Letterhead"]])}}`;
    for (const dose of [
      row([
        [1000, "Drug"],
        [3000, "Dose"],
      ]),
      row([
        [1000, "Drug"],
        [2000, "Dose", "\\clmgf"],
        [3000, "", "\\clmrg"],
      ]),
    ]) {
      expect(lines(await read(`{\\rtf1\\ansi ${aside}Doses.\\par${dose}${below}}`))).toEqual([
        "Doses.",
        "| Drug: Aspirin | Dose / Adults: 100 mg |",
        "[page header] Letterhead",
      ]);
    }
  });

  it("does not guess the columns of a row that ends elsewhere", async () => {
    const row = (...ends: number[]) =>
      `\\trowd${ends.map((end) => `\\cellx${end}`).join("")} ${ends.map((end) => `\\intbl c${end}\\cell`).join("")}\\row`;
    const document = await read(`{\\rtf1\\ansi ${row(1000, 2000, 3000)}${row(1500, 3000)}}`);
    expect(lines(document)).toEqual(["| c1000 | c2000 | c3000 |", "| c1500 | c3000 |"]);
  });

  it("nested or cut off is read or refused", async () => {
    const outcomes = await Promise.all(
      [`{\\rtf1 ${"{".repeat(100_000)}x`, "{\\rtf1 cut \\'", `{\\rtf1 \\bin999999999 x}`].map(
        (text) =>
          read(text).then(
            () => "read",
            (error) => error.code,
          ),
      ),
    );
    expect(outcomes).toEqual(
      outcomes.map(() =>
        expect.stringMatching(/^(?:read|too_complex|damaged_file|no_extractable_text)$/),
      ),
    );
  }, 60_000);
});

describe("an email", () => {
  const head = [
    "Received: from a.example by b.example",
    "From: =?utf-8?Q?Ann_L=C3=B3pez?= <ann@example.com>",
    "To: Ben <ben@example.com>",
    "Date: Fri, 14 Mar 2025 10:00:00 +0000",
    "Subject: =?utf-8?B?RG9zZXMgb2YgYXNwaXJpbg==?=",
    "MIME-Version: 1.0",
  ].join("\r\n");
  const mixed = [
    'Content-Type: multipart/mixed; boundary="x"',
    "",
    "--x",
    'Content-Type: text/plain; charset="utf-8"',
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "At most 35=C2=B5g =",
    "a day.",
    "--x",
    'Content-Type: image/png; name="scan.png"',
    'Content-Disposition: attachment; filename="scan.png"',
    "Content-Transfer-Encoding: base64",
    "",
    "iVBORw0KGgo".repeat(40),
    "--x--",
  ].join("\r\n");

  it("is its headers and its decoded body; attachments are named and reported", async () => {
    const document = await read(`${head}\r\n${mixed}`, "x.txt");
    expect(document).toMatchObject({ mediaType: "message/rfc822", title: "Doses of aspirin" });
    expect(lines(document)).toEqual([
      "From: Ann López <ann@example.com>",
      "To: Ben <ben@example.com>",
      "Date: 2025-03-14T10:00:00.000Z",
      "Subject: Doses of aspirin",
      "Attachments: scan.png",
      "At most 35µg a day.",
    ]);
    expect(codes(document)).toEqual(["attachments_left_out"]);
  });

  it("names attached messages by their subject, and shows no name in another direction", async () => {
    const attached = (subject: string) =>
      `--x\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\nFrom: a@example.com\r\n${subject}\r\n\r\nText.\r\n`;
    const subject = "Re: =?utf-8?Q?Gr=C3=B6=C3=9Fe=E2=80=AE?=\r\n <a/b>";
    const file = `--x\r\nContent-Type: text/plain; name="=?utf-8?Q?bill=E2=80=AEfdp=2Eexe?="\r\nContent-Disposition: attachment\r\n\r\nx\r\n`;
    const parts = [attached(`Subject: ${subject}`), attached("X-Empty: 1"), file];
    const { attachments } = await parseEmail(
      Buffer.from(
        `${head}\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n${parts.join("")}--x--`,
      ),
    );
    expect(attachments?.map(({ name }) => name)).toEqual([
      "Re Größe a b.eml",
      "attached message.eml",
      "billfdp.exe",
    ]);
  });

  it("in HTML only is read as a web page, in base64 too", async () => {
    const html = Buffer.from(
      "<p>Take <b>one</b>.</p><table><tr><th>Drug</th><th>Dose</th></tr><tr><td>A</td><td>1</td></tr></table>",
    );
    const body = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${html.toString("base64")}`;
    expect(lines(await read(`${head}\r\n${body}`)).slice(-2)).toEqual([
      "Take one.",
      "| Drug: A | Dose: 1 |",
    ]);
  });

  it("is not any text with colons", async () => {
    expect((await read("Note: this\nDate: today\n\nPlain text.")).mediaType).toBe("text/plain");
    expect((await read("To: be\nor not to be\nFrom: here\nDate: x\n\nx")).mediaType).toBe(
      "text/plain",
    );
  });

  it("with endless nesting or headers is refused or read in part", async () => {
    const nested = "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n".repeat(2000);
    const long = `X-Long: ${"y".repeat(3_000_000)}\r\n\r\nText.`;
    for (const rest of [nested, long]) {
      const outcome = await read(`${head}\r\n${rest}`).then(
        () => "read",
        (error) => error.code,
      );
      expect(outcome).toMatch(/^(?:read|too_complex)$/);
    }
  });
});

describe("an Outlook message", () => {
  const person = (name: string, address: string, kind: number) => ({
    texts: { "3001001F": name, "39FE001F": address },
    numbers: { "0C150003": kind },
  });

  it("is its headers and its body; attachments are named and reported", async () => {
    const file = outlookFile({
      texts: {
        "0037001F": "Doses of aspirin",
        "0C1A001F": "Ann López",
        "0C1F001F": "/O=CLINIC/CN=RECIPIENTS/CN=ANN",
        "1000001F": "At most 35 µg a day.\r\n\r\nAnn",
      },
      recipients: [person("Ben", "ben@example.com", 1), person("Cleo", "cleo@example.com", 2)],
      attachments: [
        {
          texts: {
            "3707001F": "scan.docx",
            "37010102": Buffer.from("EncryptedPackage", "utf16le"),
          },
        },
      ],
    });
    const document = await read(file, "x.bin");
    expect(document).toMatchObject({
      mediaType: "application/vnd.ms-outlook",
      title: "Doses of aspirin",
    });
    expect(lines(document)).toEqual([
      "From: Ann López",
      "To: Ben <ben@example.com>",
      "Cc: Cleo <cleo@example.com>",
      "Subject: Doses of aspirin",
      "Attachments: scan.docx",
      "At most 35 µg a day.",
      "Ann",
    ]);
    expect(codes(document)).toEqual(["attachments_left_out"]);
  });

  it("is read in the encoding it names", async () => {
    const file = outlookFile({
      texts: {
        "0037001E": Buffer.from("c4eee7e0", "hex"),
        "1000001E": Buffer.from("cde520e1eeebe5e520c835", "hex"),
      },
      numbers: { "3FFD0003": 1251 },
    });
    expect(lines(await read(file))).toEqual(["Subject: Доза", "Не более И5"]);
  });

  it("in HTML only is read as a web page", async () => {
    const html = Buffer.from("<meta charset=utf-8><p>At most <b>35 µg</b> a day.</p>");
    expect(lines(await read(outlookFile({ texts: { "10130102": html } })))).toEqual([
      "At most 35 µg a day.",
    ]);
  });

  it("that is damaged or refers to itself is refused or read in part", async () => {
    const whole = Buffer.from(outlookFile({ texts: { "1000001F": "At most 35 µg a day." } }));
    for (let sector = 512; sector < whole.length; sector += 512) {
      const looped = Buffer.from(whole);
      looped.fill(0, sector, sector + 512);
      for (const file of [whole.subarray(0, sector), looped]) {
        const outcome = await read(file, "x.msg").then(
          () => "read",
          (error) => error.code,
        );
        expect(outcome).toMatch(
          /^(?:read|damaged_file|no_extractable_text|too_complex|unsupported_format)$/,
        );
      }
    }
  });
});

describe("an unsupported file", () => {
  it.each([
    ["WordDocument", /\(DOC\).*Save it as DOCX/],
    ["Workbook", /\(XLS\).*Save it as XLSX/],
    ["PowerPoint Document", /\(PPT\).*Save it as PPTX/],
  ])("with %s in its container is named, with a way out", async (stream, message) => {
    expect(await messageOf(compoundFile(stream), "x.bin")).toMatch(message);
  });

  it("such as XLSB is named, with a way out", async () => {
    const files = docxFiles("");
    const binary = zip({
      "[Content_Types].xml": (files["[Content_Types].xml"] ?? "")
        .replace("/word/document.xml", "/xl/workbook.bin")
        .replace(
          /application\/vnd\.openxmlformats-officedocument\.word[^"]*/,
          "application/vnd.ms-excel.sheet.binary.macroEnabled.main",
        ),
      "_rels/.rels": (files["_rels/.rels"] ?? "").replace("word/document.xml", "xl/workbook.bin"),
      "xl/workbook.bin": "x",
    });
    expect(await messageOf(binary, "x.xlsb")).toMatch(/\(XLSB\).*Save it as XLSX/);
  });

  it("such as an image is never taken for text", async () => {
    const icon = Buffer.concat([Buffer.from("000001000100", "hex"), Buffer.alloc(70_000, 0xff)]);
    expect(await messageOf(icon, "scan.ico")).toContain("image/x-icon");
  });
});

describe("a DOCX", () => {
  it("is found by its relationships, whatever its main part is called", async () => {
    const files = docxFiles(wordParagraph("Written on the web."));
    const renamed = Object.entries(files).map(([name, content]) => [
      name.replace("document.xml", "document2.xml"),
      content.replaceAll("word/document.xml", "word/document2.xml"),
    ]);
    expect((await read(zip(Object.fromEntries(renamed)))).text).toBe("Written on the web.");
  });

  it("reports charts, which aren't read", async () => {
    const files = {
      ...docxFiles(wordParagraph("See the chart.")),
      "word/charts/chart1.xml": "<c/>",
    };
    const { warnings } = await read(zip(files));
    expect(warnings).toMatchObject([
      { code: "charts_left_out", message: expect.stringMatching(/^1 chart is/) },
    ]);
  });
});
