import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db, query } from "@/lib/platform/db/client";
import { countUploads } from "@/lib/platform/limits/uploads-in-flight";
import { call, dispatch } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { slowUpload } from "@/lib/testing/slow-upload";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";
import { closeUploadThread } from "../receive/upload-thread";
import { deleteExpiredUploads } from "./upload-slices";

const MEGABYTE = 1024 * 1024;
const PATH = "/v1/kb/documents";

beforeAll(startBackgroundWork);
afterAll(async () => {
  await stopBackgroundWork();
  await closeUploadThread();
});

async function makeOwner(knowledge: string[] = ["customer_kb"]) {
  const { ctx } = await makeAccount();
  const { secret } = await makeKey(ctx, { knowledge_scopes: knowledge as never });
  return { accountId: ctx.account.id, key: secret };
}

/** A page of 2.5 MB with little text, so that it is quickly indexed. */
function page(label: string): string {
  const hidden = "0123456789abcdef".repeat((2.5 * MEGABYTE) / 16);
  return `<html><body><p>The ${label} opens at seven.</p><!-- ${hidden} --></body></html>`;
}

function formOf(content: string, fields: Record<string, string> = { scope: "customer_kb" }) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value);
  }
  form.set("file", new File([content], "page.html"));
  return form;
}

async function upload(key: string, content: string) {
  const { status, json } = await call("POST", PATH, { key, raw: formOf(content) });
  expect(status).toBe(202);
  return json as { id: string; job_id: string; deduplicated: boolean };
}

async function endOf(key: string, jobId: string): Promise<string> {
  return (await call("GET", `/v1/kb/jobs/${jobId}?wait=30`, { key })).json.status;
}

async function countRows(accountId: string) {
  const where = { where: { accountId } };
  return { uploads: await db().upload.count(where), slices: await db().uploadSlice.count(where) };
}

const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.html"\r\n\r\n';
const TAIL =
  '\r\n--x\r\nContent-Disposition: form-data; name="scope"\r\n\r\ncustomer_kb\r\n--x--\r\n';

/** Sends so much of a large file that slices are stored. */
async function begin(accountId: string, key: string) {
  const slow = slowUpload(key);
  slow.send(HEAD);
  for (let sent = 0; sent < 40; sent += 1) {
    slow.send(Buffer.alloc(65_536, "<!-- note -->"));
  }
  await expect.poll(() => countRows(accountId)).toEqual({ uploads: 1, slices: 2 });
  return slow;
}

describe("a large upload", () => {
  it("is read from the slices that were stored while it arrived, by its job and later", async () => {
    const { accountId, key } = await makeOwner();
    const content = page("northern clinic");
    const { id, job_id } = await upload(key, content);
    expect(await endOf(key, job_id)).toBe("completed");
    expect(await countRows(accountId)).toEqual({ uploads: 0, slices: 3 });
    expect(await db().documentUpload.findMany({ where: { documentId: id } })).toMatchObject([
      { bytes: null, isOriginal: true, sizeBytes: content.length },
    ]);
    const read = async (range?: string) => {
      const headers = { authorization: `Bearer ${key}`, ...(range && { range }) };
      return (await dispatch(`http://localhost:3000${PATH}/${id}/content`, { headers })).text();
    };
    expect((await read()) === content).toBe(true);
    const across = await read(`bytes=${MEGABYTE - 10}-${2 * MEGABYTE + 10}`);
    expect(across === content.slice(MEGABYTE - 10, 2 * MEGABYTE + 11)).toBe(true);
    const { json } = await call("GET", `${PATH}/${id}`, { key });
    expect(json.sha256).toBe(createHash("sha256").update(content).digest("hex"));
    await call("DELETE", `${PATH}/${id}`, { key });
    expect(await countRows(accountId)).toEqual({ uploads: 0, slices: 0 });
  });

  it("stores nothing if its document is there already, and replaces its old version's file", async () => {
    const { accountId, key } = await makeOwner();
    const first = await upload(key, page("southern clinic"));
    expect(await endOf(key, first.job_id)).toBe("completed");
    const again = await upload(key, page("southern clinic"));
    expect(again).toMatchObject({ id: first.id, deduplicated: true });
    expect(await countRows(accountId)).toEqual({ uploads: 0, slices: 3 });
    const fields = { scope: "customer_kb", external_id: "clinic", on_duplicate: "replace" };
    for (const label of ["eastern clinic", "western clinic"]) {
      const raw = formOf(page(label), fields);
      const { json } = await call("POST", PATH, { key, raw });
      expect(await endOf(key, json.job_id)).toBe("completed");
    }
    expect(await countRows(accountId)).toEqual({ uploads: 0, slices: 6 });
  });

  it("leaves nothing when it is rejected after its bytes", async () => {
    const { accountId, key } = await makeOwner();
    const invalid = [{}, { scope: "personal_kb" }, { scope: "customer_kb", metadata: "{" }];
    const statuses: number[] = [];
    for (const fields of invalid) {
      const raw = formOf(page("clinic"), fields as Record<string, string>);
      statuses.push((await call("POST", PATH, { key, raw })).status);
    }
    expect(statuses).toEqual([400, 403, 400]);
    expect(await countRows(accountId)).toEqual({ uploads: 0, slices: 0 });
  });

  it("is in the database while it arrives, and gone at once when the client is", async () => {
    const { accountId, key } = await makeOwner();
    const slow = await begin(accountId, key);
    slow.fail();
    await slow.answer.catch(() => {});
    expect([await countRows(accountId), countUploads()]).toEqual([{ uploads: 0, slices: 0 }, 0]);
  });

  it("leaves nothing when its body ends early or becomes malformed", async () => {
    const { accountId, key } = await makeOwner();
    for (const rest of ["", `${TAIL.slice(0, -6)}`]) {
      const slow = await begin(accountId, key);
      slow.send(rest);
      slow.end();
      expect((await slow.answer).status).toBe(400);
      expect(await countRows(accountId)).toEqual({ uploads: 0, slices: 0 });
    }
  });

  it("of a process that was killed is deleted once it has expired", async () => {
    const { accountId, key } = await makeOwner();
    const slow = await begin(accountId, key);
    await deleteExpiredUploads();
    expect(await countRows(accountId)).toEqual({ uploads: 1, slices: 2 });
    await query(
      "test_expire",
      "UPDATE upload SET expires_at = now() - interval '1 second' WHERE account_id = $1",
      [accountId],
    );
    await deleteExpiredUploads();
    expect(await countRows(accountId)).toEqual({ uploads: 0, slices: 0 });
    // A process that is only slow can't add to it.
    slow.send(TAIL);
    slow.end();
    expect((await slow.answer).status).toBe(409);
    expect(await countRows(accountId)).toEqual({ uploads: 0, slices: 0 });
  });

  it("is deleted with the slices of its file when its job is canceled", async () => {
    const { accountId, key } = await makeOwner();
    await stopBackgroundWork();
    const { job_id } = await upload(key, page("closed clinic"));
    expect(await countRows(accountId)).toEqual({ uploads: 0, slices: 3 });
    expect((await call("POST", `/v1/kb/jobs/${job_id}/cancel`, { key })).status).toBe(200);
    expect(await countRows(accountId)).toEqual({ uploads: 0, slices: 0 });
    await startBackgroundWork();
  });
});
