import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeUploadThread } from "@/lib/library/documents/receive/upload-thread";
import { db } from "@/lib/platform/db/client";
import { call, openai } from "@/lib/testing/api";
import { makeAccount, makeKey, readMoney } from "@/lib/testing/factories";
import { setLimit } from "@/lib/testing/set-limit";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

beforeAll(startBackgroundWork);
afterAll(async () => {
  await stopBackgroundWork();
  await closeUploadThread();
});

async function makeOwner(fields: Parameters<typeof makeKey>[1] = {}) {
  const { ctx } = await makeAccount();
  const { secret } = await makeKey(ctx, fields);
  return { ctx, accountId: ctx.account.id, key: secret, client: openai(secret) };
}

type Client = ReturnType<typeof openai>;

const text = (label: string) => `The ${label} opens at seven in the morning.`;

async function createFile(client: Client, label: string, name = `${label}.txt`) {
  return client.files.create({
    file: await toFile(Buffer.from(text(label)), name),
    purpose: "assistants",
  });
}

async function failure(request: Promise<unknown>) {
  return request.then(
    () => null,
    ({ status, code, param, message }) => ({ status, code, param, message }),
  );
}

describe("a file with the stock client", () => {
  it("is stored without being indexed or charged", async () => {
    const { client, accountId, key } = await makeOwner();
    const file = await createFile(client, "pharmacy");
    expect(file).toMatchObject({
      ...{ object: "file", filename: "pharmacy.txt", purpose: "assistants", status: "processed" },
      ...{ bytes: text("pharmacy").length, created_at: expect.any(Number) },
    });
    expect(await client.files.retrieve(file.id)).toEqual(file);
    expect(await (await client.files.content(file.id)).text()).toBe(text("pharmacy"));
    const { json } = await call("GET", `/v1/kb/documents/${file.id}`, { key });
    expect(json).toMatchObject({ status: "uploaded", chunks: 0, job_id: null });
    expect(await db().job.count({ where: { accountId } })).toBe(0);
    const { held, balance, ledgerSum } = await readMoney(accountId);
    expect({ held, balance }).toEqual({ held: 0n, balance: ledgerSum });
  });

  it("is the same file when its bytes are sent again", async () => {
    const { client } = await makeOwner();
    const first = await createFile(client, "ward");
    expect((await createFile(client, "ward", "other.txt")).id).toBe(first.id);
  });

  it("becomes a document when its bytes are uploaded as one", async () => {
    const { client, key } = await makeOwner();
    const { id } = await createFile(client, "library");
    const body = { scope: "customer_kb", text: text("library") };
    const { json } = await call("POST", "/v1/kb/documents", { key, body });
    expect(json).toMatchObject({ id, deduplicated: true });
    await call("GET", `/v1/kb/jobs/${json.job_id}?wait=30`, { key });
    expect(await client.files.retrieve(id)).toMatchObject({ status: "processed" });
    const document = await call("GET", `/v1/kb/documents/${id}`, { key });
    expect(document.json).toMatchObject({ status: "completed", chunks: 1 });
  });

  it("is listed by purpose and in pages, in both directions", async () => {
    const { client, key } = await makeOwner();
    const ids: string[] = [];
    for (const label of ["a", "b", "c", "d", "e"]) {
      ids.push((await createFile(client, label)).id);
    }
    const { json } = await call("POST", "/v1/kb/documents", {
      key,
      body: { scope: "customer_kb", text: text("f") },
    });
    const seen: string[] = [];
    for await (const { id } of client.files.list({ limit: 2, purpose: "assistants" })) {
      seen.push(id);
    }
    expect(seen).toEqual(ids.toReversed());
    const all = await client.files.list({ order: "asc" });
    expect(all.data.map(({ id }) => id)).toEqual([...ids, json.id]);
    const path = `/v1/files?order=asc&limit=2&before=${ids[3]}`;
    const before = await call("GET", path, { key });
    expect(before.json.data.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[2]]);
    expect(before.json).toMatchObject({ first_id: ids[1], last_id: ids[2], has_more: true });
    expect((await client.files.list({ limit: 10_000 })).data).toHaveLength(6);
  });

  it("is deleted with its document", async () => {
    const { client, accountId } = await makeOwner();
    const { id } = await createFile(client, "theatre");
    expect(await client.files.delete(id)).toEqual({ id, object: "file", deleted: true });
    expect(await failure(client.files.retrieve(id))).toMatchObject({ status: 404 });
    expect(await failure(client.files.delete(id))).toMatchObject({ status: 404 });
    expect(await db().documentUpload.count({ where: { accountId } })).toBe(0);
  });

  it("is received in slices when it is large, and read in ranges", async () => {
    const { client, accountId } = await makeOwner();
    const bytes = Buffer.from("0123456789abcdef".repeat(150_000));
    const { id } = await client.files.create({
      file: await toFile(bytes, "large.txt"),
      purpose: "user_data",
    });
    const content = Buffer.from(await (await client.files.content(id)).arrayBuffer());
    expect(content.equals(bytes)).toBe(true);
    const part = await client.files.content(id, { headers: { range: "bytes=16-19" } });
    expect(await part.text()).toBe("0123");
    await client.files.delete(id);
    expect(await db().uploadSlice.count({ where: { accountId } })).toBe(0);
    expect(await db().upload.count({ where: { accountId } })).toBe(0);
  });
});

