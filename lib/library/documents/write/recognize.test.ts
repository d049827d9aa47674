import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ingestCost, ocrCost } from "@/lib/money/billing/rates";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { stopQueue } from "@/lib/platform/queue/vendor";
import { decodeBoxes } from "@/lib/reading/page-boxes";
import { call } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { scannedPdf, scanPng } from "@/lib/testing/scans";
import { closeOcrPool } from "../processes/ocr-pool";
import { closeParserPool } from "../processes/parser-pool";
import { processJob } from "./process-job";

// No worker runs here: each test acts as one.
beforeAll(() => stopQueue());
afterAll(() => Promise.all([stopQueue(), closeOcrPool(), closeParserPool()]));

const ALL = { start: 0, end: 10_000 };
const DOSE = "The maximum dose of Aspivaril is 35 mg a day.";

async function upload(
  bytes: Uint8Array,
  {
    name = "scan.pdf",
    account,
    ...fields
  }: { name?: string; ocr?: string; account?: { key: string; id: string } } = {},
) {
  const { key, id: accountId } = account ?? (await makeKeyedAccount());
  const form = new FormData();
  form.set("scope", "customer_kb");
  for (const [field, value] of Object.entries(fields)) {
    form.set(field, value);
  }
  form.set("file", new File([new Uint8Array(bytes)], name));
  const { status, json } = await call("POST", "/v1/kb/documents", { key, raw: form });
  const jobId = String(json.job_id);
  const job = async () => (await call("GET", `/v1/kb/jobs/${jobId}`, { key })).json;
  return { key, accountId, status, json, jobId, documentId: String(json.id), job };
}

function withPageLimit(pages: number): void {
  const before = env.MAX_OCR_PAGES_PER_DOCUMENT;
  env.MAX_OCR_PAGES_PER_DOCUMENT = pages;
  onTestFinished(() => {
    env.MAX_OCR_PAGES_PER_DOCUMENT = before;
  });
}

describe("an upload with a page that is only an image", () => {
  it("has the text of that page recognized, charged and named as recognized", async () => {
    const bytes = await scannedPdf([
      { lines: ["The first page has text."], isText: true },
      { lines: [DOSE] },
    ]);
    const { key, accountId, documentId, jobId, job } = await upload(bytes);
    const before = await readMoney(accountId);
    await processJob(jobId);
    const { status, report } = await job();
    expect({ status, report }).toMatchObject({
      status: "completed",
      report: { pages: 2, empty_pages: 0, recognized_pages: 1 },
    });
    expect(report.warnings.map(({ code }: { code: string }) => code)).toContain("recognized_text");
    const { text, recognized, pageStarts } = await db().document.findFirstOrThrow({
      where: { id: documentId },
    });
    expect(text?.slice(recognized[0], recognized[1])).toBe(DOSE);
    expect(pageStarts).toEqual([0, recognized[0]]);
    const cost = ingestCost(report.tokens) + ocrCost(1);
    expect(await lastUsage(accountId)).toMatchObject({
      kind: "ingest",
      costMicros: cost,
      rate: { ocr_pages: 1, ocr_usd_per_page: 0.0005 },
    });
    expect(await readMoney(accountId)).toMatchObject({ balance: before.balance - cost, held: 0n });
    const body = { query: "maximum dose of Aspivaril", min_score: 0 };
    const found = await call("POST", "/v1/kb/search", { key, body });
    expect(found.json.data[0].metadata).toMatchObject({ warnings: ["recognized_text"] });
    const [page] = await db().documentPage.findMany({ where: { documentId, page: 2 } });
    expect(page && decodeBoxes({ page: 2, boxes: page.boxes }, ALL)).toHaveLength(10);
  }, 60_000);

  it("fails with `ocr: off`, without a charge, and can be uploaded again", async () => {
    const png = await scanPng([DOSE]);
    const { accountId, jobId, job } = await upload(png, { name: "scan.png", ocr: "off" });
    await processJob(jobId);
    expect(await job()).toMatchObject({
      status: "failed",
      error: {
        code: "no_extractable_text",
        message: expect.stringContaining("'ocr' set to 'auto'"),
      },
    });
    expect(await lastUsage(accountId)).toMatchObject({ costMicros: 0n });
  });

  it("is recognized as a whole with `ocr: force`, instead of its text", async () => {
    const bytes = await scannedPdf([{ lines: ["Drawn as text of its own."], isText: true }]);
    const { jobId, job, documentId } = await upload(bytes, { ocr: "force" });
    await processJob(jobId);
    expect((await job()).report).toMatchObject({ recognized_pages: 1 });
    const { text, recognized } = await db().document.findFirstOrThrow({
      where: { id: documentId },
    });
    expect(text).toBe("Drawn as text of its own.");
    expect(recognized).toEqual([0, text?.length]);
  }, 60_000);

  it("with another value of `ocr` is rejected", async () => {
    const { status, json } = await upload(await scanPng([DOSE]), { ocr: "always" });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ param: "ocr", message: expect.stringContaining("force") });
  });
});

