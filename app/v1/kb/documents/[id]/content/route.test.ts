import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePageImages } from "@/lib/library/documents/processes/page-images";
import { deleteUnwantedOriginals } from "@/lib/library/documents/write/originals";
import { setKeepOriginals } from "@/lib/platform/auth/write/settings";
import { db } from "@/lib/platform/db/client";
import { call, dispatch } from "@/lib/testing/api";
import { drawLines, pdf } from "@/lib/testing/document-files";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { setLimit } from "@/lib/testing/set-limit";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const PAGE = "<html><body><script>alert(1)</script><p>The clinic opens at seven.</p></body></html>";

beforeAll(startBackgroundWork);
afterAll(async () => {
  await stopBackgroundWork();
  await closePageImages();
});

async function makeOwner() {
  const { ctx } = await makeAccount();
  const { secret } = await makeKey(ctx);
  return { ctx, key: secret };
}

async function ingest(key: string, content: string | Uint8Array, name: string) {
  const form = new FormData();
  form.set("scope", "customer_kb");
  form.set("file", new File([Buffer.from(content)], name));
  const { json } = await call("POST", "/v1/kb/documents", { key, raw: form });
  const job = await call("GET", `/v1/kb/jobs/${json.job_id}?wait=30`, { key });
  expect(job.json.status).toBe("completed");
  return { id: json.id as string, report: job.json.report };
}

