import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/platform/db/client";
import { call, openai } from "@/lib/testing/api";
import { breakableDatabase } from "@/lib/testing/database-failure";
import { compressedUpload } from "@/lib/testing/document-files";
import {
  lastUsage,
  makeAccount,
  makeKey,
  makeKeyedAccount,
  readMoney,
  setBalance,
} from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const PATH = "/v1/kb/documents";
const handbook =
  "The night shift of ward 7 begins at 21:30. Dr. Amsler leads the zebrafish clinic on Tuesdays.";

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

async function upload(key: string, body: object) {
  return call("POST", PATH, { key, body });
}

/** Uploads a text and waits for its job to end. */
async function ingest(key: string, body: object) {
  const { json } = await upload(key, body);
  const job = await call("GET", `/v1/kb/jobs/${json.job_id}?wait=15`, { key });
  return { ...json, job: job.json };
}

async function ask(key: string, content: string) {
  const completion = await openai(key).chat.completions.create({
    model: "footnote-extract-1",
    messages: [{ role: "user", content }],
    citations: { enabled: true },
  } as never);
  return completion as unknown as {
    choices: { message: { content: string } }[];
    citations: { id: number; document_id: string; scope: string; title: string }[];
  };
}

describe("POST /v1/kb/documents", () => {
  it("ingests a text that an answer then cites", async () => {
    const { key } = await makeKeyedAccount();
    const { status, json } = await upload(key, {
      scope: "customer_kb",
      text: handbook,
      title: "Ward handbook",
    });
    expect(status).toBe(202);
    expect(json).toMatchObject({
      object: "kb.document",
      id: expect.stringMatching(/^doc_/),
      job_id: expect.stringMatching(/^job_/),
      status: "queued",
      deduplicated: false,
    });
    const job = await call("GET", `/v1/kb/jobs/${json.job_id}?wait=15`, { key });
    expect(job.json).toMatchObject({
      object: "kb.job",
      status: "completed",
      document_id: json.id,
      progress: 1,
      attempts: 1,
      error: null,
      report: { pages: null, chunks: 1, characters: handbook.length, warnings: [] },
    });
    const answer = await ask(key, "When does the night shift of ward 7 begin?");
    const source = answer.citations.find(({ document_id }) => document_id === json.id);
    expect(source).toMatchObject({ scope: "customer_kb", title: "Ward handbook" });
    expect(answer.choices[0]?.message.content).toContain(`21:30 [${source?.id}]`);
  });

  it("ingests Markdown with metadata as multipart, and cites its section", async () => {
    const { key } = await makeKeyedAccount();
    const form = new FormData();
    form.set("scope", "customer_kb");
    form.set(
      "file",
      new File(
        [
          "# Zebrafish clinic\n\n## Opening hours\n\nThe zebrafish clinic opens at 07:45 on **Tuesdays**.\n",
        ],
        "clinic.md",
      ),
    );
    form.set("metadata", JSON.stringify({ ward: 7 }));
    form.set("url", "https://intranet.example/clinic");
    form.set("published_at", "2026-03-01");
    const { status, json } = await call("POST", PATH, { key, raw: form });
    expect(status).toBe(202);
    await call("GET", `/v1/kb/jobs/${json.job_id}?wait=15`, { key });
    const found = await call("POST", "/v1/kb/search", {
      key,
      body: { query: "zebrafish clinic opening", sources: ["customer_kb"] },
    });
    expect(found.json.data[0]).toMatchObject({
      document_id: json.id,
      title: "Zebrafish clinic",
      text: "The zebrafish clinic opens at 07:45 on Tuesdays.",
      metadata: {
        ward: 7,
        url: "https://intranet.example/clinic",
        section: "Zebrafish clinic › Opening hours",
        published_at: "2026-03-01",
      },
    });
    expect(found.json.data[0].metadata).not.toHaveProperty("page");
  });

  it("takes a text as a field of a form too, but not beside a file", async () => {
    const { key } = await makeKeyedAccount();
    const form = new FormData();
    form.set("scope", "customer_kb");
    form.set("text", handbook);
    const asForm = await call("POST", PATH, { key, raw: form });
    expect(asForm.status).toBe(202);
    const asJson = await upload(key, { scope: "customer_kb", text: handbook });
    expect(asJson.json).toMatchObject({ id: asForm.json.id, deduplicated: true });
    form.set("file", new File([handbook], "handbook.txt"));
    const both = await call("POST", PATH, { key, raw: form });
    expect(both.json.error).toMatchObject({ code: "invalid_request", param: "text" });
  });

  it("stores identical bytes in a scope once and charges once", async () => {
    const { key, id } = await makeKeyedAccount();
    const first = await ingest(key, { scope: "customer_kb", text: handbook });
    const { balance } = await readMoney(id);
    const second = await upload(key, { scope: "customer_kb", text: handbook });
    expect(second.json).toMatchObject({
      id: first.id,
      job_id: first.job_id,
      status: "completed",
      deduplicated: true,
    });
    expect(await readMoney(id)).toMatchObject({ balance, held: 0n });
  });

  it("charges the tokens of the document when its job is done", async () => {
    const { key, id } = await makeKeyedAccount();
    const { job } = await ingest(key, { scope: "customer_kb", text: handbook.repeat(200) });
    expect(job.report.tokens).toBeGreaterThan(1000);
    expect(await lastUsage(id)).toMatchObject({ kind: "ingest", promptTokens: job.report.tokens });
    const { balance, held, ledgerSum } = await readMoney(id);
    expect([held, ledgerSum]).toEqual([0n, balance]);
    expect(balance).toBe(5_000_000n - BigInt(Math.ceil(job.report.tokens * 0.02)));
  });

  it("extends the hold for a file with more text than its size suggests, or fails without charge", async () => {
    const { form, bytes } = compressedUpload();
    const send = async (key: string) => {
      const { json } = await call("POST", PATH, { key, raw: form });
      return (await call("GET", `/v1/kb/jobs/${json.job_id}?wait=15`, { key })).json;
    };
    const { key, id } = await makeKeyedAccount();
    const job = await send(key);
    const price = BigInt(Math.ceil(job.report.tokens * 0.02));
    expect(job.report.tokens).toBeGreaterThan(2 * bytes);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n - price, held: 0n });
    const poor = await makeKeyedAccount();
    const balance = price - 1n;
    await setBalance(poor.id, Number(balance) / 1e6);
    expect(await send(poor.key)).toMatchObject({
      status: "failed",
      error: { code: "insufficient_balance", message: expect.stringContaining("Add funds") },
    });
    expect(await readMoney(poor.id)).toMatchObject({ balance, held: 0n, openHolds: 0n });
    expect(await db().chunk.count({ where: { accountId: poor.id } })).toBe(0);
  });

  it("fails the job of a binary file with a code and message, and charges nothing", async () => {
    const { key, id } = await makeKeyedAccount();
    const binary = new FormData();
    binary.set("scope", "customer_kb");
    binary.set(
      "file",
      new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13)], "x.txt"),
    );
    const { json } = await call("POST", PATH, { key, raw: binary });
    const job = await call("GET", `/v1/kb/jobs/${json.job_id}?wait=15`, { key });
    expect(job.json).toMatchObject({
      status: "failed",
      error: { code: "unsupported_format", message: expect.any(String) },
    });
    const blank = await ingest(key, { scope: "customer_kb", text: " \n\n " });
    expect(blank.job).toMatchObject({ status: "failed", error: { code: "no_extractable_text" } });
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("rejects an invalid upload and stores nothing", async () => {
    const { key, id } = await makeKeyedAccount({ knowledge_scopes: ["public_kb", "customer_kb"] });
    const cases: [object, number, string, string | null][] = [
      [{ scope: "public_kb", text: "x" }, 403, "insufficient_scope", "scope"],
      [{ scope: "personal_kb", text: "x" }, 403, "insufficient_scope", "scope"],
      [{ scope: "web", text: "x" }, 403, "insufficient_scope", "scope"],
      [{ text: "x" }, 400, "invalid_request", "scope"],
      [{ scope: "customer_kb" }, 400, "invalid_request", "text"],
      [{ scope: "customer_kb", text: 5 }, 400, "invalid_request", "text"],
      [{ scope: "customer_kb", text: "" }, 400, "invalid_request", "text"],
      [{ scope: "customer_kb", text: "x", metadata: [1] }, 400, "invalid_request", "metadata"],
      [
        { scope: "customer_kb", text: "x", url: "javascript:alert(1)" },
        400,
        "invalid_request",
        "url",
      ],
      [
        { scope: "customer_kb", text: "x", published_at: "yesterday" },
        400,
        "invalid_request",
        "published_at",
      ],
      [
        { scope: "customer_kb", text: "x", person: "someone else" },
        400,
        "invalid_request",
        "person",
      ],
    ];
    for (const [body, status, code, param] of cases) {
      const answer = await upload(key, body);
      expect([answer.status, answer.json.error.code, answer.json.error.param]).toEqual([
        status,
        code,
        param,
      ]);
    }
    const twoFiles = new FormData();
    twoFiles.set("scope", "customer_kb");
    twoFiles.append("file", new File(["one"], "1.txt"));
    twoFiles.append("file", new File(["two"], "2.txt"));
    expect((await call("POST", PATH, { key, raw: twoFiles })).json.error.param).toBe("file");
    const noFile = new FormData();
    noFile.set("scope", "customer_kb");
    expect((await call("POST", PATH, { key, raw: noFile })).json.error.param).toBe("file");
    expect(
      (await call("POST", PATH, { key, raw: "x", headers: { "content-type": "text/csv" } })).status,
    ).toBe(415);
    expect(await db().document.count({ where: { accountId: id } })).toBe(0);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });
});

