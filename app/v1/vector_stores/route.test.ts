import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db, execute, transaction } from "@/lib/platform/db/client";
import { call, openai } from "@/lib/testing/api";
import { makeAccount, makeKey, readMoney, setBalance } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

beforeAll(startBackgroundWork);
afterAll(async () => {
  await stopBackgroundWork();
});

const QUICKLY = { pollIntervalMs: 100 };
const COUNTS = { in_progress: 0, completed: 0, failed: 0, cancelled: 0, total: 0 };

async function makeOwner(fields: Parameters<typeof makeKey>[1] = {}) {
  const { ctx } = await makeAccount();
  const { secret } = await makeKey(ctx, fields);
  return { ctx, accountId: ctx.account.id, key: secret, client: openai(secret) };
}

type Client = ReturnType<typeof openai>;

const file = (label: string, content = `The ${label} opens at seven in the morning.`) =>
  toFile(Buffer.from(content), `${label}.txt`);

async function createFile(client: Client, label: string, content?: string): Promise<string> {
  return (await client.files.create({ file: await file(label, content), purpose: "assistants" }))
    .id;
}

async function failure(request: Promise<unknown>) {
  return request.then(
    () => null,
    ({ status, code, param, message }) => ({ status, code, param, message }),
  );
}

/** Without a worker, jobs stay queued. */
async function withoutWorker<T>(work: () => Promise<T>): Promise<T> {
  await stopBackgroundWork();
  try {
    return await work();
  } finally {
    await startBackgroundWork();
  }
}

