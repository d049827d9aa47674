import { crc32 } from "node:zlib";
import { rgb } from "pdf-lib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { scan, scanDrawing, scannedPdf, toSharp } from "@/lib/testing/scans";
import { chunkBlocks } from "../chunk";
import { decodeBoxes, encodePages, type PageRectangle } from "../page-boxes";
import type { Block } from "../parse/block";
import type { GreyImage } from "../pdf/render-page";
import { countImagePages } from "./picture";
import { type PageTask, recognizePage } from "./recognize-page";
import { layOutWords } from "./recognized-page";
import { toRecognizedWords } from "./recognized-words";

const LINES = ["The maximum dose is 35 mg a day.", "Give it with food in the morning."];
const TEXT = LINES.join(" ");

async function recognize(bytes: Uint8Array, options: Partial<PageTask> = {}) {
  const read = await recognizeBlocks(bytes, options);
  return typeof read === "string" ? read : read.map(({ text }) => text).join(" ");
}

async function recognizeBlocks(
  bytes: Uint8Array,
  options: Partial<PageTask> = {},
): Promise<string | Block[]> {
  const task: PageTask = {
    format: "image",
    page: 1,
    languages: ["eng", "deu"],
    language: "eng",
    data: { folder: null },
    ...options,
  };
  const answer = await recognizePage(task, [new Uint8Array(bytes)]);
  return "fault" in answer ? answer.fault.code : answer.page.blocks;
}

async function blocksOf(image: GreyImage): Promise<Block[]> {
  const blocks = await recognizeBlocks(await toSharp(image).png().toBuffer());
  return typeof blocks === "string" ? [] : blocks;
}

