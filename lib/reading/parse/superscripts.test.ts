import { afterAll, expect, test } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { docx, wordParagraph } from "@/lib/testing/document-files";
import { superscript } from "./superscripts";

afterAll(closeParserPool);

const SHOWN = "Above 150 × 10⁹/L or 10⁻³ since 2010¹², as shown³ per 1.73 m².";

async function textOf(bytes: Uint8Array, name: string): Promise<string> {
  return (await readDocument({ bytes, name, title: null, mediaType: null })).text;
}

const raised = (text: string) =>
  `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${text}</w:t></w:r>`;
const plain = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

test("raised digits keep their height", async () => {
  const runs = [
    ...[raised("9"), plain("/L or 10"), raised("-3"), plain(" since 2010"), raised("12")],
    ...[plain(", as shown"), raised("3"), plain(" per 1.73 m"), raised("2"), plain(".")],
  ];
  const body = wordParagraph("Above 150 × 10").replace("</w:p>", `${runs.join("")}</w:p>`);
  expect(await textOf(docx(body), "a.docx")).toBe(SHOWN);

  const html =
    "<p>Above 150 × 10<sup>9</sup>/L or 10<sup>-3</sup> since 2010<sup><a href='#n'>12</a></sup>, as shown<sup>3</sup> per 1.73 m<sup>2</sup>.</p>";
  expect(await textOf(Buffer.from(html), "a.html")).toBe(SHOWN);
});

test("raised words and lists of notes stay as they are", () => {
  expect(superscript("th")).toBe("th");
  expect(superscript("1, 2")).toBe("1, 2");
});

test("numerators stay unless another digit is before them", async () => {
  const shown = "Take 1/2 or 1¹/2 tablets (3⁄4) at 10 ⁹/L.";
  const half = [plain("Take "), raised("1"), plain("/2 or 1"), raised("1"), plain("/2 tablets (")];
  const rest = [raised("3"), plain("⁄4) at 10 "), raised("9"), plain("/L.")];
  expect(await textOf(docx(`<w:p>${[...half, ...rest].join("")}</w:p>`), "a.docx")).toBe(shown);

  const html =
    "<p>Take <sup>1</sup>/<sub>2</sub> or 1<sup>1</sup>/<sub>2</sub> tablets (<sup>3</sup><span>&frasl;</span><sub>4</sub>) at 10 <sup>9</sup>/L.</p>";
  expect(await textOf(Buffer.from(html), "a.html")).toBe(shown);
});