describe("a vector store with the stock client", () => {
  it("is created, listed, changed and deleted, and its documents stay", async () => {
    const { client, key } = await makeOwner();
    const id = await createFile(client, "pharmacy");
    const store = await client.vectorStores.create({
      ...{ name: "Handbooks", description: "Of all wards", metadata: { ward: "7" } },
      ...{ file_ids: [id], expires_after: { anchor: "last_active_at", days: 3 } },
    });
    expect(store).toMatchObject({
      ...{ object: "vector_store", name: "Handbooks", metadata: { ward: "7" } },
      expires_at: (store.last_active_at ?? 0) + 3 * 86_400,
      file_counts: { total: 1 },
    });
    await client.vectorStores.files.poll(store.id, id, QUICKLY);
    const ready = await client.vectorStores.retrieve(store.id);
    expect(ready).toMatchObject({
      ...{ status: "completed", usage_bytes: 43 + "pharmacy".length - 8 },
      file_counts: { ...COUNTS, completed: 1, total: 1 },
    });
    const listed = await client.vectorStores.list({ order: "asc" });
    expect(listed.data.map((each) => each.id)).toEqual(["public_kb", "customer_kb", store.id]);
    const changed = await client.vectorStores.update(store.id, {
      ...{ name: "Wards", metadata: null, expires_after: null },
    });
    expect(changed).toMatchObject({ name: "Wards", metadata: {}, expires_at: null });
    expect(await client.vectorStores.delete(store.id)).toEqual({
      ...{ id: store.id, object: "vector_store.deleted", deleted: true },
    });
    expect(await failure(client.vectorStores.retrieve(store.id))).toMatchObject({ status: 404 });
    const { json } = await call("GET", `/v1/kb/documents/${id}`, { key });
    expect(json).toMatchObject({ status: "completed", chunks: 1 });
  });

  it("takes a file that its client uploads and waits for, and charges for its text", async () => {
    const { client, accountId } = await makeOwner();
    const store = await client.vectorStores.create({ name: "Rota" });
    const added = await client.vectorStores.files.uploadAndPoll(
      store.id,
      await file("rota"),
      QUICKLY,
    );
    expect(added).toMatchObject({
      ...{ object: "vector_store.file", status: "completed", last_error: null, attributes: {} },
      ...{ vector_store_id: store.id, chunking_strategy: { type: "other" } },
    });
    const { held, balance, ledgerSum } = await readMoney(accountId);
    expect({ held, balance }).toEqual({ held: 0n, balance: ledgerSum });
    expect(await db().usageRecord.count({ where: { accountId, kind: "ingest" } })).toBe(1);
    const { data } = await client.vectorStores.files.content(added.id, {
      vector_store_id: store.id,
    });
    expect(data).toEqual([{ type: "text", text: "The rota opens at seven in the morning." }]);
    const original = await client.files.content(added.id);
    expect(await original.text()).toBe("The rota opens at seven in the morning.");
  });

  it("says why a file failed, and keeps its bytes to try again", async () => {
    const { client } = await makeOwner();
    const store = await client.vectorStores.create({ name: "Scans" });
    const failed = await client.vectorStores.files.uploadAndPoll(
      store.id,
      await file("empty", " \n "),
      QUICKLY,
    );
    expect(failed).toMatchObject({
      status: "failed",
      last_error: { code: "invalid_file", message: expect.stringContaining("no text") },
    });
    expect((await client.vectorStores.retrieve(store.id)).file_counts).toEqual({
      ...{ ...COUNTS, failed: 1, total: 1 },
    });
    const { data } = await client.vectorStores.files.list(store.id, { filter: "failed" });
    expect(data.map(({ id }) => id)).toEqual([failed.id]);
    expect(await client.files.retrieve(failed.id)).toMatchObject({ status: "error" });
    expect(await (await client.files.content(failed.id)).text()).toBe(" \n ");
    const again = await client.vectorStores.files.createAndPoll(
      store.id,
      { file_id: failed.id },
      QUICKLY,
    );
    expect(again.status).toBe("failed");
  });

  it("has attributes that all stores of a document share", async () => {
    const { client, key } = await makeOwner();
    const file_id = await createFile(client, "protocol");
    const [one, two] = await Promise.all([
      client.vectorStores.create({ name: "One" }),
      client.vectorStores.create({ name: "Two" }),
    ]);
    const attributes = { ward: "7", year: 2026, valid: true };
    const added = await client.vectorStores.files.create(one.id, { file_id, attributes });
    expect(added.attributes).toEqual(attributes);
    await client.vectorStores.files.create(two.id, { file_id });
    await client.vectorStores.files.poll(two.id, file_id, QUICKLY);
    await client.vectorStores.files.update(file_id, {
      ...{ vector_store_id: two.id, attributes: { ward: "8" } },
    });
    const seen = await client.vectorStores.files.retrieve(file_id, { vector_store_id: one.id });
    expect(seen.attributes).toEqual({ ward: "8" });
    const { json } = await call("GET", `/v1/kb/documents/${file_id}`, { key });
    expect(json.metadata).toEqual({ ward: "8" });
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`name${at}`, at]));
    const list = { wards: ["7"] };
    for (const wrong of [
      many,
      { nested: {} },
      list,
      { url: "x" },
      { ["n".repeat(65)]: 1 },
      { "": 1 },
    ]) {
      const body = { attributes: wrong };
      const path = `/v1/vector_stores/${one.id}/files/${file_id}`;
      expect((await call("POST", path, { key, body })).status).toBe(400);
    }
  });

  it("has a file once, and loses it in three stores when it is deleted", async () => {
    const { client } = await makeOwner();
    const file_id = await createFile(client, "chapel");
    const stores = await Promise.all(
      ["a", "b", "c"].map((name) => client.vectorStores.create({ name })),
    );
    for (const { id } of [...stores, ...stores]) {
      await client.vectorStores.files.createAndPoll(id, { file_id }, QUICKLY);
    }
    for (const { id } of stores) {
      expect((await client.vectorStores.files.list(id)).data).toHaveLength(1);
    }
    const removed = await client.vectorStores.files.delete(file_id, {
      vector_store_id: stores[0]?.id ?? "",
    });
    expect(removed).toEqual({ id: file_id, object: "vector_store.file.deleted", deleted: true });
    expect((await client.files.retrieve(file_id)).status).toBe("processed");
    await client.files.delete(file_id);
    for (const { id } of stores) {
      expect((await client.vectorStores.retrieve(id)).file_counts).toEqual(COUNTS);
    }
  });

  it("is listed in pages, in both directions", async () => {
    const { client, key } = await makeOwner();
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      ids.push((await client.vectorStores.create({ name })).id);
    }
    const newest = [...ids.toReversed(), "customer_kb", "public_kb"];
    const seen: string[] = [];
    for await (const { id } of client.vectorStores.list({ limit: 2 })) {
      seen.push(id);
    }
    expect(seen).toEqual(newest);
    const before = await client.vectorStores.list({ before: "customer_kb", limit: 2 });
    expect(before.data.map(({ id }) => id)).toEqual(newest.slice(1, 3));
    expect(before.has_more).toBe(true);
    const oldest = await client.vectorStores.list({ before: ids[0] ?? "", order: "asc" });
    expect(oldest.data.map(({ id }) => id)).toEqual(["public_kb", "customer_kb"]);
    expect(oldest.has_more).toBe(false);
    for (const param of ["after", "before"]) {
      const { status, json } = await call("GET", `/v1/vector_stores?${param}=vs_none`, { key });
      expect([status, json.error.param]).toEqual([400, param]);
    }
  });

  it("lists its files in pages", async () => {
    const { client } = await makeOwner();
    const labels = ["a", "b", "c", "d", "e"];
    const ids = await Promise.all(labels.map((label) => createFile(client, label)));
    const store = await client.vectorStores.create({ file_ids: ids });
    const seen: string[] = [];
    for await (const { id } of client.vectorStores.files.list(store.id, { limit: 2 })) {
      seen.push(id);
    }
    expect(seen).toEqual(ids.toSorted().toReversed());
  });
});

