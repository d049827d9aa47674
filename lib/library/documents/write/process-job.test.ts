import { once } from "node:events";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { replaceEmbedder } from "@/lib/models/embedding";
import { ingestCost } from "@/lib/money/billing/rates";
import { db, query } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { stopQueue } from "@/lib/platform/queue/vendor";
import { call } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { countTokens } from "@/lib/text/tokens";
import { processJob } from "./process-job";

// No worker runs here: each test acts as one.
beforeAll(() => stopQueue());
afterAll(() => stopQueue());

/** A table whose long column names repeat in each row, so its text has far more tokens than the file has bytes. */
function wideTable(): string {
  const names = Array.from({ length: 6 }, (_, at) => `${"A long name ".repeat(40)}${at}`);
  const rows = Array.from({ length: 240 }, (_, at) => Array(6).fill(at).join(","));
  return [names.join(","), ...rows].join("\n");
}

async function uploadJob(text: string) {
  const { key, id } = await makeKeyedAccount();
  const body = { scope: "customer_kb", text };
  const { json } = await call("POST", "/v1/kb/documents", { key, body });
  return { key, accountId: id, documentId: String(json.id), jobId: String(json.job_id) };
}

/** Blocks the deletion of a document's upload, one of the last writes of its job. */
async function blockWrites(documentId: string) {
  const client = new pg.Client(env.DATABASE_URL);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM document_upload WHERE document_id = $1 FOR UPDATE", [
    documentId,
  ]);
  return { release: () => client.query("ROLLBACK") };
}

async function countWaiting(): Promise<number> {
  const rows = await query(
    "test_waiting",
    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  return rows.length;
}

describe("a job whose document costs more than its upload size suggests", () => {
  it.runIf(env.DATABASE_URL)(
    "doesn't block other requests of its account while the index is written",
    async () => {
      const { key, accountId, documentId, jobId } = await uploadJob(wideTable());
      const { held: before } = await readMoney(accountId);
      const { release } = await blockWrites(documentId);
      const job = processJob(jobId);
      await expect.poll(countWaiting, { timeout: 20_000 }).toBe(1);
      const { held } = await readMoney(accountId);
      expect(held).toBeGreaterThan(before);
      const { status } = await call("POST", "/v1/kb/search", { key, body: { query: "name" } });
      expect(status).toBe(200);
      expect(await countWaiting()).toBe(1);
      await release();
      await job;
      expect(await db().job.findFirstOrThrow({ where: { id: jobId } })).toMatchObject({
        status: "completed",
      });
      expect(await readMoney(accountId)).toMatchObject({ held: 0n, openHolds: 0n });
    },
  );
});

describe("a job that is canceled while its passages are embedded", () => {
  it("pays for those that the embedding model got", async () => {
    const asked = Promise.withResolvers<void>();
    replaceEmbedder({
      space: "canceled@4",
      dimensions: 4,
      embedQuery: () => Promise.reject(new Error("nothing is searched here")),
      embedPassages: async (texts, signal, onBatch) => {
        await onBatch?.(1);
        asked.resolve();
        await once(signal, "abort");
        throw new Error(`left with ${texts.length} passages`);
      },
    });
    onTestFinished(() => replaceEmbedder(undefined));
    const { accountId, jobId, key } = await uploadJob("A sentence about amoxicillin. ".repeat(400));
    const before = await readMoney(accountId);
    const running = processJob(jobId);
    await asked.promise;
    await call("POST", `/v1/kb/jobs/${jobId}/cancel`, { key });
    await running;
    const usage = await lastUsage(accountId);
    expect(usage).toMatchObject({
      kind: "ingest",
      status: 499,
      costMicros: ingestCost(usage.promptTokens),
    });
    const whole = countTokens("A sentence about amoxicillin. ".repeat(400));
    expect(usage.promptTokens).toBeGreaterThan(50);
    expect(usage.promptTokens).toBeLessThan(whole);
    expect(await readMoney(accountId)).toMatchObject({
      balance: before.balance - usage.costMicros,
      held: 0n,
    });
  });
});