describe("the same file with another value of `ocr`", () => {
  it("is read again under the same id, but not if the upload names none or it makes no difference", async () => {
    const account = await makeKeyedAccount();
    const page = { lines: ["The first page has text."], isText: true };
    const bytes = await scannedPdf([page, { lines: [DOSE] }]);
    const first = await upload(bytes, { account, ocr: "off" });
    expect((await upload(bytes, { account, ocr: "off" })).json.job_id).toBe(first.jobId);
    await processJob(first.jobId);
    expect((await first.job()).report).toMatchObject({ ocr: "off", empty_pages: 1 });
    const again = await upload(bytes, { account });
    expect(again.json).toMatchObject({ status: "completed", job_id: first.jobId });
    const second = await upload(bytes, { account, ocr: "auto" });
    expect(second.json).toMatchObject({ id: first.documentId, status: "queued" });
    await processJob(second.jobId);
    expect((await second.job()).report).toMatchObject({ ocr: "auto", recognized_pages: 1 });
    const third = await upload(bytes, { account, ocr: "auto" });
    expect(third.json).toMatchObject({ status: "completed", job_id: second.jobId });
    const { text } = await db().document.findFirstOrThrow({ where: { id: first.documentId } });
    expect(text).toContain(DOSE);

    const plain = await scannedPdf([page]);
    const whole = await upload(plain, { account, ocr: "off" });
    await processJob(whole.jobId);
    expect((await whole.job()).report).not.toHaveProperty("ocr");
    const same = await upload(plain, { account, ocr: "auto" });
    expect(same.json).toMatchObject({ status: "completed", job_id: whole.jobId });
    const forced = await upload(plain, { account, ocr: "force" });
    expect(forced.json).toMatchObject({ id: whole.documentId, status: "queued" });
  }, 60_000);
});

describe("an uncertain number of a recognized passage", () => {
  it("supports no claim", async () => {
    const { key, documentId, jobId } = await upload(await scanPng([DOSE]), { name: "dose.png" });
    await processJob(jobId);
    const query = { query: "maximum dose of Aspivaril", min_score: 0 };
    const found = await call("POST", "/v1/kb/search", { key, body: query });
    const sources = [{ chunk_id: found.json.data[0].chunk_id }];
    const body = { text: `${DOSE.slice(0, -1)} [1].`, sources };
    const verify = async () => {
      const { json } = await call("POST", "/v1/citations/verify", { key, body });
      return json.annotations[0].url_citation.verification;
    };
    const where = { id: documentId };
    const { text } = await db().document.findFirstOrThrow({ where });
    await db().document.updateMany({ where, data: { uncertain: [] } });
    expect(await verify()).toMatchObject({ verdict: "supported" });
    const start = text?.indexOf("35") ?? 0;
    await db().document.updateMany({ where, data: { uncertain: [start, start + 2] } });
    expect(await verify()).toMatchObject({ verdict: "unjudged", reason: "ocr" });
  }, 60_000);
});