describe("a knowledge base as a vector store", () => {
  it("has every document of the account, and takes files", async () => {
    const { client, key } = await makeOwner();
    const body = { scope: "customer_kb", text: "The clinic opens at nine.", metadata: { a: [1] } };
    const { json } = await call("POST", "/v1/kb/documents", { key, body });
    const waiting = await createFile(client, "unused");
    const added = await client.vectorStores.files.uploadAndPoll(
      "customer_kb",
      await file("used"),
      QUICKLY,
    );
    await client.vectorStores.files.poll("customer_kb", json.id, QUICKLY);
    const { data } = await client.vectorStores.files.list("customer_kb", { order: "asc" });
    expect(data.map(({ id }) => id)).toEqual([json.id, added.id]);
    expect(data[0]?.attributes).toEqual({});
    expect(await client.vectorStores.retrieve("customer_kb")).toMatchObject({
      ...{ id: "customer_kb", status: "completed", expires_at: null },
      file_counts: { ...COUNTS, completed: 2, total: 2 },
    });
    const unused = client.vectorStores.files.retrieve(waiting, { vector_store_id: "customer_kb" });
    expect(await failure(unused)).toMatchObject({ status: 404, param: "file_id" });
  });

  it("can't be deleted, changed or emptied, and the public one not written", async () => {
    const { client } = await makeOwner();
    const id = await createFile(client, "note");
    await client.vectorStores.files.createAndPoll("customer_kb", { file_id: id }, QUICKLY);
    const refused = [
      client.vectorStores.delete("customer_kb"),
      client.vectorStores.update("public_kb", { name: "Mine" }),
      client.vectorStores.files.delete(id, { vector_store_id: "customer_kb" }),
    ];
    for (const failed of await Promise.all(refused.map(failure))) {
      expect(failed).toMatchObject({ status: 400, param: "vector_store_id" });
    }
    const adding = client.vectorStores.files.create("public_kb", { file_id: id });
    expect(await failure(adding)).toMatchObject({ status: 403, code: "insufficient_scope" });
  });
});

