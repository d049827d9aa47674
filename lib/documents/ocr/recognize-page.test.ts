import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { scan, scannedPdf, toSharp } from "@/lib/testing/scans";
import type { GreyImage } from "../parse/pdf/render-page";
import { countImagePages } from "./picture";
import { type PageTask, recognizePage } from "./recognize-page";
import { readParagraphs } from "./recognized-page";

const LINES = ["The maximum dose is 35 mg a day.", "Give it with food in the morning."];
const TEXT = LINES.join(" ");

async function recognize(bytes: Uint8Array, options: Partial<PageTask> = {}) {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  const answer = await recognizePage({
    bytes: shared,
    format: "image",
    page: 1,
    languages: ["eng", "deu"],
    language: "eng",
    data: { folder: null },
    begun: new SharedArrayBuffer(4),
    ...options,
  });
  return "fault" in answer
    ? answer.fault.code
    : answer.page.paragraphs.map(({ text }) => text).join(" ");
}

/** In black and white, as a fax is sent. */
function toFax({ width, height, pixels }: GreyImage): Promise<Buffer> {
  const image = sharp(pixels, { raw: { width, height, channels: 1 } }).threshold(128);
  const fax = { bitdepth: 1, compression: "ccittfax4", xres: 11.8, yres: 11.8 } as const;
  return image.toColourspace("b-w").tiff(fax).toBuffer();
}

/** A PNG that says in its header that it has this width and height. */
function withSize(png: Buffer, side: number): Buffer {
  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(side, 16);
  bomb.writeUInt32BE(side, 20);
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
  return bomb;
}

describe("an image's text is recognized", () => {
  it("in a PNG, a JPEG in CMYK, a fax's TIFF and a turned photo", async () => {
    const image = await scan(LINES);
    expect(await recognize(await toSharp(image).png().toBuffer())).toBe(TEXT);
    const print = toSharp(image).toColourspace("cmyk").jpeg({ quality: 90 });
    expect(await recognize(await print.toBuffer())).toBe(TEXT);
    expect(await recognize(await toFax(image))).toBe(TEXT);
    const photo = await toSharp(image).rotate(90).png().toBuffer();
    const oriented = sharp(photo).withMetadata({ orientation: 8, density: 300 }).jpeg();
    expect(await recognize(await oriented.toBuffer())).toBe(TEXT);
  });

  it("on a page of a PDF, which is rendered, even if it is upside down", async () => {
    const bytes = await scannedPdf([{ lines: ["Not this one."] }, { lines: LINES }]);
    expect(await recognize(bytes, { format: "pdf", page: 2 })).toBe(TEXT);
    const turned = await toSharp(await scan([...LINES, ...LINES]))
      .rotate(180)
      .png()
      .toBuffer();
    expect(await recognize(turned)).toBe(`${TEXT} ${TEXT}`);
  });

  it("in the language that its words are of", async () => {
    const german = [
      "Die größte Menge für die Kinder ist nicht über",
      "zwölf Gramm, und das ist schon zu viel.",
    ];
    const png = await toSharp(await scan(german))
      .png()
      .toBuffer();
    expect(await recognize(png)).toBe(german.join(" "));
  });
});

describe("an image that can't be read", () => {
  it("is refused for its size before it is decoded", async () => {
    const bomb = withSize(
      await toSharp(await scan(LINES))
        .png()
        .toBuffer(),
      15_000,
    );
    await expect(countImagePages(bomb, 2000)).rejects.toMatchObject({
      code: "too_large_expanded",
      message: expect.stringContaining("15000 × 15000 pixels; the limit is 100 million"),
    });
    expect(await recognize(bomb)).toBe("damaged_file");
  });

  it("is refused if it is cut off, or has more pages than a document may have", async () => {
    const png = await toSharp(await scan(LINES))
      .png()
      .toBuffer();
    expect(await recognize(png.subarray(0, png.length / 2))).toBe("damaged_file");
    await expect(countImagePages(png.subarray(0, 20), 2000)).rejects.toMatchObject({
      code: "damaged_file",
    });
    const blank = { width: 8, height: 8 * 30, channels: 3, background: "white" } as const;
    const many = await sharp(await sharp({ create: blank }).raw().toBuffer(), {
      raw: { width: 8, height: 240, channels: 3, pageHeight: 8 },
    })
      .tiff()
      .toBuffer();
    expect(await countImagePages(many, 30)).toBe(30);
    await expect(countImagePages(many, 29)).rejects.toMatchObject({ code: "too_many_pages" });
  });
});

describe("words", () => {
  const word = (text: string, confidence: number, line = 1, paragraph = 1) =>
    ["5", "1", "1", paragraph, line, "1", "0", "0", "9", "9", confidence, text].join("\t");

  it("are uncertain below a confidence, which is higher for numbers", () => {
    const tsv = [word("Take", 96), word("35", 80), word("mg", 80), word("dai1y", 40)].join("\n");
    expect(readParagraphs(tsv)).toEqual([{ text: "Take 35 mg dai1y", uncertain: [5, 7, 11, 16] }]);
  });

  it("that are hyphenated at the end of a line are put together, and specks are left out", () => {
    const tsv = [word("amoxi-", 60), word("cillin", 95, 2), word("~", 10, 2), word("x2", 95, 3, 2)];
    expect(readParagraphs(tsv.join("\n"))).toEqual([
      { text: "amoxicillin", uncertain: [0, 11] },
      { text: "x2", uncertain: [] },
    ]);
  });
});
