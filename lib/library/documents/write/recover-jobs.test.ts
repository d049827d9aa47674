import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { replaceEmbedder } from "@/lib/models/embedding";
import { releaseExpiredHolds } from "@/lib/money/billing/write/hold";
import { db, execute } from "@/lib/platform/db/client";
import { MAX_ATTEMPTS, stopQueue } from "@/lib/platform/queue/vendor";
import { acquireWorkerLease } from "@/lib/platform/queue/write/worker-lease";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { processJob } from "./process-job";
import { recoverOrphanedJobs, renewJobHolds } from "./recover-jobs";

// No worker runs here: each test acts as one.
beforeAll(() => stopQueue());
afterAll(() => stopQueue());

async function uploadJob(): Promise<{ jobId: string; accountId: string; key: string }> {
  const { key, id } = await makeKeyedAccount();
  const { json } = await call("POST", "/v1/kb/documents", {
    key,
    body: { scope: "customer_kb", text: "Brother Ohm winds the clock of ward 3." },
  });
  return { jobId: json.job_id, accountId: id, key };
}

function readJob(id: string) {
  return db().job.findFirstOrThrow({ where: { id } });
}

async function queueRow(jobId: string) {
  const { rows } = await execute(
    `SELECT q.state::text, q.retry_count, q.start_after <= now() AS is_due
       FROM job j JOIN pgboss.job q ON q.name = 'document' AND q.id = j.queue_id WHERE j.id = $1`,
    [jobId],
  );
  return rows[0];
}

/** Updates the queue's row as a worker does when it picks up the job. */
async function take(jobId: string, values = "state = 'active', started_on = now()") {
  await execute(
    `UPDATE pgboss.job SET ${values} WHERE name = 'document' AND id = (SELECT queue_id FROM job WHERE id = $1)`,
    [jobId],
  );
}

const sweep = () => recoverOrphanedJobs({ graceSeconds: 5, isThorough: true });

describe("recovery of orphaned jobs", () => {
  it("retries a dead worker's job immediately, and doesn't touch a live worker's", async () => {
    const { jobId } = await uploadJob();
    const { worker, release } = await acquireWorkerLease();
    await take(jobId);
    await db().job.updateMany({
      where: { id: jobId },
      data: { status: "processing", stage: "embedding", attempts: 1, worker },
    });
    await sweep();
    expect(await readJob(jobId)).toMatchObject({ status: "processing", worker });
    await release();
    await sweep();
    expect(await readJob(jobId)).toMatchObject({ status: "queued", stage: null, worker: null });
    expect(await queueRow(jobId)).toEqual({ state: "retry", retry_count: 0, is_due: true });
    await processJob(jobId);
    expect(await readJob(jobId)).toMatchObject({ status: "completed", attempts: 2 });
  });

  it("retries a job whose worker died at parsing it once, and fails it the second time, without a charge", async () => {
    const { jobId, accountId, key } = await uploadJob();
    const dieWhileParsing = async () => {
      const { worker, release } = await acquireWorkerLease();
      await take(jobId);
      const data = { status: "processing", stage: "parsing", attempts: { increment: 1 }, worker };
      await db().job.updateMany({ where: { id: jobId }, data });
      await release();
      await sweep();
    };
    await dieWhileParsing();
    expect(await readJob(jobId)).toMatchObject({ status: "queued", stage: null });
    expect(await queueRow(jobId)).toMatchObject({ state: "retry", is_due: true });
    await dieWhileParsing();
    const { json } = await call("GET", `/v1/kb/jobs/${jobId}`, { key });
    expect(json).toMatchObject({ status: "failed", attempts: 2, error: { code: "too_complex" } });
    expect(json.error.message).toMatch(/Split it .+ upload that\.$/);
    expect(await readMoney(accountId)).toMatchObject({ balance: 5_000_000n, held: 0n });
    await sweep();
    expect(await readJob(jobId)).toMatchObject({ status: "failed", attempts: 2 });
  });

  it("waits briefly for a worker that just picked up a job to record its number", async () => {
    const { jobId } = await uploadJob();
    await take(jobId);
    await sweep();
    expect(await queueRow(jobId)).toMatchObject({ state: "active" });
    await take(jobId, "started_on = now() - interval '6 seconds'");
    await sweep();
    expect(await queueRow(jobId)).toMatchObject({ state: "retry", is_due: true });
  });

  it("requeues a job that the queue lost, once no matter how often it runs", async () => {
    const { jobId } = await uploadJob();
    const { queueId } = await readJob(jobId);
    await execute("DELETE FROM pgboss.job WHERE id = $1", [queueId]);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await queueRow(jobId)).toMatchObject({ state: "created" });
    const { rows } = await execute("SELECT id FROM pgboss.job WHERE data->>'jobId' = $1", [jobId]);
    expect(rows).toHaveLength(1);
  });

  it("fails a job that has no attempts left or that the queue gave up on, without a charge", async () => {
    for (const change of [
      "state = 'failed'",
      "state = 'active', started_on = now() - interval '1 hour'",
    ]) {
      const { jobId, accountId, key } = await uploadJob();
      await take(jobId, change);
      await db().job.updateMany({ where: { id: jobId }, data: { attempts: MAX_ATTEMPTS } });
      await sweep();
      const { json } = await call("GET", `/v1/kb/jobs/${jobId}`, { key });
      expect(json).toMatchObject({ status: "failed", error: { code: "processing_failed" } });
      expect(await readMoney(accountId)).toMatchObject({ balance: 5_000_000n, held: 0n });
    }
  });

  it("renews the hold of a job that waits longer than its lease", async () => {
    const { jobId, accountId } = await uploadJob();
    const { held } = await readMoney(accountId);
    expect(held).toBeGreaterThan(0n);
    await db().hold.updateMany({
      where: { accountId },
      data: { leaseExpiresAt: new Date(Date.now() - 1000) },
    });
    await renewJobHolds();
    await releaseExpiredHolds();
    expect(await readMoney(accountId)).toMatchObject({ held, openHolds: held });
    await processJob(jobId);
    expect(await readMoney(accountId)).toMatchObject({ held: 0n, openHolds: 0n });
  });
});

