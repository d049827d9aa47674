import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Embedder, replaceEmbedder } from "@/lib/models/embedding";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { acquireLongPoll } from "@/lib/platform/limits/open-streams";
import { stopQueue } from "@/lib/platform/queue/vendor";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const text = "Sister Ilg counts the quinarol vials of ward 9 each evening at 20:15.";

function upload(key: string, content = text) {
  return call("POST", "/v1/kb/documents", { key, body: { scope: "customer_kb", text: content } });
}

function getJob(key: string, id: string, search = "") {
  return call("GET", `/v1/kb/jobs/${id}${search}`, { key });
}

function cancel(key: string, id: string) {
  return call("POST", `/v1/kb/jobs/${id}/cancel`, { key });
}

/** An embedding model that hangs on the document with this word until the caller aborts. */
function holdEmbeddings(word: string): { hasBegun: Promise<void>; wasAborted: Promise<void> } {
  const begun = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const held: Embedder = {
    space: "held@2",
    dimensions: 2,
    embedPassages: (texts, signal) =>
      new Promise((resolve, reject) => {
        if (!texts.join().includes(word)) {
          resolve(texts.map(() => Float32Array.of(1, 0)));
          return;
        }
        begun.resolve();
        signal.addEventListener("abort", () => {
          aborted.resolve();
          reject(signal.reason);
        });
      }),
    embedQuery: async () => Float32Array.of(1, 0),
  };
  replaceEmbedder(held);
  onTestFinished(() => replaceEmbedder(undefined));
  return { hasBegun: begun.promise, wasAborted: aborted.promise };
}

describe("GET /v1/kb/jobs/{job_id}", () => {
  it("limits how many requests of an account wait at the same time", async () => {
    const { key, id } = await makeKeyedAccount();
    const { json } = await upload(key);
    const slots = Array.from({ length: env.MAX_LONG_POLLS_PER_ACCOUNT }, () => acquireLongPoll(id));
    const releases = await Promise.all(slots);
    const { status, json: refused } = await getJob(key, json.job_id, "?wait=1");
    expect([status, refused.error.code]).toEqual([429, "rate_limit_exceeded"]);
    expect((await getJob(key, json.job_id)).status).toBe(200);
    releases[0]?.();
    expect((await getJob(key, json.job_id, "?wait=1")).status).toBe(200);
  });

  it("rejects an out-of-range wait and unknown parameters, and finds no foreign or malformed id", async () => {
    const { key } = await makeKeyedAccount();
    const stranger = await makeKeyedAccount();
    const { json } = await upload(key);
    for (const [search, param] of [
      ["?wait=31", "wait"],
      ["?wait=-1", "wait"],
      ["?wait=soon", "wait"],
      ["?until=now", "until"],
    ]) {
      const answer = await getJob(key, json.job_id, search);
      expect([answer.status, answer.json.error.param]).toEqual([400, param]);
    }
    expect((await getJob(stranger.key, json.job_id)).status).toBe(404);
    for (const id of ["job_0", "doc_1", "%00", "job_1%27--", "x".repeat(90)]) {
      const { status, json: answer } = await getJob(key, id);
      expect([status, answer.error.code]).toEqual([404, "not_found"]);
    }
    expect((await getJob(key, "job_9".repeat(200))).json.error.param).toBe("job_id");
    const unscoped = await makeKey((await makeAccount()).ctx, { scopes: ["chat:completions"] });
    expect((await getJob(unscoped.secret, json.job_id)).status).toBe(403);
    expect((await getJob("", json.job_id)).status).toBe(401);
    expect((await call("DELETE", `/v1/kb/jobs/${json.job_id}`, { key })).status).toBe(405);
  });
});