describe("a scan with more pages than may be recognized", () => {
  it("is recognized up to the limit, and its report says how many pages were left out", async () => {
    withPageLimit(1);
    const bytes = await scannedPdf([{ lines: [DOSE] }, { lines: ["Left."] }, { lines: ["Out."] }]);
    const { jobId, job, documentId } = await upload(bytes);
    await processJob(jobId);
    const { report } = await job();
    expect(report).toMatchObject({ pages: 3, recognized_pages: 1, empty_pages: 2 });
    expect(report.warnings).toContainEqual({
      code: "pages_not_recognized",
      message: expect.stringMatching(/^2 pages were left out/),
    });
    expect((await db().document.findFirstOrThrow({ where: { id: documentId } })).text).toBe(DOSE);
  }, 60_000);
});

describe("a job of many pages to recognize", () => {
  it("returns to the queue as a slow one, and pays for the pages it had when it is canceled", async () => {
    const bytes = await scannedPdf(Array.from({ length: 4 }, () => ({ lines: [DOSE] })));
    const { key, accountId, jobId, job } = await upload(bytes);
    await processJob(jobId);
    expect(await job()).toMatchObject({ status: "queued", attempts: 0 });
    expect(await db().job.findFirstOrThrow({ where: { id: jobId } })).toMatchObject({
      isLarge: true,
    });
    const running = processJob(jobId);
    await expect
      .poll(async () => (await db().job.findFirstOrThrow({ where: { id: jobId } })).ocrPages, {
        timeout: 30_000,
        interval: 20,
      })
      .toBeGreaterThan(0);
    await call("POST", `/v1/kb/jobs/${jobId}/cancel`, { key });
    await running;
    expect(await job()).toMatchObject({ status: "cancelled" });
    const { ocrPages } = await db().job.findFirstOrThrow({ where: { id: jobId } });
    expect(await lastUsage(accountId)).toMatchObject({
      status: 499,
      costMicros: ocrCost(ocrPages),
    });
    expect(await readMoney(accountId)).toMatchObject({ held: 0n });
  }, 90_000);
});

describe("a job whose worker dies between two pages", () => {
  it("continues from the last page, charges each page once, and keeps no page afterwards", async () => {
    const lines = ["Page one is read first.", "Page two is read next.", "Page three is last."];
    const bytes = await scannedPdf(lines.map((line) => ({ lines: [line] })));
    const { accountId, documentId, jobId, job } = await upload(bytes);
    const death = new AbortController();
    const running = processJob(jobId, { signal: death.signal });
    const kept = () => db().recognizedPage.findMany({ where: { jobId }, orderBy: { page: "asc" } });
    await expect.poll(kept, { timeout: 30_000, interval: 5 }).not.toEqual([]);
    death.abort();
    await running.catch(() => {});
    const [first] = await kept();
    const text = Buffer.from(first?.content ?? []).toString();
    const content = Buffer.from(text.replace("first", "FIRST"));
    await db().recognizedPage.updateMany({ where: { jobId, page: 1 }, data: { content } });
    await processJob(jobId);
    const document = await db().document.findFirstOrThrow({ where: { id: documentId } });
    expect(document.text?.split("\n\n")).toEqual([
      lines[0]?.replace("first", "FIRST"),
      ...lines.slice(1),
    ]);
    const { report } = await job();
    expect(report).toMatchObject({ recognized_pages: 3 });
    expect(await lastUsage(accountId)).toMatchObject({
      costMicros: ingestCost(report.tokens) + ocrCost(3),
      rate: { ocr_pages: 3 },
    });
    const [page] = await db().documentPage.findMany({ where: { documentId, page: 1 } });
    expect(page && decodeBoxes({ page: 1, boxes: page.boxes }, ALL)).toHaveLength(5);
    expect(await kept()).toEqual([]);
  }, 90_000);
});