describe("a batch of files", () => {
  it("is uploaded and waited for by the stock client", async () => {
    const { client } = await makeOwner();
    const store = await client.vectorStores.create({ name: "Batch" });
    const known = await createFile(client, "known");
    const batch = await client.vectorStores.fileBatches.uploadAndPoll(
      store.id,
      { files: [await file("one"), await file("two"), await file("bad", " ")], fileIds: [known] },
      QUICKLY,
    );
    expect(batch).toMatchObject({
      ...{ object: "vector_store.files_batch", vector_store_id: store.id, status: "completed" },
      file_counts: { ...COUNTS, completed: 3, failed: 1, total: 4 },
    });
    const params = { vector_store_id: store.id };
    const listed = await client.vectorStores.fileBatches.listFiles(batch.id, {
      ...{ ...params, filter: "failed" },
    });
    expect(listed.data).toMatchObject([{ status: "failed", vector_store_id: store.id }]);
    expect(await client.vectorStores.fileBatches.retrieve(batch.id, params)).toEqual(batch);
    const elsewhere = { vector_store_id: "customer_kb" };
    const misplaced = client.vectorStores.fileBatches.retrieve(batch.id, elsewhere);
    expect(await failure(misplaced)).toMatchObject({ status: 404, param: "batch_id" });
  });

  it("gives each of its files attributes of its own", async () => {
    const { client } = await makeOwner();
    const [a = "", b = ""] = [await createFile(client, "a"), await createFile(client, "b")];
    const files = [{ file_id: a, attributes: { n: 1 } }, { file_id: b }];
    await client.vectorStores.fileBatches.createAndPoll("customer_kb", { files }, QUICKLY);
    const { data } = await client.vectorStores.files.list("customer_kb", { order: "asc" });
    expect(data.map(({ attributes }) => attributes)).toEqual([{ n: 1 }, {}]);
  });

  it("is canceled with its jobs, once or twice, and can be tried again", async () => {
    const { client, accountId } = await makeOwner();
    const ids = await Promise.all(["a", "b"].map((label) => createFile(client, label)));
    const store = await client.vectorStores.create({ name: "Canceled" });
    const params = { vector_store_id: store.id };
    await withoutWorker(async () => {
      const { id } = await client.vectorStores.fileBatches.create(store.id, { file_ids: ids });
      const canceling = [0, 1].map(() => client.vectorStores.fileBatches.cancel(id, params));
      for (const batch of await Promise.all(canceling)) {
        expect(batch).toMatchObject({ file_counts: { ...COUNTS, cancelled: 2, total: 2 } });
      }
      const batch = await client.vectorStores.fileBatches.retrieve(id, params);
      expect(batch.status).toBe("cancelled");
      const { held, balance, ledgerSum } = await readMoney(accountId);
      expect({ held, balance }).toEqual({ held: 0n, balance: ledgerSum });
    });
    const again = await client.vectorStores.fileBatches.createAndPoll(
      store.id,
      { file_ids: ids },
      QUICKLY,
    );
    expect(again.file_counts).toEqual({ ...COUNTS, completed: 2, total: 2 });
  });

  it("is canceled while its files are processed, and each ends in one state", async () => {
    const { client, accountId } = await makeOwner();
    const labels = Array.from({ length: 12 }, (_, index) => `race ${index}`);
    const file_ids = await Promise.all(labels.map((label) => createFile(client, label)));
    const store = await client.vectorStores.create({});
    const params = { vector_store_id: store.id };
    const { fileBatches } = client.vectorStores;
    const { id } = await fileBatches.create(store.id, { file_ids });
    const counts = async () => (await fileBatches.retrieve(id, params)).file_counts;
    await expect.poll(async () => (await counts()).completed).toBeGreaterThan(0);
    await Promise.all([0, 1, 2].map(() => fileBatches.cancel(id, params)));
    await expect.poll(async () => (await counts()).in_progress).toBe(0);
    const file_counts = await counts();
    expect(file_counts.completed + file_counts.cancelled).toBe(12);
    const { held, openHolds, balance, ledgerSum } = await readMoney(accountId);
    expect({ held, openHolds, balance }).toEqual({ held: 0n, openHolds: 0n, balance: ledgerSum });
  });

  it("is bounded, and adds nothing if a file of it isn't there", async () => {
    const { client, accountId } = await makeOwner();
    const id = await createFile(client, "a");
    const store = await client.vectorStores.create({});
    const { fileBatches } = client.vectorStores;
    const many = Array.from({ length: 10_000 }, () => id);
    expect(await failure(fileBatches.create(store.id, { file_ids: many }))).toMatchObject({
      ...{ status: 400, param: "file_ids", message: expect.stringContaining("500") },
    });
    for (const body of [{}, { file_ids: [] }]) {
      expect(await failure(fileBatches.create(store.id, body))).toMatchObject({ status: 400 });
    }
    const file_ids = [id, "doc_missing"];
    expect(await failure(fileBatches.create(store.id, { file_ids }))).toMatchObject({
      ...{ status: 404, param: "file_ids.1" },
    });
    expect(await db().job.count({ where: { accountId } })).toBe(0);
    expect((await client.vectorStores.retrieve(store.id)).file_counts).toEqual(COUNTS);
  });

  it("has a file once that it names twice, also while others are added", async () => {
    const { client, accountId } = await makeOwner();
    const ids = await Promise.all(["a", "b", "c"].map((label) => createFile(client, label)));
    const store = await client.vectorStores.create({});
    await Promise.all(
      [0, 1, 2].map(() =>
        client.vectorStores.fileBatches.createAndPoll(
          store.id,
          { file_ids: [...ids, ...ids] },
          QUICKLY,
        ),
      ),
    );
    expect(await db().job.count({ where: { accountId } })).toBe(3);
    expect((await client.vectorStores.retrieve(store.id)).file_counts.completed).toBe(3);
    const { held, openHolds } = await readMoney(accountId);
    expect({ held, openHolds }).toEqual({ held: 0n, openHolds: 0n });
  });
});

