import { once } from "node:events";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { replaceEmbedder } from "@/lib/models/embedding";
import { ingestCost } from "@/lib/money/billing/rates";
import { db, execute, query } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { stopQueue } from "@/lib/platform/queue/vendor";
import { call } from "@/lib/testing/api";
import { compressedUpload } from "@/lib/testing/document-files";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { countTokens } from "@/lib/text/tokens";
import { processJob } from "./process-job";
import { reindexSome } from "./reindex-cycle";

// No worker runs here: each test acts as one.
beforeAll(() => stopQueue());
afterAll(() => stopQueue());

async function uploadJob(upload: string | FormData) {
  const { key, id } = await makeKeyedAccount();
  const sent =
    typeof upload === "string" ? { body: { scope: "customer_kb", text: upload } } : { raw: upload };
  const { json } = await call("POST", "/v1/kb/documents", { key, ...sent });
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
      const { key, accountId, documentId, jobId } = await uploadJob(compressedUpload().form);
      const { held: before } = await readMoney(accountId);
      const { release } = await blockWrites(documentId);
      const job = processJob(jobId);
      await expect.poll(countWaiting, { timeout: 20_000 }).toBe(1);
      const { held } = await readMoney(accountId);
      expect(held).toBeGreaterThan(before);
      const { status } = await call("POST", "/v1/kb/search", { key, body: { query: "jar" } });
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

describe("a job whose passages the embedding model doesn't embed", () => {
  const readReport = async (key: string, jobId: string) => {
    const { json } = await call("GET", `/v1/kb/jobs/${jobId}`, { key });
    return json;
  };

  it.each<[string, number, string, (stop: AbortController) => Promise<never>]>([
    ["is away", 0, "zebrafish", () => Promise.reject(new Error("away"))],
    ["fails after some", 8, "axolotl", () => Promise.reject(new Error("away"))],
    [
      "is late after some",
      24,
      "capybara",
      (patience) => {
        patience.abort(new Error("late"));
        return new Promise(() => {});
      },
    ],
  ])(
    "completes by words if it %s, and the others follow, each once",
    async (_, embedded, word, fail) => {
      const space = `follows-${word}@2`;
      let isAway = false;
      const patience = new AbortController();
      const sent: string[] = [];
      replaceEmbedder({
        space,
        dimensions: 2,
        embedQuery: () => Promise.reject(new Error("away")),
        embedPassages: async (texts) => {
          if (isAway && sent.length + texts.length > embedded) {
            return fail(patience);
          }
          sent.push(...texts);
          return texts.map(() => Float32Array.of(1, 0));
        },
      });
      onTestFinished(async () => {
        replaceEmbedder(undefined);
        await execute("DELETE FROM chunk_vector WHERE space = $1", [space]);
      });
      // Ends the cycle that embeds what was there before.
      while ((await reindexSome(1000)) > 0) {
        sent.length = 0;
      }
      isAway = true;
      const { accountId, jobId, key } = await uploadJob(
        `A sentence about the ${word} clinic. `.repeat(1000),
      );
      await processJob(jobId, { patience: () => patience.signal });
      const first = await readReport(key, jobId);
      expect(first).toMatchObject({ status: "completed", attempts: 1, progress: 1 });
      expect(first.report.embedded_chunks).toBe(embedded);
      const body = { query: `${word} clinic`, sources: ["customer_kb"] };
      const found = await call("POST", "/v1/kb/search", { key, body });
      expect(found.json.data.length).toBeGreaterThan(0);
      isAway = false;
      sent.length = 0;
      await expect
        .poll(async () => {
          await reindexSome(1000);
          return (await readReport(key, jobId)).report;
        })
        .not.toHaveProperty("embedded_chunks");
      const own = sent.filter((text) => text.includes(word));
      expect(own).toHaveLength(first.report.chunks - embedded);
      expect(await db().job.count({ where: { accountId, status: "completed" } })).toBe(1);
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