describe("text that the database can't store", () => {
  it("is rejected by field, and a malformed id isn't found", async () => {
    const { key } = await makeKeyedAccount();
    const cases: [object, string][] = [
      [{ title: "a\0b" }, "title"],
      [{ title: "a\ud800b" }, "title"],
      [{ url: "https://a.example/\0" }, "url"],
      [{ metadata: { a: "\0" } }, "metadata"],
      [{ metadata: { "a\0": 1 } }, "metadata"],
      [{ metadata: { a: [{ b: "\udc00" }] } }, "metadata"],
      [{ metadata: { url: "javascript:alert(1)" } }, "metadata"],
      [{ metadata: { char_start: 1 } }, "metadata"],
      [{ published_at: "0000-01-01" }, "published_at"],
    ];
    for (const [fields, param] of cases) {
      const { status, json } = await upload(key, { scope: "customer_kb", text: "x", ...fields });
      expect([status, json.error.param]).toEqual([400, param]);
    }
    const deep = `${'{"a":'.repeat(7000)}1${"}".repeat(7000)}`;
    const form = new FormData();
    form.set("scope", "customer_kb");
    form.set("metadata", deep);
    form.set("file", new File(["x"], "x.txt"));
    const nested = await call("POST", PATH, { key, raw: form });
    expect([nested.status, nested.json.error.param]).toEqual([400, "metadata"]);
    const named = new FormData();
    named.set("scope", "customer_kb");
    named.set("file", new File(["x"], "a\0b.txt"));
    const misnamed = await call("POST", PATH, { key, raw: named });
    expect([misnamed.status, misnamed.json.error.param]).toEqual([400, "file.name"]);
    expect((await call("GET", `${PATH}?after=%00`, { key })).json.error.param).toBe("after");
    for (const path of [`${PATH}/doc_%00`, "/v1/kb/jobs/job_%00"]) {
      expect((await call("GET", path, { key })).status).toBe(404);
    }
    expect((await call("DELETE", `${PATH}/doc_%00`, { key })).status).toBe(404);
  });

  it("is removed from a document", async () => {
    const { key, id } = await makeKeyedAccount();
    const { job } = await ingest(key, { scope: "customer_kb", text: "a\0b" });
    expect(job).toMatchObject({ status: "completed", error: null });
    const chunks = await db().chunk.findMany({ where: { accountId: id }, select: { text: true } });
    expect(chunks.map(({ text }) => text.replace(/[^ab]/g, ""))).toEqual(["ab"]);
  });
});

