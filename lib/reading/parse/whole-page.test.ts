import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { docxFiles, wordParagraph, zip } from "@/lib/testing/document-files";

afterAll(closeParserPool);

async function read(content: Uint8Array | string, name: string | null = null) {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const file = await readDocument({ bytes, name, title: null, mediaType: null });
  return { text: file.text, codes: file.warnings.map(({ code }) => code) };
}

const PROSE = `<p>${"A sentence of some length, with commas, about the airways and their care. ".repeat(8)}</p>`;

describe("a web page", () => {
  it.each([
    '<div class="remark">Never above 35 mg.</div>',
    '<div class="sidebar"><p>Never above 35 mg.</p></div>',
    "<aside>Never above 35 mg.</aside>",
    '<div class="footer related popup">Never above 35 mg.</div>',
    '<ul class="comment-list"><li>Never above 35 mg.</li></ul>',
    "<dl><dt>Dose</dt><dd>Never above 35 mg.</dd></dl>",
    '<p>See <a href="#a">Never above 35 mg.</a></p>',
  ])("keeps what stands beside its article: %s", async (box) => {
    const html = `<html><body><article><h1>Care</h1>${PROSE.repeat(6)}</article>${box}</body></html>`;
    expect((await read(html)).text).toContain("Never above 35 mg.");
  });

  it.each([
    `<ul>${'<li><a href="#">Topic</a></li>'.repeat(6)}</ul>`,
    `<div class="menu">${'<a href="#">Topic</a> '.repeat(6)}</div>`,
    `<nav>${'<a href="#">Topic</a> '.repeat(6)}</nav>`,
  ])("loses its navigation: %s", async (links) => {
    const { text, codes } = await read(`<html><body>${links}<h1>Care</h1>${PROSE}</body></html>`);
    expect(text).not.toContain("Topic");
    expect(codes.includes("links_left_out")).toBe(!links.startsWith("<nav>"));
  });

  it("of nothing but links keeps them", async () => {
    const links = `<ul>${'<li><a href="#">Topic</a></li>'.repeat(6)}</ul>`;
    expect((await read(`<html><body>${links}</body></html>`)).text).toContain("Topic");
  });

  it("has tables with named columns, whatever their cells hold", async () => {
    const head = "<tr><th>Drug</th><th>Details</th></tr>";
    for (const [cell, expected] of [
      ["<h3>A</h3>", "| A | b |"],
      ["<table><tr><td>5 mg</td><td>blue</td></tr></table>", "| 5 mg \\| blue | b |"],
    ]) {
      const { text } = await read(
        `<html><body><table>${head}<tr><td>${cell}</td><td>b</td></tr></table></body></html>`,
      );
      expect(text).toBe(`| Drug | Details |\n| --- | --- |\n${expected}`);
    }
  });
});

describe("a table in a text file", () => {
  it.each([";", "|", "\t", ","])("has the separator %j that its first line names", async (mark) => {
    const rows = [
      ["Drug", "Dose"],
      ["Aspirin", "5 mg"],
    ]
      .map((row) => row.join(mark))
      .join("\n");
    const { text, codes } = await read(`sep=${mark}\n${rows}`, "x.csv");
    expect(text).toBe("| Drug | Dose |\n| --- | --- |\n| Aspirin | 5 mg |");
    expect(codes).toEqual([]);
  });

  it("has its names below lines of titles, but no titles where the first row names columns", async () => {
    const titled =
      "Export;;;\nPatient;Quill;;\n;;;\nTest;Value;Unit;Range\nK;5,9;mmol/l;3-5\nNa;138;mmol/l;";
    expect((await read(titled, "x.csv")).text).toBe(
      "| Export |\n| Patient | Quill |\n\n| Test | Value | Unit | Range |\n| --- | --- | --- | --- |\n| K | 5,9 | mmol/l | 3-5 |\n| Na | 138 | mmol/l | |",
    );
    const plain = "Test;Value;;\nK;5,9;high;yes\nNa;138;low;no";
    expect((await read(plain, "x.csv")).text).toContain("| K | 5,9 |");
    expect((await read(";Adult;Child\nA;1 mg;2 mg", "x.csv")).text).toContain(
      "| | Adult | Child |",
    );
  });

  it("in a DOS code page has its letters, and a warning", async () => {
    const dos: Record<string, number> = { é: 0x82, ü: 0x81, ä: 0x84, µ: 0xe6, ß: 0xe1, ñ: 0xa4 };
    const bytes = Buffer.from(
      Array.from(
        "Médicament;Dosé;Größe\nParacétamol;75 µg;für Mädchen\nniño;5 mg;x".replace("ö", "ä"),
        (char) => dos[char] ?? char.charCodeAt(0),
      ),
    );
    const { text, codes } = await read(new Uint8Array(bytes), "x.csv");
    expect(text).toContain("| Paracétamol | 75 µg | für Mädchen |");
    expect(codes).toEqual(["suspect_encoding"]);
  });

  it.each([
    "L\u2019état, c\u2019est moi; d\u0153uvre; No\u00ebl; \u201cdon\u2019t\u201d",
    "Gr\u00f6\u00dfe \u2013 f\u00fcr alle; 5 \u00b5g; \u20ac 5\u20137",
  ])("in Windows-1252 isn't taken for one: %s", async (words) => {
    const codes: Record<string, number> = {
      "\u2019": 0x92,
      "\u0153": 0x9c,
      "\u201c": 0x93,
      "\u201d": 0x94,
      "\u2013": 0x96,
      "\u20ac": 0x80,
    };
    const bytes = Uint8Array.from(words, (char) => codes[char] ?? char.charCodeAt(0));
    expect((await read(bytes, "x.txt")).text).toBe(words);
  });
});

describe("what pages have at their top and bottom", () => {
  it("is read once, as such", async () => {
    const part = (tag: string, text: string) =>
      `<?xml version="1.0"?><w:${tag} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${wordParagraph(text)}</w:${tag}>`;
    const { text } = await read(
      zip({
        ...docxFiles(wordParagraph("Continue insulin.")),
        "word/header1.xml": part("hdr", "ALLERGIC TO PENICILLIN"),
        "word/header2.xml": part("hdr", "ALLERGIC TO PENICILLIN"),
        "word/footer1.xml": part("ftr", "3"),
      }),
    );
    expect(text).toBe("Continue insulin.\n\n[page header] ALLERGIC TO PENICILLIN");
    const rtf = await read("{\\rtf1\\ansi{\\header ALLERGIC\\par}Continue insulin.\\par}");
    expect(rtf.text).toBe("Continue insulin.\n\n[page header] ALLERGIC");
  });
});

describe("a mail with two forms of its text", () => {
  const mail = (plain: string, html: string) =>
    `From: a@x.org\nSubject: K\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/plain\n\n${plain}\n--b\nContent-Type: text/html\n\n${html}\n--b--\n`;
  const TABLE =
    "<table><tr><th>Test</th><th>Result</th></tr><tr><td>Potassium</td><td>6.2 mmol/L</td></tr></table><p>Please stop spironolactone today.</p>";

  it("is read in the one that says more", async () => {
    const stub = await read(mail("This mail has no text.", TABLE), "x.eml");
    expect(stub.text).toContain("| Potassium | 6.2 mmol/L |");
    const whole = await read(
      mail("Potassium 6.2 mmol/L. Please stop spironolactone today.", TABLE),
      "x.eml",
    );
    expect(whole.text).toContain("Potassium 6.2 mmol/L. Please");
    expect(whole.text).not.toContain("|");
  });
});
