import { afterAll, describe, expect, it } from "vitest";
import {
  closeParserPool,
  openParserPool,
  readDocument,
} from "@/lib/library/documents/processes/parser-pool";
import { drawLines, pdf } from "@/lib/testing/document-files";
import type { ReadLimits } from "../parse/read-task";

const LIMITS: ReadLimits = {
  ...{ maxPages: 10, maxChunks: 100, maxExpandedBytes: 1_000_000 },
  ...{ chunkTokens: 400, overlapTokens: 60 },
};
const PROSE = [
  "Aspirin is given to prevent a second stroke, unless the",
  "patient has had a bleeding of the stomach. Blood pressure",
  "is measured in the morning and in the evening, and every",
  "reading above the limit is reported to the doctor at once.",
];

/** Each character moved along the alphabet, spaces included, as by a font that numbers its glyphs otherwise. */
function moved(line: string, by: number): string {
  return line.replace(/[ -z]/g, (char) => String.fromCharCode(char.charCodeAt(0) + by));
}

function drawn(pages: readonly (readonly string[])[]): Promise<Uint8Array> {
  return pdf(pages.length, (page, number, { plain }) =>
    drawLines(page, [...(pages[number - 1] ?? [])], { font: plain }),
  );
}

const task = (bytes: Uint8Array) => ({ bytes, name: null, title: null, mediaType: null });

afterAll(closeParserPool);

describe("a page whose font moves the letters", () => {
  it("is reported and left out, with the others read", async () => {
    const garbled = PROSE.map((line) => moved(line, 3));
    const bytes = await drawn([PROSE, garbled, PROSE.map((line) => line.toUpperCase())]);
    const { text, emptyPages, pageConfidence, warnings } = await readDocument(task(bytes));
    expect(text).toContain("Aspirin is given");
    expect(text).toContain("ASPIRIN IS GIVEN");
    expect(text).not.toContain(moved("Aspirin", 3));
    expect(emptyPages).toBe(1);
    expect(pageConfidence).toEqual([1, 0, 1]);
    expect(warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["suspect_encoding", "pages_without_text"]),
    );
  });

  it("has its text recognized", async () => {
    const garbled = PROSE.map((line) => moved(line, 3));
    const readers = openParserPool({ processes: 1, memoryMb: 192, timeoutMs: 60_000 }, LIMITS);
    const bytes = await drawn([PROSE, garbled]);
    const [answer] = await readers.readAll([{ ...task(bytes), ocr: "auto" }]);
    expect(answer).toMatchObject({ scan: { pages: [2], format: "pdf" } });
    await readers.close();
  });

  it("isn't taken for one that has codes, numbers or another language", async () => {
    const codes = PROSE.map(
      (_, at) => `XK-${at}7 QRT ${at * 97531} ZZ-19 BCDF GHJKL 2026-11-0${at} #`,
    );
    const finnish = [
      "Verenpaine mitataan aamulla ja illalla, ja jokainen raja-arvon",
      "ylitys ilmoitetaan heti hoitavalle laakarille, joka paattaa",
      "hoidon jatkosta yhdessa potilaan ja omaisten kanssa.",
    ];
    const { emptyPages } = await readDocument(task(await drawn([codes, finnish])));
    expect(emptyPages).toBe(0);
  });
});