describe("a completed upload", () => {
  it("is a file that can be retrieved", async () => {
    const { client } = await makeOwner();
    const bytes = Buffer.from(text("archive"));
    const fields = { filename: "archive.txt", mime_type: "text/plain" };
    const upload = await client.uploads.create({
      ...{ ...fields, bytes: bytes.length, purpose: "assistants" },
    });
    const part = await client.uploads.parts.create(upload.id, { data: await toFile(bytes, "p") });
    const { file } = await client.uploads.complete(upload.id, { part_ids: [part.id] });
    expect(await client.files.retrieve(file?.id ?? "")).toMatchObject({
      ...{ id: file?.id, filename: "archive.txt", bytes: bytes.length, purpose: "assistants" },
    });
  });
});

describe("a request for files", () => {
  it("never finds another account's or person's file", async () => {
    const owner = await makeOwner();
    const personal = await makeKey(owner.ctx, { knowledge_scopes: ["personal_kb"] });
    const { id } = await createFile(openai(personal.secret), "diary");
    const company = await createFile(owner.client, "rota");
    const stranger = await makeOwner();
    for (const [client, hidden] of [
      [owner.client, id],
      [stranger.client, company.id],
    ] as const) {
      expect(await failure(client.files.retrieve(hidden))).toMatchObject({ status: 404 });
      expect(await failure(client.files.content(hidden))).toMatchObject({ status: 404 });
      expect(await failure(client.files.delete(hidden))).toMatchObject({ status: 404 });
    }
    expect((await owner.client.files.list()).data.map((file) => file.id)).toEqual([company.id]);
    const { data } = await openai(personal.secret).files.list();
    expect(data.map((file) => file.id)).toEqual([id]);
  });

  it("is refused with a reason for an unknown purpose, an empty file and a public knowledge base", async () => {
    const { client, key } = await makeOwner();
    const file = await toFile(Buffer.from("text"), "a.txt");
    expect(await failure(client.files.create({ file, purpose: "batch" }))).toMatchObject({
      ...{ status: 400, param: "purpose", message: expect.stringContaining("user_data") },
    });
    const empty = await toFile(Buffer.from(""), "a.txt");
    expect(await failure(client.files.create({ file: empty, purpose: "user_data" }))).toMatchObject(
      { status: 400, param: "file" },
    );
    const form = new FormData();
    form.set("file", new File(["text"], "a.txt"));
    form.set("purpose", "user_data");
    form.set("scope", "public_kb");
    const { status } = await call("POST", "/v1/files", { key, raw: form });
    expect(status).toBe(403);
  });

  it("can't store more than an account's originals may take up", async () => {
    const { client } = await makeOwner();
    await createFile(client, "first");
    setLimit("MAX_ORIGINAL_BYTES_PER_ACCOUNT", 100);
    const full = await failure(createFile(client, `second ${"x".repeat(100)}`));
    expect(full).toMatchObject({ status: 409, code: "conflict", param: "file" });
  });
});