describe("a job", () => {
  it("uses the new upload's settings when queued again after a failure", async () => {
    const { key } = await makeKeyedAccount();
    const text = " \n\n ";
    const first = await ingest(key, { scope: "customer_kb", text, title: "Old" });
    const second = await ingest(key, {
      scope: "customer_kb",
      text,
      title: "New",
      url: "https://new.example/",
      metadata: { ward: 8 },
    });
    expect(second).toMatchObject({ id: first.id, deduplicated: true });
    expect((await call("GET", `${PATH}/${first.id}`, { key })).json).toMatchObject({
      title: "New",
      url: "https://new.example/",
      metadata: { ward: 8 },
    });
  });

  it("is retried after a temporary failure and charged once", async () => {
    const { key, id } = await makeKeyedAccount();
    const database = await breakableDatabase();
    await database.arm(id, "entry");
    const { json } = await upload(key, { scope: "customer_kb", text: handbook });
    const readJob = async () => (await call("GET", `/v1/kb/jobs/${json.job_id}`, { key })).json;
    const hasFailed = async () => {
      const { status, attempts } = await readJob();
      return status === "queued" && attempts > 0;
    };
    await expect.poll(hasFailed, { timeout: 10_000 }).toBe(true);
    await database.disarm();
    await expect
      .poll(readJob, { timeout: 15_000 })
      .toMatchObject({ status: "completed", error: null });
    expect((await readJob()).attempts).toBeGreaterThan(1);
    const usage = await db().usageRecord.findMany({ where: { accountId: id, kind: "ingest" } });
    expect(usage).toHaveLength(1);
    expect(await readMoney(id)).toMatchObject({ held: 0n });
  });

  it("is canceled and its hold released when its document is deleted while queued", async () => {
    const { key, id } = await makeKeyedAccount();
    const { json } = await upload(key, { scope: "customer_kb", text: handbook });
    await call("DELETE", `${PATH}/${json.id}`, { key });
    await expect
      .poll(async () => (await call("GET", `/v1/kb/jobs/${json.job_id}`, { key })).json.status)
      .toMatch(/cancelled|completed/);
    expect(await readMoney(id)).toMatchObject({ held: 0n });
    expect(await db().chunk.count({ where: { accountId: id } })).toBe(0);
  });
});

