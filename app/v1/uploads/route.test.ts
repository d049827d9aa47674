import { createHash } from "node:crypto";
import type OpenAI from "openai";
import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeUploadThread } from "@/lib/library/documents/receive/upload-thread";
import { deleteExpiredUploads } from "@/lib/library/documents/write/upload-slices";
import { db, query } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { countUploads } from "@/lib/platform/limits/uploads-in-flight";
import { call, dispatch, openai } from "@/lib/testing/api";
import { makeAccount, makeKey, setBalance } from "@/lib/testing/factories";
import { setLimit } from "@/lib/testing/set-limit";
import { slowUpload } from "@/lib/testing/slow-upload";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const MEGABYTE = 1024 * 1024;

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

/** A page of 2.5 MB with little text, and its parts, cut anywhere. */
function pageInParts(label: string): { file: Buffer; parts: Buffer[] } {
  const hidden = "0123456789abcdef".repeat((2.5 * MEGABYTE) / 16);
  const file = Buffer.from(
    `<html><body><p>The ${label} opens at seven.</p><!-- ${hidden} --></body></html>`,
  );
  const cuts = [0, 1.2 * MEGABYTE, 1.3 * MEGABYTE, file.length].map(Math.floor);
  const parts = cuts.slice(1).map((end, at) => file.subarray(cuts[at], end));
  return { file, parts };
}

function create(client: OpenAI, bytes: number, filename = "page.html") {
  return client.uploads.create({ bytes, filename, mime_type: "text/html", purpose: "assistants" });
}

async function addPart(client: OpenAI, id: string, bytes: Buffer): Promise<string> {
  return (await client.uploads.parts.create(id, { data: await toFile(bytes, "part") })).id;
}

/** A part with fields that the stock client doesn't know. */
async function sendPart(
  key: string,
  id: string,
  bytes: Buffer,
  fields: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value);
  }
  form.set("data", new File([Uint8Array.from(bytes)], "part"));
  return call("POST", `/v1/uploads/${id}/parts`, { key, raw: form });
}

function complete(key: string, id: string, body: object = {}) {
  return call("POST", `/v1/uploads/${id}/complete`, { key, body });
}

async function countRows(accountId: string) {
  return db().uploadSlice.count({ where: { accountId } });
}

describe("an upload in parts with the stock client", () => {
  it("becomes a document of the parts in the order that completing names", async () => {
    const { accountId, key, client } = await makeOwner();
    const { file, parts } = pageInParts("northern clinic");
    const upload = await create(client, file.length);
    expect(upload).toMatchObject({
      ...{ object: "upload", status: "pending", bytes: file.length, filename: "page.html" },
      ...{ purpose: "assistants", file: null, expires_at: upload.created_at + 3600 },
    });
    const [last = "", first = "", middle = ""] = await Promise.all(
      [parts[2], parts[0], parts[1]].map((part) => addPart(client, upload.id, part as Buffer)),
    );
    const md5 = createHash("md5").update(file).digest("hex");
    const done = (await client.uploads.complete(upload.id, {
      part_ids: [first, middle, last],
      md5,
    })) as OpenAI.Uploads.Upload & { document: { id: string; job_id: string } };
    expect(done).toMatchObject({
      status: "completed",
      file: { object: "file", filename: "page.html", bytes: file.length, status: "uploaded" },
      document: { object: "kb.document", status: "queued", deduplicated: false },
    });
    expect(done.file?.id).toBe(done.document.id);
    const job = await call("GET", `/v1/kb/jobs/${done.document.job_id}?wait=30`, { key });
    expect(job.json.status).toBe("completed");
    const document = await call("GET", `/v1/kb/documents/${done.document.id}`, { key });
    expect(document.json).toMatchObject({
      ...{ scope: "customer_kb", size_bytes: file.length },
      sha256: createHash("sha256").update(file).digest("hex"),
    });
    const headers = { authorization: `Bearer ${key}` };
    const url = `http://localhost:3000/v1/kb/documents/${done.document.id}/content`;
    expect((await (await dispatch(url, { headers })).text()) === file.toString()).toBe(true);
    await call("DELETE", `/v1/kb/documents/${done.document.id}`, { key });
    expect(await countRows(accountId)).toBe(0);
  });

  it("is canceled, and leaves nothing", async () => {
    const { accountId, client } = await makeOwner();
    const upload = await create(client, 10);
    await addPart(client, upload.id, Buffer.from("01234"));
    expect((await client.uploads.cancel(upload.id)).status).toBe("cancelled");
    expect((await client.uploads.cancel(upload.id)).status).toBe("cancelled");
    expect(await countRows(accountId)).toBe(0);
    await expect(addPart(client, upload.id, Buffer.from("56789"))).rejects.toMatchObject({
      status: 409,
    });
    await expect(
      client.uploads.complete(upload.id, { part_ids: ["part_1"] }),
    ).rejects.toMatchObject({
      status: 409,
    });
  });
});