describe("an attempt at a job", () => {
  it("stores nothing if another attempt has started", async () => {
    const { jobId, accountId } = await uploadJob();
    let overtake = async () => {};
    replaceEmbedder({
      space: "slow@2",
      dimensions: 2,
      embedPassages: async (texts) => {
        const run = overtake;
        overtake = async () => {};
        await run();
        return texts.map(() => Float32Array.of(1, 0));
      },
      embedQuery: async () => Float32Array.of(1, 0),
    });
    onTestFinished(() => replaceEmbedder(undefined));
    overtake = () => processJob(jobId);
    await processJob(jobId);
    expect(await readJob(jobId)).toMatchObject({ status: "completed", attempts: 2 });
    expect(await db().chunk.count({ where: { accountId } })).toBe(1);
    expect(await db().usageRecord.count({ where: { accountId } })).toBe(1);
  });

  it("fails the job if it is the last attempt", async () => {
    const { jobId, accountId } = await uploadJob();
    await db().job.updateMany({ where: { id: jobId }, data: { attempts: MAX_ATTEMPTS - 1 } });
    const stopping = AbortSignal.abort(new Error("the worker stops"));
    await processJob(jobId, { signal: stopping });
    expect(await readJob(jobId)).toMatchObject({
      status: "failed",
      attempts: MAX_ATTEMPTS,
      errorCode: "processing_failed",
    });
    expect(await readMoney(accountId)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });
});

describe("a worker that dies while it replaces a document", () => {
  it("leaves the old version searchable until another one has finished, which is charged once", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const put = async (text: string) => {
      const fields = { scope: "customer_kb", external_id: "ward-3", on_duplicate: "replace" };
      const { json } = await call("POST", "/v1/kb/documents", { key, body: { ...fields, text } });
      return { jobId: String(json.job_id), documentId: String(json.id) };
    };
    const find = async () => {
      const body = { query: "who winds the clock of ward 3", min_score: 0 };
      const { json } = await call("POST", "/v1/kb/search", { key, body });
      return json.data.flatMap(({ text }: { text: string }) =>
        text.includes("ward 3") ? text : [],
      );
    };
    const old = await put("Brother Ohm winds the clock of ward 3.");
    await processJob(old.jobId);
    const { jobId, documentId } = await put("Sister Volt winds the clock of ward 3.");
    expect(documentId).toBe(old.documentId);
    const { worker, release } = await acquireWorkerLease();
    const death = new AbortController();
    const dying = () => {
      death.abort();
      return Promise.reject(death.signal.reason);
    };
    const space = { space: "dying@2", dimensions: 2 };
    replaceEmbedder({ ...space, embedPassages: dying, embedQuery: dying });
    onTestFinished(() => replaceEmbedder(undefined));
    await processJob(jobId, { signal: death.signal, worker }).catch(() => {});
    replaceEmbedder(undefined);
    // A killed worker doesn't return its job.
    const data = { status: "processing", stage: "embedding", worker };
    await db().job.updateMany({ where: { id: jobId }, data });
    await take(jobId);
    await release();
    expect(await find()).toEqual(["Brother Ohm winds the clock of ward 3."]);
    await sweep();
    await processJob(jobId);
    expect(await readJob(jobId)).toMatchObject({ status: "completed", attempts: 2 });
    expect(await find()).toEqual(["Sister Volt winds the clock of ward 3."]);
    expect(await db().usageRecord.count({ where: { accountId, kind: "ingest" } })).toBe(2);
    expect(await db().documentUpload.count({ where: { documentId, isOriginal: false } })).toBe(0);
  });
});
