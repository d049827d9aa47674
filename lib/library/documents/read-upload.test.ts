import { describe, expect, it } from "vitest";
import { env } from "@/lib/platform/env";
import { acquireUpload, countUploads } from "@/lib/platform/limits/uploads-in-flight";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";
import { slowUpload } from "@/lib/testing/slow-upload";

const PATH = "/v1/kb/documents";
const BEGINNING =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nText';
const REST =
  '\r\n--x\r\nContent-Disposition: form-data; name="scope"\r\n\r\ncustomer_kb\r\n--x--\r\n';

describe("an upload that can't be accepted", () => {
  it("is rejected before its body is read: 403 for a key that can't write anywhere", async () => {
    const { key } = await makeKeyedAccount({ knowledge_scopes: ["public_kb"] });
    const { answer, isRead } = slowUpload(key);
    const response = await answer;
    expect([response.status, isRead.yet]).toEqual([403, false]);
    expect((await response.json()).error).toMatchObject({
      code: "insufficient_scope",
      param: "scope",
    });
  });

  it("is rejected before its body is read: 402 when the balance can't cover its length", async () => {
    const { key, id } = await makeKeyedAccount();
    await setBalance(id, 0.5);
    const large = slowUpload(key, { headers: { "content-length": String(40 * 1024 * 1024) } });
    const response = await large.answer;
    expect([response.status, large.isRead.yet]).toEqual([402, false]);
    expect((await response.json()).error).toMatchObject({
      code: "insufficient_balance",
      balance: expect.stringMatching(/^0\.50*$/),
      topup_url: expect.any(String),
    });
    expect(await readMoney(id)).toMatchObject({ held: 0n, openHolds: 0n });
  });

  it("is rejected before its body is read: 413 and 415", async () => {
    const { key } = await makeKeyedAccount();
    const long = slowUpload(key, {
      headers: { "content-length": String(2 * env.MAX_UPLOAD_BYTES) },
    });
    const other = slowUpload(key, { headers: { "content-type": "text/csv" } });
    expect([(await long.answer).status, (await other.answer).status]).toEqual([413, 415]);
    expect([long.isRead.yet, other.isRead.yet]).toEqual([false, false]);
  });

  it("is rejected as JSON over 1 MB, with the advice to use multipart", async () => {
    const { key } = await makeKeyedAccount();
    const raw = JSON.stringify({ scope: "customer_kb", text: "a".repeat(1024 * 1024) });
    const headers = { "content-type": "application/json" };
    const chunked = slowUpload(key, { headers });
    chunked.send(raw);
    chunked.end();
    const answers = [
      (
        await call("POST", PATH, {
          key,
          raw,
          headers: { ...headers, "content-length": String(raw.length) },
        })
      ).json,
      await (await chunked.answer).json(),
    ];
    for (const { error } of answers) {
      expect(error).toMatchObject({
        code: "payload_too_large",
        message: expect.stringContaining("multipart/form-data"),
      });
    }
  });
});

describe("an upload in flight", () => {
  it("counts until it has ended, however it ends", async () => {
    const accounts = await Promise.all([
      makeKeyedAccount(),
      makeKeyedAccount(),
      makeKeyedAccount(),
    ]);
    const uploads = accounts.map(({ key }) => slowUpload(key));
    await expect.poll(() => uploads.map(({ isRead }) => isRead.yet)).toEqual([true, true, true]);
    expect(countUploads()).toBe(3);
    const [good, bad, gone] = uploads;
    good?.send(BEGINNING + REST);
    good?.end();
    bad?.send(BEGINNING);
    bad?.end();
    gone?.send(BEGINNING);
    gone?.fail();
    const statuses = await Promise.all(uploads.map(async ({ answer }) => (await answer).status));
    expect(statuses.slice(0, 2)).toEqual([202, 400]);
    expect(countUploads()).toBe(0);
  });

  it("isn't read while its account has its share, and is accepted afterwards", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const other = await makeKeyedAccount();
    const { signal } = new AbortController();
    const bytes = env.MAX_CONCURRENT_UPLOAD_BYTES / 2;
    const release = await acquireUpload({ accountId, bytes, signal });
    const waiting = slowUpload(key);
    waiting.send(BEGINNING + REST);
    waiting.end();
    const passing = await call("POST", PATH, {
      key: other.key,
      body: { scope: "customer_kb", text: "Others pass." },
    });
    expect([passing.status, countUploads()]).toEqual([202, 1]);
    release();
    expect((await waiting.answer).status).toBe(202);
    expect(countUploads()).toBe(0);
  });
});
