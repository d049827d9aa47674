import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { newId } from "@/lib/id";
import { failedParsingCost } from "@/lib/money/billing/rates";
import { db, execute } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { openJobQueue, startWorkers, stopQueue } from "@/lib/platform/queue/vendor";
import { DocumentError } from "@/lib/reading/document-error";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { toReaderContext } from "../read/documents";
import { findJobOfRequest } from "../read/jobs";
import { failJob } from "./end-job";
import { deferJobs } from "./fair-queue";
import { recoverOrphanedJobs } from "./recover-jobs";

const MEGABYTE = 1024 * 1024;

// No worker runs here, except for the test that starts one.
beforeAll(() => stopQueue());
afterAll(() => stopQueue());
// Jobs of earlier tests would be ahead of those of the next.
beforeEach(async () => {
  await openJobQueue();
  await execute("DELETE FROM pgboss.job WHERE name = 'document'");
});

let count = 0;

/** Uploads a document of about this size and returns its job. */
async function upload(key: string, bytes = 100): Promise<string> {
  count += 1;
  const text = `Text ${count}. ${"Word. ".repeat(bytes / 6)}`;
  const raw = new FormData();
  raw.set("scope", "customer_kb");
  raw.set("file", new File([text], "text.txt", { type: "text/plain" }));
  const { status, json } = await call("POST", "/v1/kb/documents", { key, raw });
  expect(status).toBe(202);
  return String(json.job_id);
}

/** The waiting jobs in the order in which workers take them. */
async function waiting(): Promise<string[]> {
  const { rows } = await execute(
    `SELECT data->>'jobId' AS id FROM pgboss.job WHERE name = 'document' AND state < 'active'
      ORDER BY priority DESC, created_on`,
  );
  return rows.map((row) => String(row.id));
}

describe("waiting jobs", () => {
  it("are taken in turn by account, however many one account has", async () => {
    const [busy, other] = [await makeKeyedAccount(), await makeKeyedAccount()];
    const flood = [];
    for (let index = 0; index < 5; index += 1) {
      flood.push(await upload(busy.key));
    }
    const own = [await upload(other.key), await upload(other.key)];
    const [first, second, third, ...rest] = flood;
    expect(await waiting()).toEqual([first, second, own[0], third, own[1], ...rest]);
  });

  it("aren't overtaken for good by an account that uploads each time its only job has ended", async () => {
    const [busy, other] = [await makeKeyedAccount(), await makeKeyedAccount()];
    const [first, second, third, fourth] = [
      await upload(busy.key),
      await upload(busy.key),
      await upload(busy.key),
      await upload(busy.key),
    ];
    const before = await upload(other.key);
    expect(await waiting()).toEqual([first, second, before, third, fourth]);
    await call("POST", `/v1/kb/jobs/${first}/cancel`, { key: busy.key });
    await call("POST", `/v1/kb/jobs/${before}/cancel`, { key: other.key });
    const after = await upload(other.key);
    expect(await waiting()).toEqual([second, third, after, fourth]);
  });

  it("of small files are taken before large ones of the same and of other accounts", async () => {
    const [bulk, other] = [await makeKeyedAccount(), await makeKeyedAccount()];
    const large = [await upload(bulk.key, 2 * MEGABYTE), await upload(bulk.key, 2 * MEGABYTE)];
    const small = [await upload(bulk.key), await upload(other.key)];
    expect(await waiting()).toEqual([large[0], ...small, large[1]]);
  });

  it("of an account that burned its time move behind those of others", async () => {
    const [burner, other] = [await makeKeyedAccount(), await makeKeyedAccount()];
    const burned = [await upload(burner.key), await upload(burner.key)];
    const others = [await upload(other.key), await upload(other.key), await upload(other.key)];
    await deferJobs(burner.id, 120);
    expect(await waiting()).toEqual([...others, ...burned]);
    const next = await upload(burner.key);
    expect(await waiting()).toEqual([...others, ...burned, next]);
  });

  it("stay in their place when the queue lost them", async () => {
    const [bulk, other] = [await makeKeyedAccount(), await makeKeyedAccount()];
    const lost = [await upload(bulk.key), await upload(bulk.key), await upload(bulk.key)];
    await execute("DELETE FROM pgboss.job WHERE name = 'document'");
    await recoverOrphanedJobs({ graceSeconds: 5, isThorough: true });
    const own = await upload(other.key);
    const found = (await waiting()).filter((id) => [...lost, own].includes(id));
    expect(found).toEqual([lost[0], lost[1], own, lost[2]]);
  });
});

