import { PDFDocument } from "pdf-lib";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import {
  closeParserPool,
  openParserPool,
  readDocument,
  readDocuments,
} from "@/lib/library/documents/processes/parser-pool";
import {
  docx,
  docxFiles,
  emptyPdf,
  encryptedPdf,
  epub,
  wordParagraph,
  zip,
} from "@/lib/testing/document-files";
import { DocumentError } from "../document-error";
import type { ReadAnswer, ReadDocument } from "./read-task";

const LIMITS = {
  maxPages: 2000,
  maxChunks: 10_000,
  maxExpandedBytes: 150 * 1024 * 1024,
  chunkTokens: 400,
  overlapTokens: 60,
};

/** Takes seconds to parse, so it finishes neither before a short timeout nor before it is aborted. */
const ENDLESS = `${"A sentence of some more words than others. ".repeat(4)}\n\n`.repeat(75_000);

function task(bytes: Uint8Array | string, name: string | null = null) {
  return { bytes: Buffer.from(bytes), name, title: null, mediaType: null };
}

function codeOf(answer: ReadAnswer): string | null {
  return "fault" in answer ? answer.fault.code : null;
}

/** The code of the error that reading a document throws; its message must be two sentences. */
async function faultOf(bytes: Uint8Array | string, name: string | null = null): Promise<string> {
  const fault = await readDocument(task(bytes, name)).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(fault).toBeInstanceOf(DocumentError);
  const { code, message } = fault as DocumentError;
  expect(message).toMatch(/^\p{Lu}.+\. \p{Lu}.+\.$/u);
  return code;
}

afterEach(async () => {
  expect(await readDocument(task("The next document is read."))).toMatchObject({
    text: "The next document is read.",
  });
});
afterAll(closeParserPool);

describe("a file that can't be read", () => {
  it("is rejected as unsupported if it is an executable, image or archive, whatever its name", async () => {
    const elf = Buffer.concat([Buffer.from("\u007fELF\u0002\u0001\u0001"), Buffer.alloc(500)]);
    const gif = Buffer.from("47494638396101000100800000", "hex");
    expect(await faultOf(elf, "report.pdf")).toBe("unsupported_format");
    expect(await faultOf(gif, "notes.txt")).toBe("unsupported_format");
    expect(await faultOf(zip({ "a.txt": "x" }), "a.docx")).toBe("unsupported_format");
    expect(await faultOf(Buffer.alloc(3000, "\u0001\u0002x"))).toBe("unsupported_format");
    expect(await faultOf(Buffer.from("d0cf11e0a1b11ae1", "hex"), "old.doc")).toBe(
      "unsupported_format",
    );
  });

  it("is rejected as password protected", async () => {
    const office = Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.alloc(600),
      Buffer.from("EncryptedPackage", "utf16le"),
    ]);
    const encrypted = Buffer.from(docx(wordParagraph("Secret.")));
    // Set the encryption flag in the local headers and in the central directory.
    for (const [head, flags] of [
      ["PK\u0003\u0004", 6],
      ["PK\u0001\u0002", 8],
    ] as const) {
      for (let at = encrypted.indexOf(head); at >= 0; at = encrypted.indexOf(head, at + 4)) {
        encrypted[at + flags] = (encrypted[at + flags] ?? 0) | 1;
      }
    }
    expect(await faultOf(office, "plan.docx")).toBe("password_protected");
    expect(await faultOf(encrypted)).toBe("password_protected");
    expect(await faultOf(encryptedPdf())).toBe("password_protected");
  });

  it("is rejected as damaged if it is truncated or corrupt", async () => {
    const whole = Buffer.from(docx(wordParagraph("Whole. ".repeat(500))));
    const broken = Buffer.from(whole);
    broken.fill(
      0x55,
      whole.indexOf("word/document.xml") + 20,
      whole.indexOf("word/document.xml") + 60,
    );
    expect(await faultOf(whole.subarray(0, whole.length / 2))).toBe("damaged_file");
    expect(await faultOf(broken)).toBe("damaged_file");
    expect(await faultOf("%PDF-1.7\nnothing of a PDF")).toBe("damaged_file");
    const { "word/document.xml": _, ...files } = docxFiles("");
    expect(await faultOf(zip({ ...files, "word/document.xml": "<w:document" }))).toBe(
      "damaged_file",
    );
  });

  it("is rejected if it has no text, and the error for a scanned PDF suggests OCR", async () => {
    const scanned = await PDFDocument.create();
    const pixel = await scanned.embedPng(
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    );
    scanned.addPage().drawImage(pixel, { x: 0, y: 0, width: 500, height: 700 });
    await expect(readDocument(task(await scanned.save()))).rejects.toMatchObject({
      code: "no_extractable_text",
      message: expect.stringContaining("OCR"),
    });
    expect(await faultOf(docx(""))).toBe("no_extractable_text");
    expect(await faultOf(" \n\t\n ")).toBe("no_extractable_text");
    expect(await faultOf("<!doctype html><script>only()</script>")).toBe("no_extractable_text");
  });
});

