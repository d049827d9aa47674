import { describe, expect, it } from "vitest";
import { createUploadSlots } from "./uploads-in-flight";

const LIMITS = { uploads: 4, bytes: 100, waitMs: 0 };
const { signal } = new AbortController();

function from(accountId: string, bytes = 1) {
  return { accountId, bytes, signal };
}

describe("uploads in flight", () => {
  it("are limited by account to its share of the uploads, then 429", async () => {
    const slots = createUploadSlots(LIMITS);
    await slots.acquire(from("a"));
    const release = await slots.acquire(from("a"));
    await expect(slots.acquire(from("a"))).rejects.toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
      headers: { "retry-after": "5" },
    });
    await slots.acquire(from("b"));
    release();
    release();
    await slots.acquire(from("a"));
    expect(slots.count()).toBe(3);
    await expect(slots.acquire(from("a"))).rejects.toMatchObject({ status: 429 });
  });

  it("are limited by account to its share of the bytes", async () => {
    const slots = createUploadSlots(LIMITS);
    await slots.acquire(from("a", 40));
    await expect(slots.acquire(from("a", 11))).rejects.toMatchObject({ status: 429 });
    await slots.acquire(from("a", 10));
  });

  it("are limited in all by number and by bytes, then 503", async () => {
    const busy = { status: 503, code: "service_unavailable", headers: { "retry-after": "5" } };
    const many = createUploadSlots(LIMITS);
    await Promise.all(["a", "b", "c", "d"].map((account) => many.acquire(from(account))));
    await expect(many.acquire(from("e"))).rejects.toMatchObject(busy);
    const large = createUploadSlots(LIMITS);
    await large.acquire(from("a", 50));
    await large.acquire(from("b", 49));
    await expect(large.acquire(from("c", 2))).rejects.toMatchObject(busy);
    await large.acquire(from("c", 1));
  });

  it("include one of any size when nothing else is in flight", async () => {
    const slots = createUploadSlots(LIMITS);
    const release = await slots.acquire(from("a", 1000));
    await expect(slots.acquire(from("b"))).rejects.toMatchObject({ status: 503 });
    release();
    await slots.acquire(from("b"));
  });

  it("begin in the order they came, except that those beyond their account's share let others pass", async () => {
    const slots = createUploadSlots({ ...LIMITS, uploads: 8, waitMs: 60_000 });
    const releaseFirst = await slots.acquire(from("a", 50));
    const beyondShare = slots.acquire(from("a", 1));
    const releaseSmall = await slots.acquire(from("b", 10));
    await slots.acquire(from("b", 40));
    const large = slots.acquire(from("c", 20));
    const small = slots.acquire(from("d", 1));
    releaseSmall();
    // 'd' would fit, but 'c' came first.
    expect(slots.count()).toBe(2);
    releaseFirst();
    await Promise.all([beyondShare, large, small]);
    expect(slots.count()).toBe(4);
  });

  it("leave the line when their client disconnects, and let those behind them begin", async () => {
    const slots = createUploadSlots({ ...LIMITS, waitMs: 60_000 });
    await slots.acquire(from("a", 50));
    await slots.acquire(from("b", 40));
    const leaving = new AbortController();
    const large = slots.acquire({ ...from("c", 20), signal: leaving.signal });
    const small = slots.acquire(from("d", 10));
    leaving.abort(new Error("disconnected"));
    await expect(large).rejects.toThrow("disconnected");
    await small;
    expect(slots.count()).toBe(3);
    await expect(slots.acquire({ ...from("e"), signal: leaving.signal })).rejects.toThrow();
  });
});
