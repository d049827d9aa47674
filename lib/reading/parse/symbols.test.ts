import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { docx, wordParagraph } from "@/lib/testing/document-files";
import { withSigns } from "./symbols";

afterAll(closeParserPool);

async function textOf(body: string): Promise<string> {
  const bytes = Buffer.from(docx(body));
  return (await readDocument({ bytes, name: null, title: null, mediaType: null })).text;
}

const run = (inside: string) => `<w:r>${inside}</w:r>`;
const inParagraph = (...runs: string[]) =>
  wordParagraph("Give 10 ").replace("</w:p>", `${runs.join("")}</w:p>`);

describe("symbols of a DOCX", () => {
  it("are read: a dose in micrograms is no dose in grams", async () => {
    const micro = run('<w:sym w:font="Symbol" w:char="F06D"/><w:t>g</w:t>');
    expect(await textOf(inParagraph(micro))).toBe("Give 10 μg");
  });

  it("are those of their font", async () => {
    const box = run('<w:sym w:font="Wingdings" w:char="F0FE"/>');
    const least = run('<w:sym w:char="F0B3" w:font="Symbol"/>');
    const unknown = run('<w:sym w:font="Webdings" w:char="00FF"/><w:t>.</w:t>');
    expect(await textOf(inParagraph(box, least, unknown))).toBe("Give 10 ☑≥.");
  });

  it("include hyphens that don't break", async () => {
    const name = run("<w:t>mg of B</w:t><w:noBreakHyphen/><w:t>12</w:t>");
    expect(await textOf(inParagraph(name))).toBe("Give 10 mg of B-12");
  });
});

describe("private characters of fonts of symbols", () => {
  it("become the signs they show, in as many characters", () => {
    expect(withSigns("\uf0b3 18 years, 5 \uf06dg \uf0e0 stop")).toBe("≥ 18 years, 5 μg → stop");
    expect(withSigns("\uf0b7 \uf041\uf061")).toBe("• Αα");
  });

  it("stay if they have no sign", () => {
    expect(withSigns("\uf080 \ue000")).toBe("\uf080 \ue000");
  });

  it("are replaced in any format", async () => {
    const bytes = Buffer.from("Patients \uf0b3 18 years.");
    const task = { bytes, name: "a.txt", title: null, mediaType: null };
    expect((await readDocument(task)).text).toBe("Patients ≥ 18 years.");
  });
});