describe("a file that exceeds a limit", () => {
  it("on expanded size is rejected before it is unpacked", async () => {
    const readers = openParserPool(
      { processes: 1, memoryMb: 512, timeoutMs: 60_000 },
      { ...LIMITS, maxExpandedBytes: 10 * 1024 * 1024 },
    );
    const outcomeOf = async (bytes: Uint8Array) => {
      const [answer] = await readers.readAll([task(bytes)]);
      if (!answer || "scan" in answer) {
        return answer;
      }
      return "fault" in answer ? answer.fault.code : answer.document.text;
    };
    const files = docxFiles(wordParagraph("Kept."));
    const bomb = zip({ ...files, "word/media/bomb.bin": Buffer.alloc(20 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(100 * 1024);
    expect(await outcomeOf(bomb)).toBe("too_large_expanded");
    // The central directory claims a smaller size.
    const lying = Buffer.from(bomb);
    const directory = lying.lastIndexOf("PK\u0001\u0002", lying.lastIndexOf("word/media/bomb.bin"));
    lying.writeUInt32LE(10, directory + 24);
    expect(await outcomeOf(lying)).toBe("damaged_file");
    expect(await outcomeOf(zip({ ...files, "word/media/inner.zip": bomb }))).toBe("Kept.");
    await readers.close();
  }, 60_000);

  it("on pages is rejected", async () => {
    const bytes = emptyPdf(10_000);
    expect(await faultOf(bytes)).toBe("too_many_pages");
  });

  it("on chunks is rejected", async () => {
    const readers = openParserPool(
      { processes: 1, memoryMb: 512, timeoutMs: 60_000 },
      { ...LIMITS, maxChunks: 3 },
    );
    const [answer] = await readers.readAll([task("A sentence of a text. ".repeat(2000))]);
    expect(answer).toMatchObject({ fault: { code: "too_many_chunks" } });
    await readers.close();
  });

  it("on nesting depth is read or rejected without a crash", async () => {
    const deep = (open: string, close: string, depth: number) =>
      `${open.repeat(depth)}bottom${close.repeat(depth)}`;
    const cells = deep("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", 20_000);
    const outcomes = await readDocuments([
      task(docx(cells)),
      task(`<!doctype html><body>${deep("<div>", "</div>", 50_000)}`),
      task(`<!doctype html><body>${deep("<ul><li>", "</li></ul>", 3000)}`),
      task(epub("Deep", [deep("<div>", "</div>", 20_000)])),
      task(deep("> ", "", 20_000)),
      task(`${"[".repeat(50_000)}bottom`),
    ]);
    const codeOrRead = (outcome: ReadDocument | DocumentError) =>
      outcome instanceof DocumentError ? outcome.code : outcome.text.includes("bottom");
    expect(outcomes.map(codeOrRead)).toEqual([
      "too_complex",
      "too_complex",
      true,
      "too_complex",
      true,
      true,
    ]);
  }, 60_000);

  it("on time is rejected, and the rest of its batch and later documents are read", async () => {
    // Time enough for the short ones on a busy machine, and far less than the long one takes.
    const readers = openParserPool(
      { processes: 1, memoryMb: 1024, timeoutMs: 1500 },
      { ...LIMITS, maxChunks: 1_000_000 },
    );
    const long = task(ENDLESS.repeat(3));
    const answers = await readers.readAll([long, task("A neighbour."), task("Another.")]);
    const next = await readers.readAll([task("The next.")]);
    const outcomes = [...answers, ...next].map((answer) =>
      "document" in answer ? answer.document.text.slice(0, 99) : codeOf(answer),
    );
    expect(outcomes).toEqual(["too_complex", "A neighbour.", "Another.", "The next."]);
    // Its own CPU time, which is less than the limit if the machine was too busy to grant that much.
    const [{ fault: { cpuMs = 0 } = {} } = {}] = answers as { fault?: { cpuMs?: number } }[];
    expect(cpuMs).toBeGreaterThan(0);
    expect(cpuMs).toBeLessThanOrEqual(1500);
    await readers.close();
  }, 60_000);

  it("on selectors is read without those that would take too long", async () => {
    const readers = openParserPool({ processes: 1, memoryMb: 512, timeoutMs: 10_000 }, LIMITS);
    const pageOf = (selectors: string[], body: string) =>
      `<!doctype html><style>${selectors.map((selector) => `${selector}{display:none}`).join("")}</style>${body}`;
    const numbers = Array.from({ length: 200 }, (_, at) => at);
    const [quadratic, deep, simple] = await readers.readAll([
      task(
        pageOf(
          numbers.map((at) => `p:nth-last-child(${at + 90_000}n)`),
          "<p>x".repeat(20_000),
        ),
      ),
      task(
        pageOf(
          numbers.map((at) => `div div div div .c${at}`),
          `${"<div>".repeat(1000)}${"<p>x</p>".repeat(10_000)}`,
        ),
      ),
      task(pageOf([".ad > p", "#x, [data-x='y']"], "<div class=ad><p>Buy.</p></div><p>Read.</p>")),
    ]);
    expect([quadratic, deep].map((answer) => answer && codeOf(answer))).toEqual([null, null]);
    expect(simple).toMatchObject({ document: { warnings: [{ code: "hidden_text" }] } });
    await readers.close();
  }, 60_000);

  it("on memory is rejected, both on and off the heap", async () => {
    const heap = openParserPool({ processes: 1, memoryMb: 128, timeoutMs: 60_000 }, LIMITS);
    const page = `<!doctype html>${"<p>x</p>".repeat(1_000_000)}`;
    expect((await heap.readAll([task(page)])).map(codeOf)).toEqual(["too_complex"]);
    expect((await heap.readAll([task("The next.")])).map(codeOf)).toEqual([null]);
    await heap.close();
    const beside = openParserPool({ processes: 1, memoryMb: 140, timeoutMs: 60_000 }, LIMITS);
    const hollow = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(200 * 1024 * 1024)]);
    expect((await beside.readAll([task(hollow)])).map(codeOf)).toEqual(["too_complex"]);
    await beside.close();
  }, 60_000);
});

describe("reading a document", () => {
  it("stops immediately when aborted, and the next document gets a new worker", async () => {
    const controller = new AbortController();
    const reading = readDocument(task(ENDLESS), controller.signal);
    setTimeout(() => controller.abort(new Error("Called off.")), 500);
    await expect(reading).rejects.toThrow("Called off.");
    await expect(readDocument(task("x"), AbortSignal.abort(new Error("Before.")))).rejects.toThrow(
      "Before.",
    );
  });

  it("doesn't detach the caller's buffer or block the event loop", async () => {
    const bytes = Buffer.from("Words of a text. ".repeat(100_000));
    const window = bytes.subarray(17, 17 * 50_000);
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 10);
    const { text } = await readDocument({ ...task(""), bytes: window });
    clearInterval(ticking);
    expect(text.length).toBe(window.length - 1);
    expect(bytes.length).toBe(1_700_000);
    expect(ticks).toBeGreaterThan(10);
  });
});