describe("personal_kb", () => {
  it("ties documents to the key's person, hidden from other keys and accounts", async () => {
    const { ctx } = await makeAccount();
    const personal = ["public_kb", "personal_kb"] as const;
    const { secret: anna } = await makeKey(ctx, {
      knowledge_scopes: [...personal],
      person: "patient-1",
    });
    const { secret: ben } = await makeKey(ctx, {
      knowledge_scopes: [...personal],
      person: "patient-2",
    });
    const other = await makeAccount();
    const { secret: stranger } = await makeKey(other.ctx, {
      knowledge_scopes: [...personal],
      person: "patient-1",
    });
    const { id, job_id, job } = await ingest(anna, {
      scope: "personal_kb",
      text: "Patient one takes glibberex 40 mg daily.",
    });
    expect(job.status).toBe("completed");
    const search = (key: string) =>
      call("POST", "/v1/kb/search", { key, body: { query: "glibberex dose" } });
    expect((await search(anna)).json.data[0]).toMatchObject({
      scope: "personal_kb",
      document_id: id,
    });
    for (const key of [ben, stranger]) {
      // The others' query has an unknown word, and finds public passages by the other one.
      const { json } = await search(key);
      expect(json.data.map(({ scope }: { scope: string }) => scope)).not.toContain("personal_kb");
      expect((await call("GET", `${PATH}/${id}`, { key })).status).toBe(404);
      expect((await call("GET", `/v1/kb/jobs/${job_id}`, { key })).json.error.code).toBe(
        "not_found",
      );
      expect((await call("DELETE", `${PATH}/${id}`, { key })).status).toBe(404);
      expect((await call("GET", PATH, { key })).json.data).toEqual([]);
    }
    expect((await call("GET", `${PATH}/${id}`, { key: anna })).json.id).toBe(id);
  });
});

describe("documents", () => {
  it("are listed newest first, page by page", async () => {
    const { key } = await makeKeyedAccount();
    const ids: string[] = [];
    for (const text of ["alpha one", "beta two", "gamma three"]) {
      ids.unshift((await ingest(key, { scope: "customer_kb", text })).id);
    }
    const first = await call("GET", `${PATH}?limit=2`, { key });
    expect(first.json).toMatchObject({ object: "list", has_more: true, next_cursor: ids[1] });
    const second = await call("GET", `${PATH}?limit=2&after=${first.json.next_cursor}`, { key });
    expect(
      [...first.json.data, ...second.json.data].map((document: { id: string }) => document.id),
    ).toEqual(ids);
    expect(second.json).toMatchObject({ has_more: false, next_cursor: null });
    expect((await call("GET", `${PATH}?limit=0`, { key })).json.error.param).toBe("limit");
    const repeated = await call("GET", `${PATH}?limit=1&limit=2`, { key });
    expect(repeated).toMatchObject({ status: 400, json: { error: { param: "limit" } } });
  });

  it("disappear from every search and count once deleted", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const kept = await ingest(key, {
      scope: "customer_kb",
      text: "Quorbex is kept in the blue fridge.",
    });
    const { id } = await ingest(key, {
      scope: "customer_kb",
      text: "Quorbex doses are doubled on Sundays.",
    });
    const search = () =>
      call("POST", "/v1/kb/search", { key, body: { query: "quorbex", sources: ["customer_kb"] } });
    expect((await search()).json.data).toHaveLength(2);
    expect((await call("DELETE", `${PATH}/${id}`, { key })).json).toEqual({
      id,
      object: "kb.document",
      deleted: true,
    });
    expect(
      (await search()).json.data.map((found: { document_id: string }) => found.document_id),
    ).toEqual([kept.id]);
    expect((await call("GET", `${PATH}/${id}`, { key })).status).toBe(404);
    const collection = await db().collection.findFirstOrThrow({ where: { accountId } });
    const terms = await db().documentFrequency.findMany({ where: { collectionId: collection.id } });
    expect(collection.chunkCount).toBe(1);
    expect(new Set(terms.map(({ chunkCount }) => chunkCount))).toEqual(new Set([1]));
    expect(await db().chunk.count({ where: { accountId } })).toBe(1);
  });
});
