import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db, query } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const PATH = "/v1/kb/documents";

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

async function ingest(key: string, name: string, scope = "customer_kb") {
  const body = { scope, external_id: name, text: `The zebrafish tank ${name} is fed at nine.` };
  const { json } = await call("POST", PATH, { key, body });
  await call("GET", `/v1/kb/jobs/${json.job_id}?wait=30`, { key });
  return json.id as string;
}

function remove(key: string, body: object) {
  return call("POST", `${PATH}/delete`, { key, body });
}

describe("POST /v1/kb/documents/delete", () => {
  it("deletes by both kinds of id and reports each", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const [one, two, kept] = [
      await ingest(key, "a"),
      await ingest(key, "b"),
      await ingest(key, "c"),
    ];
    const { status, json } = await remove(key, {
      ...{ ids: [one, "doc_unknown", one], external_ids: ["b", "none"], scope: "customer_kb" },
    });
    expect(status).toBe(200);
    const failure = { code: "not_found", message: expect.stringMatching(/\. /) };
    expect(json.data).toEqual([
      { object: "kb.document", id: one, external_id: "a", deleted: true, error: null },
      {
        object: "kb.document",
        id: "doc_unknown",
        external_id: null,
        deleted: false,
        error: failure,
      },
      { object: "kb.document", id: two, external_id: "b", deleted: true, error: null },
      { object: "kb.document", id: null, external_id: "none", deleted: false, error: failure },
    ]);
    const found = await call("POST", "/v1/kb/search", {
      key,
      body: { query: "zebrafish tank", sources: ["customer_kb"], min_score: 0 },
    });
    expect(found.json.data.map((hit: { document_id: string }) => hit.document_id)).toEqual([kept]);
    const [counts] = await query<{ stored: number; counted: number }>(
      "test_counts_after_bulk_delete",
      `SELECT (SELECT chunk_count FROM collection WHERE id = $1) AS stored,
              (SELECT count(*)::int FROM chunk WHERE collection_id = $1) AS counted`,
      [`customer_kb:${accountId}`],
    );
    expect(counts).toEqual({ stored: 1, counted: 1 });
    const gone = await call("GET", `${PATH}/${one}/quote?ref=0-9-0123456789ab`, { key });
    expect(gone.json.status).toBe("deleted");
  });

  it("cancels the jobs of documents that are being processed", async () => {
    await stopBackgroundWork();
    const { key, id: accountId } = await makeKeyedAccount();
    const uploads = await Promise.all(
      ["a", "b"].map((name) =>
        call("POST", PATH, { key, body: { scope: "customer_kb", text: `Tank ${name}.` } }),
      ),
    );
    const { json } = await remove(key, { ids: uploads.map((upload) => upload.json.id) });
    expect(json.data.map(({ deleted }: { deleted: boolean }) => deleted)).toEqual([true, true]);
    const jobs = await db().job.findMany({ where: { accountId } });
    expect(jobs.map((job) => job.status)).toEqual(["cancelled", "cancelled"]);
    expect((await readMoney(accountId)).held).toBe(0n);
    await startBackgroundWork();
  });

  it("finds no documents of other accounts and persons", async () => {
    const victim = await makeKeyedAccount();
    const id = await ingest(victim.key, "a");
    const { ctx } = await makeAccount();
    const other = await makeKey(ctx);
    const body = { ids: [id], external_ids: ["a"], scope: "customer_kb" };
    const { json } = await remove(other.secret, body);
    expect(json.data.map(({ error }: { error: { code: string } }) => error.code)).toEqual([
      "not_found",
      "not_found",
    ]);
    expect((await call("GET", `${PATH}/${id}`, { key: victim.key })).status).toBe(200);
  });

  it("rejects what it can't read", async () => {
    const { key } = await makeKeyedAccount();
    const many = Array.from({ length: 1001 }, (_, at) => `doc_${at}`);
    for (const [body, status, param] of [
      [{}, 400, "ids"],
      [{ ids: many }, 400, "ids"],
      [{ ids: many.slice(1), external_ids: ["a"], scope: "customer_kb" }, 400, "ids"],
      [{ external_ids: ["a"] }, 400, "scope"],
      [{ external_ids: ["a"], scope: "public_kb" }, 403, "scope"],
    ] as const) {
      const answer = await remove(key, body);
      expect([answer.status, answer.json.error.param]).toEqual([status, param]);
    }
  });
});