/** Where a word of a page's only block is. */
function boxOf(word: string, [block]: readonly Block[]) {
  const start = block?.text.indexOf(word) ?? -1;
  const [page] = encodePages(block ? [block] : [], [0]);
  const [box] = page && start >= 0 ? decodeBoxes(page, { start, end: start + word.length }) : [];
  return box;
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

describe("a scanned page", () => {
  const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

  it("is read column by column", async () => {
    const image = await scanDrawing(
      (page, font) => {
        for (const [at, line] of ORDINALS.entries()) {
          const y = 200 - at * 16;
          page.drawText(`The ${line} line on the left side.`, { x: 30, y, size: 11, font });
          page.drawText(`The ${line} line on the right side.`, { x: 236, y, size: 11, font });
        }
      },
      [450, 240],
    );
    const text = (await blocksOf(image)).map((block) => block.text).join(" ");
    const lines = (side: string) => ORDINALS.map((line) => `The ${line} line on the ${side} side.`);
    expect(text).toBe([...lines("left"), ...lines("right")].join(" "));
  }, 30_000);

  it("is read on shaded rows as well", async () => {
    const rows = ORDINALS.map((name) => `The ${name} row of this list of names`);
    const image = await scanDrawing(
      (page, font) => {
        for (const [at, text] of rows.entries()) {
          const y = 200 - at * 18;
          const color = at % 2 === 0 ? rgb(0, 1, 1) : rgb(1, 1, 1);
          page.drawRectangle({ x: 30, y: y - 4, width: 380, height: 18, color });
          page.drawText(text, { x: 36, y, size: 11, font });
        }
      },
      [450, 240],
    );
    const text = (await blocksOf(image)).map((block) => block.text).join(" ");
    expect(text.split(" ").sort()).toEqual(rows.join(" ").split(" ").sort());
  }, 30_000);

  it("has the rows of its ruled tables, with names of columns and empty cells", async () => {
    const rows = [
      ["Drug", "Morning", "Evening"],
      ["Aspivaril", "", "100 mg"],
      ["Betacor", "25 mg", ""],
    ];
    const image = await scanDrawing(
      (page, font) => {
        for (const [at, cells] of rows.entries()) {
          const y = 150 - at * 24;
          page.drawLine({ start: { x: 40, y: y + 16 }, end: { x: 400, y: y + 16 } });
          for (const [column, text] of cells.entries()) {
            page.drawText(text, { x: 46 + column * 120, y, size: 12, font });
          }
        }
        page.drawLine({ start: { x: 40, y: 94 }, end: { x: 400, y: 94 } });
        for (const x of [40, 160, 280, 400]) {
          page.drawLine({ start: { x, y: 94 }, end: { x, y: 166 } });
        }
      },
      [440, 200],
    );
    const blocks = await blocksOf(image);
    expect(blocks.map(({ kind, text, head }) => ({ kind, text, head }))).toEqual([
      { kind: "row", text: "Aspivaril | | 100 mg", head: "Drug | Morning | Evening" },
      { kind: "row", text: "Betacor | 25 mg | ", head: "Drug | Morning | Evening" },
    ]);
  }, 30_000);

  it("knows where its words are, even if it is skewed or upside down", async () => {
    const lines = Array.from(
      { length: 6 },
      (_, at) => `Line ${at} of a page that was fed by hand.`,
    );
    const image = await scan([...lines, "The only number here is 77."]);
    const straight = boxOf("77", await blocksOf(image));
    for (const degrees of [0, 2, -2, 180]) {
      const turned = toSharp(image).rotate(degrees, { background: "white" }).greyscale();
      const { data, info } = await turned.raw().toBuffer({ resolveWithObject: true });
      const page = { width: info.width, height: info.height, pixels: data };
      const box = boxOf("77", await blocksOf(page));
      const [x, y] = middle(straight, image);
      const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
      const [turnedX = 0, turnedY = 0] = middle(box, page);
      expect(Math.abs(turnedX - (x * cos - y * sin)), `${degrees}`).toBeLessThan(10);
      expect(Math.abs(turnedY - (x * sin + y * cos)), `${degrees}`).toBeLessThan(10);
    }
  }, 60_000);
});

/** The middle of a box in pixels from the middle of its page. */
function middle(box: PageRectangle | undefined, { width, height }: GreyImage): [number, number] {
  const { x0, x1, y0, y1 } = box ?? { x0: 0, x1: 0, y0: 0, y1: 0 };
  return [((x0 + x1 - 1) / 2) * width, ((y0 + y1 - 1) / 2) * height];
}

describe("words", () => {
  const word = (text: string, confidence: number, { line = 1, left = 100 } = {}) => {
    const place = [left, line * 50, text.length * 20, 30];
    return ["5", "1", "1", "1", line, "1", ...place, confidence, text].join("\t");
  };
  const read = (rows: readonly string[]) => {
    const page = { width: 2000, height: 3000, skew: 0, isUpsideDown: false, rules: [] };
    const blocks = layOutWords(toRecognizedWords({ ...page, tsv: rows.join("\n") }), 1);
    return blocks.map(({ text, uncertain }) => ({ text, uncertain }));
  };

  it("are uncertain below a confidence, which is higher for numbers", () => {
    const rows = [
      ...[word("Take", 96), word("35", 80, { left: 190 }), word("mg", 80, { left: 240 })],
      word("dai1y", 40, { left: 290 }),
    ];
    expect(read(rows)).toEqual([{ text: "Take 35 mg dai1y", uncertain: [5, 7, 11, 16] }]);
  });

  it("that are hyphenated at the end of a line are put together, and specks are left out", () => {
    const rows = [
      ...[word("amoxi-", 60), word("cillin", 95, { line: 2 })],
      ...[word("~", 10, { line: 2, left: 240 }), word("x2", 95, { line: 9 })],
    ];
    expect(read(rows)).toEqual([
      { text: "amoxicillin", uncertain: [0, 11] },
      { text: "x2", uncertain: [] },
    ]);
  });

  it("of a table's row and of its head are uncertain", () => {
    const cells = (line: number, texts: readonly string[], confidence = 96) =>
      texts.map((text, at) => word(text, confidence, { line, left: 100 + at * 400 }));
    const rows = [
      ...[...cells(1, ["Drug", "Morning"]), word("Evenlng", 60, { line: 1, left: 900 })],
      ...[...cells(2, ["Aspivaril", "5", "10"]), ...cells(3, ["Betacor", "20"])],
      ...[word("99", 70, { line: 3, left: 900 }), ...cells(4, ["Cetadol", "7", "8"])],
    ];
    const page = { width: 2000, height: 3000, skew: 0, isUpsideDown: false, rules: [] };
    const blocks = layOutWords(toRecognizedWords({ ...page, tsv: rows.join("\n") }), 1);
    expect(blocks.map(({ text, uncertain }) => ({ text, uncertain }))).toEqual([
      { text: "Aspivaril | 5 | 10", uncertain: [] },
      { text: "Betacor | 20 | 99", uncertain: [15, 17] },
      { text: "Cetadol | 7 | 8", uncertain: [] },
    ]);
    const { text, ranges } = chunkBlocks(blocks, {
      ...{ maxChunks: 10, chunkTokens: 400, overlapTokens: 60 },
    });
    const [from = 0, to = 0] = ranges.uncertain;
    expect(text.slice(from, to)).toBe("Evenlng");
    expect(ranges.recognized).toEqual([0, text.length]);
  });
});