describe("POST /v1/uploads/{id}/parts", () => {
  it("replaces a part that is sent again with its number, and GET lists what has arrived", async () => {
    const { accountId, key, client } = await makeOwner();
    const text = "The ward opens at seven o'clock.";
    const { id } = await create(client, text.length, "ward.txt");
    await sendPart(key, id, Buffer.from(text.slice(10)), { part_number: "2" });
    await sendPart(key, id, Buffer.from("damaged"), { part_number: "1" });
    const again = await sendPart(key, id, Buffer.from(text.slice(0, 10)), { part_number: "1" });
    const { json } = await call("GET", `/v1/uploads/${id}`, { key });
    expect(json.parts).toMatchObject([
      { id: again.json.id, object: "upload.part", upload_id: id, part_number: 1, bytes: 10 },
      { part_number: 2, bytes: text.length - 10 },
    ]);
    const done = await complete(key, id, { title: "Ward", metadata: { floor: 7 } });
    expect([done.status, await countRows(accountId)]).toEqual([200, 2]);
    const document = await call("GET", `/v1/kb/documents/${done.json.document.id}`, { key });
    expect(document.json).toMatchObject({ title: "Ward", metadata: { floor: 7 } });
  });

  it("rejects damaged, empty, missing and too large ones, which leave nothing", async () => {
    const { accountId, key, client } = await makeOwner();
    const { id } = await create(client, 10);
    const statuses = [
      await sendPart(key, id, Buffer.from("01234"), { sha256: "0".repeat(64) }),
      await sendPart(key, id, Buffer.from("")),
      await sendPart(key, id, Buffer.from("01234"), { part_number: "0" }),
      await sendPart(key, id, Buffer.from("01234"), { other: "x" }),
      await sendPart(key, id, Buffer.from("0123456789a")),
      await call("POST", `/v1/uploads/${id}/parts`, { key, body: { data: "x" } }),
    ].map(({ status, json }) => [status, json.error.param]);
    expect(statuses).toEqual([
      ...[
        [400, "sha256"],
        [400, "data"],
        [400, "part_number"],
        [400, "other"],
        [413, "data"],
      ],
      [415, null],
    ]);
    expect([await countRows(accountId), countUploads()]).toEqual([0, 0]);
  });

  it("stops storing at twice the size of the upload", async () => {
    const { key, client } = await makeOwner();
    const { id } = await create(client, MEGABYTE);
    const part = Buffer.alloc(MEGABYTE, "text ");
    expect((await sendPart(key, id, part)).status).toBe(200);
    expect((await sendPart(key, id, part)).status).toBe(200);
    const { status, json } = await sendPart(key, id, part);
    expect([status, json.error.code]).toEqual([413, "payload_too_large"]);
  });

  it("leaves nothing of a part whose client disconnects", async () => {
    const { accountId, key, client } = await makeOwner();
    const { id } = await create(client, 4 * MEGABYTE);
    const slow = slowUpload(key, { path: `/v1/uploads/${id}/parts` });
    const head = '--x\r\nContent-Disposition: form-data; name="data"; filename="a"\r\n\r\n';
    slow.send(head);
    for (let sent = 0; sent < 40; sent += 1) {
      slow.send(Buffer.alloc(65_536, "text "));
    }
    await expect.poll(() => countRows(accountId)).toBe(2);
    slow.fail();
    await slow.answer.catch(() => {});
    // A server notices it a little later.
    await expect.poll(async () => [await countRows(accountId), countUploads()]).toEqual([0, 0]);
    expect((await call("GET", `/v1/uploads/${id}`, { key })).json).toMatchObject({
      ...{ status: "pending", parts: [] },
    });
  });
});

