import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { embeddedModel, findModel } from "@/lib/models/catalogue";
import { chatCost, ingestCost, ocrCost } from "@/lib/money/billing/rates";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { stopQueue } from "@/lib/platform/queue/vendor";
import { call } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { scriptTranscriber } from "@/lib/testing/fake-upstream-transcriber";
import { scanPng } from "@/lib/testing/scans";
import { closeOcrPool } from "../processes/ocr-pool";
import { closeParserPool } from "../processes/parser-pool";
import { processJob } from "./process-job";

const { OCR_MODEL } = env;
// No worker runs here: each test acts as one.
beforeAll(() => stopQueue());
beforeEach(() => {
  env.OCR_MODEL = "scripted-priced";
});
afterAll(async () => {
  env.OCR_MODEL = OCR_MODEL;
  await Promise.all([stopQueue(), closeOcrPool(), closeParserPool()]);
});

const LINES = [
  "Patients with severe asthma receive twice the usual quantity.",
  "The maximum dose of Aspivaril is 35 mg a day.",
];
const USAGE = { prompt_tokens: 900, completion_tokens: 40, total_tokens: 940 };

async function read(script: object, usd = 5) {
  scriptTranscriber(script);
  const { key, id: accountId } = await makeKeyedAccount();
  await setBalance(accountId, usd);
  const form = new FormData();
  form.set("scope", "customer_kb");
  form.set("file", new File([new Uint8Array(await scanPng(LINES))], "scan.png"));
  const { json } = await call("POST", "/v1/kb/documents", { key, raw: form });
  await processJob(json.job_id);
  const { status, report, error } = (await call("GET", `/v1/kb/jobs/${json.job_id}`, { key })).json;
  const where = { id: String(json.id) };
  const { text, uncertain } = await db().document.findFirstOrThrow({ where });
  return { key, accountId, status, report, error, text, uncertain };
}

describe("OCR_MODEL", () => {
  it("reads the image of a page through its upstream, at its own price", async () => {
    const written = `# Asthma\n\n${LINES.join("\n")}`;
    const { accountId, report, text } = await read({ text: written, usage: USAGE });
    expect(text).toBe(`Asthma\n\n${LINES.join(" ")}`);
    expect(report).toMatchObject({ recognized_pages: 1 });
    const { body, authorization } = upstream().seen.at(-1) ?? {};
    expect(authorization).toBeDefined();
    expect(body).toMatchObject({ model: "priced-model", max_tokens: expect.any(Number) });
    expect(JSON.stringify(body?.messages)).toContain("data:image/jpeg;base64,");
    const rates = findModel("scripted-priced")?.rates;
    const micros = rates ? chatCost(rates, "core", { prompt: 900, completion: 40 }) : 0n;
    expect(micros).toBeGreaterThan(0n);
    expect(await lastUsage(accountId)).toMatchObject({
      kind: "ingest",
      costMicros: ingestCost(report.tokens) + micros,
      rate: {
        ocr_model: "scripted-priced",
        ocr_model_pages: 1,
        ocr_model_usd: Number(micros) / 1e6,
      },
    });
    expect(await readMoney(accountId)).toMatchObject({ held: 0n, openHolds: 0n });
  }, 60_000);

  it("is not believed about a number that Tesseract read otherwise", async () => {
    const { key, text, uncertain } = await read({ text: LINES.join("\n").replace("35", "85") });
    const start = text?.indexOf("85") ?? 0;
    expect(uncertain).toEqual([start, start + 2]);
    const search = { query: "maximum dose of Aspivaril", min_score: 0 };
    const found = await call("POST", "/v1/kb/search", { key, body: search });
    const sources = [{ chunk_id: found.json.data[0].chunk_id }];
    const body = { text: "The maximum dose of Aspivaril is 85 mg a day [1].", sources };
    const { json } = await call("POST", "/v1/citations/verify", { key, body });
    expect(json.annotations[0].url_citation.verification).toMatchObject({
      verdict: "unjudged",
      reason: "ocr",
    });
  }, 60_000);

  it.each([
    ["fails", { status: 500 }],
    ["writes something else", { text: "I'm sorry, but I can't help with reading this image." }],
  ])(
    "leaves the page to Tesseract, at Tesseract's price, when it %s",
    async (_, script) => {
      const { accountId, status, report, text } = await read(script);
      expect({ status, text }).toEqual({ status: "completed", text: LINES.join(" ") });
      expect(await lastUsage(accountId)).toMatchObject({
        costMicros: ingestCost(report.tokens) + ocrCost(1),
        rate: { ocr_pages: 1 },
      });
      expect((await lastUsage(accountId)).shortfallMicros > 0n).toBe("text" in script);
    },
    60_000,
  );

  it("leaves the page to Tesseract when it stops at its limit, and charges what it bills", async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 8192 };
    const script = { choices: [choice(LINES.join(" "), "length")], usage };
    const { accountId, status, report, text } = await read(script);
    expect({ status, text }).toEqual({ status: "completed", text: LINES.join(" ") });
    const { rates } = findModel("scripted-priced") ?? embeddedModel();
    const cost = chatCost(rates, "core", { prompt: 1000, completion: 8192 });
    expect(await lastUsage(accountId)).toMatchObject({
      costMicros: ingestCost(report.tokens) + cost,
      rate: { ocr_model_pages: 1 },
      shortfallMicros: 0n,
    });
  }, 60_000);

  it("isn't asked when the balance doesn't cover the most it can cost", async () => {
    env.OCR_MODEL = "scripted-dear";
    const asked = upstream().seen.length;
    const { status, error } = await read({ text: LINES.join("\n") }, 0.1);
    expect({ status, code: error?.code }).toEqual({
      status: "failed",
      code: "insufficient_balance",
    });
    expect(error.message).toContain("up to $");
    expect(upstream().seen.length).toBe(asked);
  }, 60_000);
});

function choice(content: string, finish_reason: string) {
  return { index: 0, finish_reason, message: { role: "assistant", content } };
}
