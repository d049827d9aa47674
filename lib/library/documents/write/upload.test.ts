import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { consume } from "@/lib/platform/http/rate-limit";
import { stopQueue } from "@/lib/platform/queue/vendor";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { processJob } from "./process-job";

const PATH = "/v1/kb/documents";

// No worker runs here, but other test files in this process may have left a queue open.
beforeAll(() => stopQueue());
afterAll(() => stopQueue());

function upload(key: string, text: string) {
  return call("POST", PATH, { key, body: { scope: "customer_kb", text } });
}

describe("uploads", () => {
  it("are accepted by a process without a worker, including the first one", async () => {
    const { key } = await makeKeyedAccount();
    const { status, json } = await upload(key, "Nobody works on this yet.");
    expect([status, json.status]).toEqual([202, "queued"]);
  });

  it.each([
    ["title", "Other"],
    ["source_type", "guideline"],
    ["metadata", { ward: 2 }],
    ["url", "https://b.example/x"],
    ["published_at", "2026-02-01"],
    ["standing", "superseded"],
  ])(
    "of the same bytes name %s if they don't apply it, before and after the job",
    async (name, value) => {
      const { key } = await makeKeyedAccount();
      const first = {
        ...{ scope: "customer_kb", text: "The clinic closes at noon.", title: "First title" },
        ...{ source_type: "policy", metadata: { ward: 1, wing: "b" }, published_at: "2026-01-01" },
        url: "https://a.example/x",
      };
      const send = async (body: object) => (await call("POST", PATH, { key, body })).json;
      const { job_id, id } = await send(first);
      const same = { ...first, metadata: { wing: "b", ward: 1 } };
      for (const status of ["queued", "completed"]) {
        expect(await send(same)).toMatchObject({ id, status, deduplicated: true });
        expect(await send(same)).not.toHaveProperty("warnings");
        const { warnings } = await send({ ...first, [name]: value });
        expect(warnings).toEqual([
          { code: "fields_not_applied", message: expect.stringContaining(`: '${name}' of this`) },
        ]);
        await processJob(job_id);
      }
      const replacing = { ...first, external_id: "a", on_duplicate: "replace", [name]: value };
      expect(await send(replacing)).not.toHaveProperty("warnings");
      expect(await send({ ...replacing, on_duplicate: "reuse" })).not.toHaveProperty("warnings");
    },
  );

  it("of other bytes say that they change nothing, unless they replace the document", async () => {
    const { key } = await makeKeyedAccount();
    const send = async (text: string) => {
      const body = { scope: "customer_kb", external_id: "a", text };
      return (await call("POST", PATH, { key, body })).json;
    };
    await send("One text.");
    expect((await send("One text.")).warnings).toBeUndefined();
    expect((await send("Another text.")).warnings).toMatchObject([
      { code: "fields_not_applied", message: expect.stringContaining("'file'") },
    ]);
  });

  it("are limited per minute for all keys of an account", async () => {
    const { ctx } = await makeAccount();
    const [one, other] = [await makeKey(ctx), await makeKey(ctx)];
    expect((await upload(one.secret, "Within the limit.")).status).toBe(202);
    await consume(`uploads:${ctx.account.id}`, env.UPLOADS_PER_MINUTE, 1);
    const { status, json } = await upload(other.secret, "Beyond the limit.");
    expect([status, json.error.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(json.error.message).toContain(`${env.UPLOADS_PER_MINUTE} uploads per minute`);
  });

  it("can run concurrently with deletions and jobs of the account, and no hold stays open", async () => {
    const { key, id } = await makeKeyedAccount();
    const first = await Promise.all(
      Array.from({ length: 20 }, (_, index) => upload(key, `Text ${index} of the first lot.`)),
    );
    expect(first.map(({ status }) => status)).toEqual(first.map(() => 202));
    const results = await Promise.all(
      first.flatMap(({ json }, index) => [
        processJob(json.job_id).then(() => 200),
        call("DELETE", `${PATH}/${json.id}`, { key }).then(({ status }) => status),
        upload(key, `Text ${index} of the second lot.`).then(({ status }) => status),
      ]),
    );
    expect(new Set(results)).toEqual(new Set([200, 202]));
    const waiting = await db().job.findMany({ where: { accountId: id, status: "queued" } });
    await Promise.all(waiting.map((job) => processJob(job.id)));
    const jobs = await db().job.groupBy({ by: ["status"], where: { accountId: id } });
    expect(jobs.map(({ status }) => status).sort()).toEqual(
      expect.not.arrayContaining(["queued", "processing", "failed"]),
    );
    const { balance, held, ledgerSum } = await readMoney(id);
    expect([held, ledgerSum]).toEqual([0n, balance]);
  }, 60_000);
});