function get(key: string, path: string, headers: Record<string, string> = {}) {
  return dispatch(`http://localhost:3000/v1/kb/documents/${path}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
}

async function codeOf(response: Response): Promise<[number, string]> {
  const { error } = (await response.json()) as { error: { code: string } };
  return [response.status, error.code];
}

/** Of a page with "left" in its upper left, and a wide page that is stored turned. */
function twoPages(): Promise<Uint8Array> {
  return pdf(2, (page, number, { plain }) => {
    drawLines(page, [`Page ${number} says that the zebrafish clinic opens at seven.`], {
      font: plain,
    });
  });
}

describe("GET /v1/kb/documents/{id}/content", () => {
  it("returns the file as it was uploaded, as an attachment that can't run", async () => {
    const { key } = await makeOwner();
    const { id } = await ingest(key, PAGE, "Öffnung.html");
    const response = await get(key, `${id}/content`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(PAGE);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html",
      "content-length": String(PAGE.length),
      "content-disposition": `attachment; filename="_ffnung.html"; filename*=UTF-8''%C3%96ffnung.html`,
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
    const { json } = await call("GET", `/v1/kb/documents/${id}`, { key });
    expect(json.has_original).toBe(true);
  });

  it("sends a large file in slices, a range of it, and nothing to who has it", async () => {
    const { key } = await makeOwner();
    const hidden = Array.from({ length: 60_000 }, (_, line) => `Line ${line} of the log.`).join(
      "\n",
    );
    const text = `<html><body><p>The clinic opens at seven.</p><!-- ${hidden} --></body></html>`;
    const { id } = await ingest(key, text, "log.html");
    const whole = await get(key, `${id}/content`);
    expect(await whole.text()).toBe(text);
    const part = await get(key, `${id}/content`, { range: "bytes=600000-1200000" });
    expect([part.status, part.headers.get("content-range")]).toEqual([
      206,
      `bytes 600000-1200000/${text.length}`,
    ]);
    expect(await part.text()).toBe(text.slice(600_000, 1_200_001));
    const last = await get(key, `${id}/content`, { range: "bytes=-5" });
    expect(await last.text()).toBe(text.slice(-5));
    const etag = whole.headers.get("etag") ?? "";
    expect((await get(key, `${id}/content`, { "if-none-match": etag })).status).toBe(304);
    const changed = await get(key, `${id}/content`, { range: "bytes=0-1", "if-range": '"other"' });
    expect(changed.status).toBe(200);
    await changed.body?.cancel();
  });

  it("stores no originals for an account that turned them off, and deletes those it has", async () => {
    const { ctx, key } = await makeOwner();
    const before = await ingest(key, "The first note is about ward seven.", "a.txt");
    await setKeepOriginals(ctx, { keep_originals: false });
    const after = await ingest(key, "The second note is about ward eight.", "b.txt");
    expect(await codeOf(await get(key, `${after.id}/content`))).toEqual([
      404,
      "original_not_stored",
    ]);
    await deleteUnwantedOriginals();
    expect(await codeOf(await get(key, `${before.id}/content`))).toEqual([
      404,
      "original_not_stored",
    ]);
    expect(await db().documentUpload.count({ where: { accountId: ctx.account.id } })).toBe(0);
    const { json } = await call("GET", `/v1/kb/documents/${before.id}/text`, { key });
    expect(json.text).toBe("The first note is about ward seven.");
  });

  it("indexes a document without its file once the account's space is used up", async () => {
    const { key } = await makeOwner();
    setLimit("MAX_ORIGINAL_BYTES_PER_ACCOUNT", 60);
    const first = await ingest(key, "The first note is about ward seven.", "a.txt");
    const second = await ingest(key, "The second note is about ward eight.", "b.txt");
    expect(first.report.warnings).toEqual([]);
    expect(second.report.warnings).toMatchObject([{ code: "original_not_stored" }]);
    expect((await get(key, `${first.id}/content`)).status).toBe(200);
    expect(await codeOf(await get(key, `${second.id}/content`))).toEqual([
      404,
      "original_not_stored",
    ]);
  });

  it("is gone with its document", async () => {
    const { ctx, key } = await makeOwner();
    const { id } = await ingest(key, "The note is about ward seven.", "a.txt");
    await call("DELETE", `/v1/kb/documents/${id}`, { key });
    expect(await codeOf(await get(key, `${id}/content`))).toEqual([404, "not_found"]);
    expect(await db().documentUpload.count({ where: { accountId: ctx.account.id } })).toBe(0);
  });
});

describe("GET /v1/kb/documents/{id}/text", () => {
  it("returns the text in parts that join to all of it", async () => {
    const { key } = await makeOwner();
    const text = Array.from({ length: 3000 }, (_, at) => `Paragraph ${at} of the log.`).join(
      "\n\n",
    );
    const { id } = await ingest(key, text, "log.txt");
    let joined = "";
    for (let length = 1; joined.length < length; ) {
      const { json } = await call("GET", `/v1/kb/documents/${id}/text?from=${joined.length}`, {
        key,
      });
      expect(json.start).toBe(joined.length);
      joined += json.text;
      length = json.length;
    }
    expect(joined).toBe(text);
    const both = await call("GET", `/v1/kb/documents/${id}/text?from=1&to=2`, { key });
    expect([both.status, both.json.error.param]).toEqual([400, "from"]);
  });
});

describe("GET /v1/kb/documents/{id}/pages/{page}", () => {
  it("draws a page of a PDF at the width asked for", async () => {
    const { key } = await makeOwner();
    const { id } = await ingest(key, await twoPages(), "pages.pdf");
    const response = await get(key, `${id}/pages/2.png?width=595`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    const image = sharp(Buffer.from(await response.arrayBuffer()));
    expect(await image.metadata()).toMatchObject({ width: 595, height: 842 });
    const { channels } = await image.stats();
    // White, with black letters.
    expect(channels[0]?.min).toBeLessThan(60);
    expect(channels[0]?.max).toBe(255);
    const again = await get(key, `${id}/pages/2.png?width=595`);
    expect(again.status).toBe(200);
  });

  it("answers what there is instead of a page that can't be drawn", async () => {
    const { key } = await makeOwner();
    const { id } = await ingest(key, await twoPages(), "pages.pdf");
    const missing = await get(key, `${id}/pages/3.png`);
    expect(await missing.json()).toEqual({
      error: {
        code: "page_not_available",
        message: "The document has no page 3. It has 2 pages.",
        param: "page",
        type: "invalid_request_error",
      },
    });
    const note = await ingest(key, "The note is about ward seven.", "a.txt");
    expect(await codeOf(await get(key, `${note.id}/pages/1.png`))).toEqual([
      404,
      "page_not_available",
    ]);
    expect(await codeOf(await get(key, `${id}/pages/0.png`))).toEqual([400, "invalid_request"]);
    expect(await codeOf(await get(key, `${id}/pages/1.png?width=9000`))).toEqual([
      400,
      "invalid_request",
    ]);
  });
});