describe("slow jobs", () => {
  it.runIf(env.JOB_CONCURRENCY > 1)("leave a worker to small files", async () => {
    const { key } = await makeKeyedAccount();
    const { key: burner, id } = await makeKeyedAccount();
    const error = new DocumentError("too_complex", undefined, 1000);
    await failJob({ id: await upload(burner) }, error);
    const slow = [await upload(key, 2 * MEGABYTE), await upload(burner), await upload(burner)];
    const small = [await upload(key), await upload(key), await upload(key)];
    const taken: string[] = [];
    const gate = Promise.withResolvers<void>();
    onTestFinished(async () => {
      gate.resolve();
      await stopQueue();
    });
    await startWorkers(async (jobId) => {
      taken.push(jobId);
      await (slow.includes(jobId) ? gate.promise : null);
    });
    await expect.poll(() => small.every((job) => taken.includes(job))).toBe(true);
    expect(taken.filter((job) => slow.includes(job)).length).toBeLessThan(env.JOB_CONCURRENCY);
    expect(await db().job.count({ where: { accountId: id, errorCode: "too_complex" } })).toBe(1);
  });
});

describe("an account's open jobs", () => {
  it("are limited, and a further upload says how many there are and costs nothing", async () => {
    const { key, id } = await makeKeyedAccount();
    const limit = env.MAX_OPEN_JOBS_PER_ACCOUNT;
    await db().job.createMany({
      data: Array.from({ length: limit - 1 }, () => ({
        id: newId("job"),
        accountId: id,
        documentId: newId("document"),
        collectionId: `customer_kb:${id}`,
        status: "queued",
      })),
    });
    await upload(key);
    const before = await readMoney(id);
    const body = { scope: "customer_kb", text: "One more." };
    const { status, json } = await call("POST", "/v1/kb/documents", { key, body });
    expect(status).toBe(429);
    expect(json.error).toMatchObject({
      code: "rate_limit_exceeded",
      message: expect.stringContaining(`${limit} documents waiting or in progress`),
    });
    expect(await readMoney(id)).toEqual(before);
    const { key: other } = await makeKeyedAccount();
    await upload(other);
    await db().job.deleteMany({ where: { accountId: id, holdId: null } });
  });
});

describe("a document that is too complex", () => {
  it("costs the CPU time it used, from its hold, and shows the rate", async () => {
    const { key, id } = await makeKeyedAccount();
    const jobId = await upload(key);
    const { held } = await readMoney(id);
    expect(held).toBeGreaterThanOrEqual(failedParsingCost(env.PARSE_TIMEOUT_MS));
    await failJob({ id: jobId }, new DocumentError("too_complex", undefined, 60_000));
    const cost = failedParsingCost(60_000);
    expect(cost).toBeGreaterThan(0n);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n - cost, held: 0n });
    expect(await db().usageRecord.findFirstOrThrow({ where: { accountId: id } })).toMatchObject({
      kind: "ingest",
      status: 422,
      costMicros: cost,
      rate: { cpu_ms: 60_000 },
    });
  });

  it("costs nothing when it failed for another reason", async () => {
    const { key, id } = await makeKeyedAccount();
    await failJob({ id: await upload(key) }, new DocumentError("damaged_file"));
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("is found by the request that uploaded it, with the reason", async () => {
    const { key, id, ctx } = await makeKeyedAccount();
    await failJob({ id: await upload(key) }, new DocumentError("damaged_file"));
    const { id: requestId } = await db().usageRecord.findFirstOrThrow({ where: { accountId: id } });
    expect(await findJobOfRequest(await toReaderContext(ctx), requestId)).toMatchObject({
      status: "failed",
      error: { code: "damaged_file", message: expect.stringContaining("damaged") },
    });
  });
});