describe("a vector store that can't be used", () => {
  it("hides another account's and another person's", async () => {
    const { client, ctx } = await makeOwner();
    const personalKey = await makeKey(ctx, { knowledge_scopes: ["personal_kb"] });
    const personal = openai(personalKey.secret);
    const id = await createFile(client, "rota");
    const { id: own } = await client.vectorStores.create({ file_ids: [id] });
    const { id: diary } = await personal.vectorStores.create({ name: "Diary" });
    const patient = await makeKey(ctx, { knowledge_scopes: ["personal_kb"], person: "patient-1" });
    const stranger = await makeOwner();
    for (const [other, store] of [
      [stranger.client, own],
      [personal, own],
      [client, diary],
      [openai(patient.secret), diary],
    ] as const) {
      const { vectorStores } = other;
      const requests = [
        vectorStores.retrieve(store),
        vectorStores.update(store, { name: "Mine" }),
        vectorStores.delete(store),
        vectorStores.files.list(store),
        vectorStores.files.retrieve(id, { vector_store_id: store }),
        vectorStores.files.create(store, { file_id: id }),
        vectorStores.fileBatches.create(store, { file_ids: [id] }),
      ];
      for (const failed of await Promise.all(requests.map(failure))) {
        expect(failed).toMatchObject({ status: 404, param: "vector_store_id" });
      }
    }
    const listed = await stranger.client.vectorStores.list();
    expect(listed.data.map((store) => store.id)).toEqual(["customer_kb", "public_kb"]);
    const stolen = stranger.client.vectorStores.create({ file_ids: [id] });
    expect(await failure(stolen)).toMatchObject({ status: 404, param: "file_ids.0" });
    expect(await db().vectorStore.count({ where: { accountId: stranger.accountId } })).toBe(0);
  });

  it("isn't found once it is deleted, nor is a deleted file", async () => {
    const { client } = await makeOwner();
    const [id, gone] = [await createFile(client, "rota"), await createFile(client, "gone")];
    await client.files.delete(gone);
    const { id: store } = await client.vectorStores.create({ file_ids: [id] });
    const { vectorStores } = client;
    for (const file_id of [gone, "doc_none", "../x", "vs_1"]) {
      const adding = vectorStores.files.create(store, { file_id });
      expect(await failure(adding)).toMatchObject({ status: 404, param: "file_id" });
    }
    const creating = vectorStores.create({ file_ids: [id, gone] });
    expect(await failure(creating)).toMatchObject({ status: 404, param: "file_ids.1" });
    await vectorStores.delete(store);
    const requests = [
      vectorStores.retrieve(store),
      vectorStores.update(store, { name: "Again" }),
      vectorStores.delete(store),
      vectorStores.search(store, { query: "rota" }),
      vectorStores.files.list(store),
      vectorStores.files.create(store, { file_id: id }),
      vectorStores.files.update(id, { vector_store_id: store, attributes: {} }),
      vectorStores.files.content(id, { vector_store_id: store }),
      vectorStores.files.delete(id, { vector_store_id: store }),
      vectorStores.fileBatches.create(store, { file_ids: [id] }),
    ];
    for (const failed of await Promise.all(requests.map(failure))) {
      expect(failed).toMatchObject({ status: 404, param: "vector_store_id" });
    }
  });

  it("holds at most 10,000 files", async () => {
    const { client, accountId } = await makeOwner();
    const { id } = await client.vectorStores.create({});
    const file_id = await createFile(client, "last");
    await transaction(async (tx) => {
      // Without triggers, which would take ten seconds.
      await tx.exec("SET LOCAL session_replication_role = replica");
      await tx.execute(
        `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash)
         SELECT 'doc_full' || n || right($1, 10), 'customer_kb:' || $1, $1, 'customer_kb', 'Full', 'note', 'text/plain', 1, decode(md5(n::text), 'hex')
           FROM generate_series(1, 10000) AS n`,
        [accountId],
      );
      await tx.execute(
        `INSERT INTO vector_store_file (store_id, account_id, document_id)
         SELECT $2, account_id, id FROM document WHERE account_id = $1 AND title = 'Full'`,
        [accountId, id],
      );
    });
    const adding = client.vectorStores.files.create(id, { file_id });
    expect(await failure(adding)).toMatchObject({
      ...{ status: 409, code: "conflict", message: expect.stringContaining("10000 files") },
    });
    expect(await db().job.count({ where: { accountId } })).toBe(0);
    expect((await readMoney(accountId)).openHolds).toBe(0n);
  });

  it("takes no file of another knowledge base", async () => {
    const { ctx } = await makeOwner();
    const scopes = ["customer_kb", "personal_kb"] as ("customer_kb" | "personal_kb")[];
    const { secret: key } = await makeKey(ctx, { knowledge_scopes: scopes });
    const client = openai(key);
    const id = await createFile(client, "rota");
    const body = { name: "Mine", scope: "personal_kb" };
    const { json } = await call("POST", "/v1/vector_stores", { key, body });
    expect(json.scope).toBe("personal_kb");
    const adding = client.vectorStores.files.create(json.id, { file_id: id });
    expect(await failure(adding)).toMatchObject({
      ...{ status: 400, param: "file_id", message: expect.stringContaining("Upload it again") },
    });
  });

  it("expires when it wasn't used, takes nothing then, and keeps its documents", async () => {
    const { client } = await makeOwner();
    const id = await createFile(client, "rota");
    const store = await client.vectorStores.create({
      ...{ file_ids: [id], expires_after: { anchor: "last_active_at", days: 1 } },
    });
    await client.vectorStores.files.poll(store.id, id, QUICKLY);
    const past =
      "UPDATE vector_store SET last_active_at = now() - interval '25 hours' WHERE id = $1";
    await execute(past, [store.id]);
    expect((await client.vectorStores.retrieve(store.id)).status).toBe("expired");
    const adding = client.vectorStores.files.create(store.id, { file_id: id });
    expect(await failure(adding)).toMatchObject({
      ...{ status: 404, message: expect.stringContaining("expired") },
    });
    expect((await client.files.retrieve(id)).status).toBe("processed");
    await client.vectorStores.update(store.id, {
      expires_after: { anchor: "last_active_at", days: 2 },
    });
    expect((await client.vectorStores.files.create(store.id, { file_id: id })).status).toBe(
      "completed",
    );
  });

  it("lets its files' jobs go on when it is deleted", async () => {
    const { client, key } = await makeOwner();
    const id = await createFile(client, "rota");
    const store = await withoutWorker(async () => {
      const created = await client.vectorStores.create({ file_ids: [id] });
      expect(created.status).toBe("in_progress");
      await client.vectorStores.delete(created.id);
      return created;
    });
    await client.vectorStores.files.poll("customer_kb", id, QUICKLY);
    const { json } = await call("GET", `/v1/kb/documents/${id}`, { key });
    expect(json).toMatchObject({ status: "completed", chunks: 1 });
    expect(await failure(client.vectorStores.retrieve(store.id))).toMatchObject({ status: 404 });
  });

  it("loses a file that is deleted while its job waits, with what was held for it", async () => {
    const { client, accountId } = await makeOwner();
    const file_id = await createFile(client, "rota");
    const stores = await Promise.all(
      ["a", "b", "c"].map((name) => client.vectorStores.create({ name })),
    );
    await withoutWorker(async () => {
      for (const { id } of stores) {
        const added = await client.vectorStores.files.create(id, { file_id });
        expect(added.status).toBe("in_progress");
      }
      await client.files.delete(file_id);
      for (const { id } of stores) {
        expect((await client.vectorStores.retrieve(id)).file_counts).toEqual(COUNTS);
      }
      const { held, openHolds, balance, ledgerSum } = await readMoney(accountId);
      expect({ held, openHolds, balance }).toEqual({ held: 0n, openHolds: 0n, balance: ledgerSum });
    });
    expect(await failure(client.files.retrieve(file_id))).toMatchObject({ status: 404 });
  });

  it("adds nothing that the account can't pay for", async () => {
    const { client, accountId } = await makeOwner();
    const id = await createFile(client, "rota");
    await setBalance(accountId, 0);
    const creating = client.vectorStores.create({ file_ids: [id] });
    expect(await failure(creating)).toMatchObject({ status: 402, code: "insufficient_balance" });
    const { vectorStore, vectorStoreFile } = db();
    expect(await vectorStore.count({ where: { accountId } })).toBe(0);
    expect(await vectorStoreFile.count({ where: { accountId } })).toBe(0);
    expect((await readMoney(accountId)).openHolds).toBe(0n);
  });

  it("refuses what it can't do in words", async () => {
    const { client, key } = await makeOwner();
    const file_id = await createFile(client, "rota");
    const small = {
      type: "static",
      static: { max_chunk_size_tokens: 100, chunk_overlap_tokens: 20 },
    } as const;
    const refused = await failure(client.vectorStores.create({ chunking_strategy: small }));
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining("400 tokens") });
    const large = { ...small, static: { max_chunk_size_tokens: 800, chunk_overlap_tokens: 400 } };
    for (const chunking_strategy of [large, { type: "auto" }] as const) {
      await client.vectorStores.files.create("customer_kb", { file_id, chunking_strategy });
    }
    const wrong = [
      { name: "n".repeat(257) },
      { metadata: { a: 1 } },
      { expires_after: { anchor: "created_at", days: 1 } },
      { expires_after: { anchor: "last_active_at", days: 366 } },
      { unknown: 1 },
      { name: "a\0b" },
    ];
    for (const body of wrong) {
      const { status } = await call("POST", "/v1/vector_stores", { key, body });
      expect({ body, status }).toEqual({ body, status: 400 });
    }
    const { status } = await call("POST", "/v1/vector_stores", {
      key,
      body: { scope: "public_kb" },
    });
    expect(status).toBe(403);
  });

  it("is read with either scope, and written with the documents' own", async () => {
    const { ctx, client } = await makeOwner();
    const { id } = await client.vectorStores.create({});
    const searcher = openai((await makeKey(ctx, { scopes: ["kb:search"] })).secret);
    const reader = openai((await makeKey(ctx, { scopes: ["kb:documents:read"] })).secret);
    for (const { vectorStores } of [searcher, reader]) {
      expect((await vectorStores.retrieve(id)).id).toBe(id);
      expect((await vectorStores.files.list(id)).data).toEqual([]);
      expect(await failure(vectorStores.delete(id))).toMatchObject({ status: 403 });
    }
    const other = openai((await makeKey(ctx, { scopes: ["chat:completions"] })).secret);
    expect(await failure(other.vectorStores.list())).toMatchObject({ status: 403 });
  });
});