describe("POST /v1/kb/jobs/{job_id}/cancel", () => {
  describe("without a worker", () => {
    beforeAll(() => stopQueue());
    afterAll(() => stopQueue());

    it("cancels a queued job, releases its hold, and lets the same file be uploaded again", async () => {
      const { key, id } = await makeKeyedAccount();
      const first = await upload(key);
      expect(await readMoney(id)).toMatchObject({ held: expect.any(BigInt) });
      const cancelled = await cancel(key, first.json.job_id);
      expect([cancelled.status, cancelled.json.status]).toEqual([200, "cancelled"]);
      expect(cancelled.json).toMatchObject({
        object: "kb.job",
        stage: null,
        attempts: 0,
        error: null,
        finished_at: expect.any(String),
      });
      expect(await cancel(key, first.json.job_id)).toMatchObject({
        status: 200,
        json: cancelled.json,
      });
      expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n, openHolds: 0n });
      expect(await db().documentUpload.count({ where: { documentId: first.json.id } })).toBe(0);
      const usage = await db().usageRecord.findMany({ where: { accountId: id } });
      expect(usage).toMatchObject([{ kind: "ingest", status: 499, costMicros: 0n }]);
      const again = await upload(key);
      expect(again.json).toMatchObject({
        id: first.json.id,
        status: "queued",
        deduplicated: true,
      });
      expect(again.json.job_id).not.toBe(first.json.job_id);
    });

    it("refuses other accounts, unknown ids, keys without the scope, and other methods", async () => {
      const owner = await makeKeyedAccount();
      const stranger = await makeKeyedAccount();
      const { json } = await upload(owner.key);
      expect((await cancel(stranger.key, json.job_id)).status).toBe(404);
      for (const id of ["job_0", "%00", json.id]) {
        expect((await cancel(owner.key, id)).status).toBe(404);
      }
      const reader = await makeKey(owner.ctx, { scopes: ["kb:documents:read"] });
      expect((await cancel(reader.secret, json.job_id)).json.error.code).toBe("insufficient_scope");
      expect((await cancel("", json.job_id)).status).toBe(401);
      for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
        const answer = await call(method, `/v1/kb/jobs/${json.job_id}/cancel`, { key: owner.key });
        expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
      }
      expect((await getJob(owner.key, json.job_id)).json.status).toBe("queued");
    });
  });

  describe("with a worker", () => {
    beforeAll(startBackgroundWork);
    afterAll(() => stopBackgroundWork());

    it("cancels a running job within seconds, storing nothing", async () => {
      const { key, id } = await makeKeyedAccount();
      const model = holdEmbeddings("xylobren");
      const { json } = await upload(key, "Give xylobren at noon.");
      await model.hasBegun;
      expect((await getJob(key, json.job_id)).json).toMatchObject({
        status: "processing",
        stage: "embedding",
        attempts: 1,
      });
      expect((await cancel(key, json.job_id)).json.status).toBe("cancelled");
      await model.wasAborted;
      expect((await getJob(key, json.job_id)).json.status).toBe("cancelled");
      expect(await db().chunk.count({ where: { accountId: id } })).toBe(0);
      expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    });

    it("stops a running job when its document is deleted", async () => {
      const { key, id } = await makeKeyedAccount();
      const model = holdEmbeddings("xylobrix");
      const { json } = await upload(key, "Give xylobrix at night.");
      await model.hasBegun;
      expect((await call("DELETE", `/v1/kb/documents/${json.id}`, { key })).status).toBe(200);
      await model.wasAborted;
      expect((await getJob(key, json.job_id)).json.status).toBe("cancelled");
      expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    });

    it("answers 409 for a completed job", async () => {
      const { key } = await makeKeyedAccount();
      const { json } = await upload(key);
      expect((await getJob(key, json.job_id, "?wait=15")).json.status).toBe("completed");
      const answer = await cancel(key, json.job_id);
      expect([answer.status, answer.json.error.code]).toEqual([409, "conflict"]);
      expect(answer.headers.get("x-should-retry")).toBe("false");
    });
  });
});
