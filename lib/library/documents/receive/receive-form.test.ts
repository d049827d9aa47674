import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { FormParser, SLICE_BYTES } from "@/lib/reading/receive/form-parser";
import { receiveForm } from "./receive-form";
import { closeUploadThread } from "./upload-thread";

const LIMITS = { fileField: "file", maxFileBytes: 3 * SLICE_BYTES, maxBytes: 8 * SLICE_BYTES };
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
  {
    contentType = `multipart/form-data; boundary=${BOUNDARY}`,
    length,
  }: { contentType?: string; length?: number } = {},
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
  const headers = {
    "content-type": contentType,
    ...(length !== undefined && { "content-length": String(length) }),
  };
  const init = { method: "POST", headers, body, duplex: "half" };
  return { request: new Request("http://localhost/", init as RequestInit), read };
}

/** The form, with all bytes of its file. */
async function receive(request: Request) {
  const slices: Uint8Array[] = [];
  const form = await receiveForm(request, LIMITS, async (slice) => {
    slices.push(slice);
  });
  const bytes = form.file && Buffer.concat([...slices, form.file.rest]);
  return { ...form, file: form.file && { ...form.file, bytes }, slices: slices.length };
}

afterAll(closeUploadThread);

/** Small bodies are parsed in place; those of unknown or great length in a thread. */
describe.each(["in place", "in a thread"])("a multipart upload parsed %s", (place) => {
  function requestFor(chunks: readonly Uint8Array[], contentType?: string) {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const isSmall = place === "in place" && length <= SLICE_BYTES;
    return requestOf(chunks, {
      ...(contentType && { contentType }),
      ...(isSmall && { length }),
    });
  }
  const readParts = (parts: readonly Part[]) => receive(requestFor([encode(parts)]).request);

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
    expect(form.file?.bytes?.toString()).toBe("Größe");
    expect(Buffer.from(form.file?.hash ?? [])).toEqual(
      createHash("sha256").update("Größe").digest(),
    );
  });

  it("may have its file without a name, and no file", async () => {
    expect((await readParts([fileOf("x", "file", "")])).file?.name).toBeNull();
    expect(await readParts([field("scope", "x")])).toMatchObject({
      fields: { scope: "x" },
      file: null,
    });
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
      const { request } = requestFor([Buffer.from("x")], `multipart/form-data${parameter}`);
      await expect(receive(request), parameter).rejects.toMatchObject({
        status: 400,
      });
    }
  });

  it("of tens of thousands of fields is rejected after the first few", async () => {
    const chunks = Array.from({ length: 60_000 }, (_, at) =>
      Buffer.from(`--${BOUNDARY}\r\n${field(`f${at}`, "").head}\r\n\r\n\r\n`),
    );
    const { request, read } = requestFor(chunks);
    const chunksRead = receive(request).then(null, ({ status, message }) => {
      expect([status, message]).toEqual([400, expect.stringContaining("32 parts")]);
      return read.chunks;
    });
    expect(await chunksRead).toBeLessThan(50);
  });

  it("larger than its limit is rejected as soon as it exceeds it", async () => {
    const head = Buffer.from(`--${BOUNDARY}\r\n${fileOf("").head}\r\n\r\n`);
    const { request, read } = requestFor([head, ...Array(100).fill(Buffer.alloc(64 * 1024))]);
    const chunksRead = receive(request).then(null, ({ status }) => {
      expect(status).toBe(413);
      return read.chunks;
    });
    expect(await chunksRead).toBeLessThan(60);
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
        const { fields, file } = await receive(requestFor(cut(body, pieces)).request);
        expect(fields).toEqual({ title: "A title", url: "u" });
        expect(file?.bytes).toEqual(bytes);
      }),
      { numRuns: place === "in place" ? 300 : 60 },
    );
  });

  it("that ends early is rejected, wherever it ends", async () => {
    const body = encode([field("title", "A title"), fileOf("text"), field("url", "u")]);
    for (let end = 0; end < body.length - 4; end += 1) {
      const { request } = requestFor(cut(body.subarray(0, end), [7]));
      await expect(receive(request), `${end}`).rejects.toMatchObject({
        status: 400,
      });
    }
  });
});

describe("a large file", () => {
  const file = Buffer.alloc(2.5 * SLICE_BYTES, "0123456789abcdef-");
  const body = encode([field("title", "A title"), fileOf(file), field("url", "u")]);

  it("is given away in slices while it arrives, and hashed", async () => {
    const { fields, file: received, slices } = await receive(requestOf([body]).request);
    expect([fields.url, slices, received?.sizeBytes]).toEqual(["u", 2, file.length]);
    expect(received?.bytes?.equals(file)).toBe(true);
    const hash = createHash("sha256").update(file).digest();
    expect(Buffer.from(received?.hash ?? []).equals(hash)).toBe(true);
    expect(received?.head).toHaveLength(4096);
  });

  it("is never held as a whole: what was read and isn't stored yet stays below two slices", async () => {
    const most = 24;
    const limits = { ...LIMITS, maxFileBytes: most * SLICE_BYTES, maxBytes: most * SLICE_BYTES };
    const counted = { read: 0, stored: 0, held: 0 };
    function* chunks() {
      yield Buffer.from(`--${BOUNDARY}\r\n${fileOf("").head}\r\n\r\n`);
      while (counted.read < (most - 1) * SLICE_BYTES) {
        counted.read += 65_536;
        counted.held = Math.max(counted.held, counted.read - counted.stored);
        yield Buffer.alloc(65_536, "text ");
      }
      yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
    }
    await receiveForm(requestOf(chunks()).request, limits, async (slice) => {
      await new Promise((resolve) => setImmediate(resolve));
      counted.stored += slice.length;
    });
    expect(counted.stored).toBe((most - 2) * SLICE_BYTES);
    expect(counted.held).toBeLessThan(2 * SLICE_BYTES);
  });

  it("isn't parsed in the thread that answers requests, unlike a small one", async () => {
    const parsed = vi.spyOn(FormParser.prototype, "write");
    await receive(requestOf([body]).request);
    expect(parsed).not.toHaveBeenCalled();
    const small = encode([fileOf("text")]);
    await receive(requestOf([small], { length: small.length }).request);
    expect(parsed).toHaveBeenCalled();
  });

  it("isn't read further while a slice is being stored", async () => {
    const chunks = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, at) =>
      Buffer.from(body.subarray(at * 65_536, (at + 1) * 65_536)),
    );
    const { request, read } = requestOf(chunks);
    const stored = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<number>();
    const receiving = receiveForm(request, LIMITS, () => {
      begun.resolve(read.chunks);
      return stored.promise;
    });
    const readBefore = await begun.promise;
    // The first slice, and one chunk that the stream itself reads ahead.
    expect(readBefore).toBeLessThanOrEqual(SLICE_BYTES / 65_536 + 3);
    await new Promise((resolve) => setImmediate(resolve));
    expect(read.chunks).toBe(readBefore);
    stored.resolve();
    expect((await receiving).file?.sizeBytes).toBe(file.length);
  });

  it("fails with what storing it fails with", async () => {
    const receiving = receiveForm(requestOf([body]).request, LIMITS, () =>
      Promise.reject(new Error("the database is gone")),
    );
    await expect(receiving).rejects.toThrow("the database is gone");
  });
});