describe("POST /v1/uploads/{id}/complete", () => {
  it("rejects missing, unknown, repeated and unordered parts, and another size or checksum", async () => {
    const { accountId, key, client } = await makeOwner();
    const { id } = await create(client, 10);
    const first = await addPart(client, id, Buffer.from("01234"));
    const second = await addPart(client, id, Buffer.from("56789"));
    const bodies = [
      { part_ids: [first] },
      { part_ids: [first, "part_unknown"] },
      { part_ids: [first, first] },
      {},
      { part_ids: [first, second], md5: "0".repeat(32) },
      { part_ids: [first, second], sha256: "0".repeat(64) },
      { part_ids: [first, second], scope: "personal_kb" },
    ];
    const outcomes: unknown[] = [];
    for (const body of bodies) {
      const { status, json } = await complete(key, id, body);
      outcomes.push([status, json.error.param]);
    }
    expect(outcomes).toEqual([
      ...[
        [400, "part_ids"],
        [400, "part_ids.1"],
        [400, "part_ids"],
        [400, "part_ids"],
      ],
      ...[
        [400, "md5"],
        [400, "sha256"],
        [403, "scope"],
      ],
    ]);
    expect(await countRows(accountId)).toBe(2);
    expect((await complete(key, id, { part_ids: [second, first] })).status).toBe(200);
  });

  it("returns the same document again, also for two at the same time, charged once", async () => {
    const { accountId, key, client } = await makeOwner();
    const { id } = await create(client, 10, "a.txt");
    const part_ids = [await addPart(client, id, Buffer.from("A new ward"))];
    const answers = await Promise.all([1, 2].map(() => complete(key, id, { part_ids })));
    answers.push(await complete(key, id, { part_ids }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ json }) => json.document.id)).size).toBe(1);
    expect(await db().job.count({ where: { accountId } })).toBe(1);
  });

  it("stores nothing if the document is there already", async () => {
    const { accountId, key, client } = await makeOwner();
    const text = "The northern ward opens at seven.";
    const there = await call("POST", "/v1/kb/documents", {
      key,
      body: { scope: "customer_kb", text },
    });
    const { id } = await create(client, text.length);
    const part_ids = [await addPart(client, id, Buffer.from(text))];
    const { json } = await complete(key, id, { part_ids });
    expect(json.document).toMatchObject({ id: there.json.id, deduplicated: true });
    expect(await countRows(accountId)).toBe(0);
  });
});

describe("an open upload", () => {
  it("expires after an hour, and is deleted a day later", async () => {
    const { accountId, key, client } = await makeOwner();
    const { id } = await create(client, 10);
    await addPart(client, id, Buffer.from("01234"));
    const expire = (interval: string) =>
      query(
        `test_expire_${interval}`,
        `UPDATE upload SET expires_at = now() - interval '${interval}' WHERE id = $1`,
        [id],
      );
    await expire("1 second");
    expect((await call("GET", `/v1/uploads/${id}`, { key })).json).toMatchObject({
      ...{ status: "expired", parts: [] },
    });
    expect((await sendPart(key, id, Buffer.from("56789"))).status).toBe(409);
    await deleteExpiredUploads();
    expect(await countRows(accountId)).toBe(0);
    await expire("25 hours");
    await deleteExpiredUploads();
    expect((await call("GET", `/v1/uploads/${id}`, { key })).status).toBe(404);
  });

  it("isn't there for another account, or another person's key", async () => {
    const { ctx, client } = await makeOwner();
    const { id } = await create(client, 10);
    const personal = await makeKey(ctx, { knowledge_scopes: ["personal_kb"] });
    const stranger = await makeOwner();
    for (const key of [personal.secret, stranger.key]) {
      const answers = [
        await call("GET", `/v1/uploads/${id}`, { key }),
        await sendPart(key, id, Buffer.from("01234")),
        await complete(key, id, { part_ids: ["part_1"] }),
        await call("POST", `/v1/uploads/${id}/cancel`, { key }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    }
  });

  it("is limited per account in number and bytes, and in size, funds and scope", async () => {
    const { accountId, key, client } = await makeOwner();
    setLimit("MAX_OPEN_UPLOADS_PER_ACCOUNT", 2);
    setLimit("MAX_OPEN_UPLOAD_BYTES_PER_ACCOUNT", 5000);
    const { id } = await create(client, 10);
    await expect(create(client, 4995)).rejects.toMatchObject({ status: 429 });
    await create(client, 4990);
    await expect(create(client, 1)).rejects.toMatchObject({ status: 429 });
    await call("POST", `/v1/uploads/${id}/cancel`, { key });
    await create(client, 1);
    await expect(create(client, env.MAX_UPLOAD_BYTES + 1)).rejects.toMatchObject({ status: 413 });
    await setBalance(accountId, 0);
    await expect(create(client, 1)).rejects.toMatchObject({ status: 402 });
    const reader = await makeOwner({ knowledge_scopes: ["public_kb"] });
    await expect(create(reader.client, 1)).rejects.toMatchObject({ status: 403 });
  });
});
