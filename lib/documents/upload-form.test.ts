import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readUploadForm } from "./upload-form";

const LIMITS = { maxFileBytes: 1024 * 1024, maxBytes: 8 * 1024 * 1024 };
const BOUNDARY = "--edge";

interface Part {
  head: string;
  body: string | Uint8Array;
}

function field(name: string, body: string): Part {
  return { head: `Content-Disposition: form-data; name="${name}"`, body };
}

function fileOf(body: string | Uint8Array, name = "file", fileName = "a.txt"): Part {
  return {
    head: `Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: text/plain`,
    body,
  };
}

function encode(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ head, body }) => [
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** A request whose body arrives in these chunks, and how many of them were read. */
function requestOf(
  chunks: Iterable<Uint8Array>,
  contentType = `multipart/form-data; boundary=${BOUNDARY}`,
) {
  const read = { chunks: 0 };
  const source = chunks[Symbol.iterator]();
  const body = new ReadableStream({
    pull(controller) {
      const { value, done } = source.next();
      if (done) {
        controller.close();
      } else {
        read.chunks += 1;
        controller.enqueue(value);
      }
    },
  });
  const init = { method: "POST", headers: { "content-type": contentType }, body, duplex: "half" };
  return { request: new Request("http://localhost/", init as RequestInit), read };
}

function readParts(parts: readonly Part[]) {
  return readUploadForm(requestOf([encode(parts)]).request, LIMITS);
}

describe("a multipart upload", () => {
  it("may have a file name with an escaped quotation mark, as old clients send it", async () => {
    const head = 'Content-Disposition: form-data; name="file"; filename="a\\"b.txt"';
    const { file } = await readParts([{ head, body: "x" }]);
    expect(file?.name).toBe('a"b.txt');
  });

  it("is read with its fields, its file and the file's hash", async () => {
    const form = await readParts([
      field("scope", "customer_kb"),
      fileOf("Größe"),
      field("url", ""),
    ]);
    expect(form.fields).toEqual({ scope: "customer_kb", url: "" });
    expect(form.file?.name).toBe("a.txt");
    expect(Buffer.from(form.file?.bytes ?? []).toString()).toBe("Größe");
    expect(form.file?.hash).toEqual(createHash("sha256").update("Größe").digest());
  });

  it("may have its file without a name, and no file", async () => {
    expect((await readParts([fileOf("x", "file", "")])).file?.name).toBeNull();
    expect(await readParts([field("scope", "x")])).toEqual({ fields: { scope: "x" }, file: null });
  });

  const invalid: [string, Part[], number, string | null][] = [
    ["a repeated field", [field("title", "a"), field("title", "b")], 400, "title"],
    ["two files", [fileOf("a"), fileOf("b")], 400, "file"],
    ["a file in another field", [fileOf("a", "title")], 400, "title"],
    ["a field without a name", [field("", "a")], 400, null],
    ["a long name", [field("n".repeat(101), "a")], 400, null],
    ["a large field", [field("title", "a".repeat(64 * 1024 + 1))], 413, "title"],
    ["a large file", [fileOf("a".repeat(LIMITS.maxFileBytes + 1))], 413, "file"],
    ["33 parts", Array.from({ length: 33 }, (_, at) => field(`f${at}`, "")), 400, null],
    [
      "33 parts without a head",
      Array.from({ length: 33 }, () => ({ head: "X: y", body: "" })),
      400,
      null,
    ],
  ];
  it.each(invalid)("is rejected for %s", async (_, parts, status, param) => {
    await expect(readParts(parts)).rejects.toMatchObject({ status, param });
  });

  it("is rejected for a missing, empty or overlong boundary", async () => {
    for (const parameter of ["", "; boundary=", `; boundary=${"a".repeat(300)}`]) {
      const { request } = requestOf([Buffer.from("x")], `multipart/form-data${parameter}`);
      await expect(readUploadForm(request, LIMITS), parameter).rejects.toMatchObject({
        status: 400,
      });
    }
  });

  it("of tens of thousands of fields is rejected after the first few", async () => {
    const chunks = Array.from({ length: 60_000 }, (_, at) =>
      Buffer.from(`--${BOUNDARY}\r\n${field(`f${at}`, "").head}\r\n\r\n\r\n`),
    );
    const { request, read } = requestOf(chunks);
    const chunksRead = readUploadForm(request, LIMITS).then(null, ({ status, message }) => {
      expect([status, message]).toEqual([400, expect.stringContaining("32 parts")]);
      return read.chunks;
    });
    expect(await chunksRead).toBeLessThan(50);
  });

  it("larger than its limit is rejected as soon as it exceeds it", async () => {
    const head = Buffer.from(`--${BOUNDARY}\r\n${fileOf("").head}\r\n\r\n`);
    const { request, read } = requestOf([head, ...Array(100).fill(Buffer.alloc(64 * 1024))]);
    const chunksRead = readUploadForm(request, LIMITS).then(null, ({ status }) => {
      expect(status).toBe(413);
      return read.chunks;
    });
    expect(await chunksRead).toBeLessThan(30);
  });

  /** Text full of beginnings of the boundary, cut into small chunks. */
  const tricky = fc
    .array(fc.constantFrom("\r", "\n", "-", "--", `\r\n--${BOUNDARY.slice(0, 4)}`, "a", "ü"), {
      maxLength: 60,
    })
    .map((pieces) => Buffer.from(pieces.join("")));
  const cut = (bytes: Buffer, sizes: readonly number[]) => {
    const chunks: Buffer[] = [];
    for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
      const size = sizes[turn % sizes.length] ?? 1;
      chunks.push(Buffer.from(bytes.subarray(at, at + size)));
      at += size;
    }
    return chunks;
  };
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

  it("keeps every byte of the file, wherever the chunks are cut", async () => {
    await fc.assert(
      fc.asyncProperty(tricky, sizes, async (bytes, pieces) => {
        const body = encode([field("title", "A title"), fileOf(bytes), field("url", "u")]);
        const { fields, file } = await readUploadForm(requestOf(cut(body, pieces)).request, LIMITS);
        expect(fields).toEqual({ title: "A title", url: "u" });
        expect(Buffer.from(file?.bytes ?? [])).toEqual(bytes);
      }),
      { numRuns: 300 },
    );
  });

  it("that ends early is rejected, wherever it ends", async () => {
    const body = encode([field("title", "A title"), fileOf("text"), field("url", "u")]);
    for (let end = 0; end < body.length - 4; end += 1) {
      const { request } = requestOf(cut(body.subarray(0, end), [7]));
      await expect(readUploadForm(request, LIMITS), `${end}`).rejects.toMatchObject({
        status: 400,
      });
    }
  });
});
