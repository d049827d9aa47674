import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";
import { daysLeft, getOverview } from "./overview";

const DAY_MS = 86_400_000;

async function addRecord(
  { id, keyId }: { id: string; keyId: string },
  fields: { daysAgo?: number } & Record<string, unknown>,
) {
  const { daysAgo = 0, ...rest } = fields;
  await db().usageRecord.create({
    data: {
      id: newId("request"),
      accountId: id,
      keyId,
      endpoint: "/v1/chat/completions",
      kind: "core",
      costMicros: 0n,
      rate: {},
      status: 200,
      latencyMs: 1,
      createdAt: new Date(Date.now() - daysAgo * DAY_MS),
      ...rest,
    },
  });
}

describe("the overview", () => {
  it("is all zeros for a new account, with no step completed", async () => {
    const { ctx } = await makeAccount();
    expect(await getOverview(ctx)).toMatchObject({
      credits: { available_usd: "5.000000" },
      week_spend_usd: "0.000000",
      days_left: null,
      days: [],
      total: { requests: 0, failed_requests: 0, refused_requests: 0, cost_usd: "0.000000" },
      latency: { completions: 0, p50_ms: null, p95_ms: null, first_token_p50_ms: null },
      recent: [],
      steps: { key: false, document: false, cited_answer: false, top_up: false },
    });
  });

  it("sums thirty days by kind, and estimates the runway from seven", async () => {
    const account = await makeKeyedAccount();
    const other = await makeKeyedAccount();
    await addRecord(other, { costMicros: 99n });
    await addRecord(account, { costMicros: 350_000n, kind: "grounded" });
    await addRecord(account, { costMicros: 350_000n, kind: "search", daysAgo: 6.9 });
    await addRecord(account, { costMicros: 1_000_000n, daysAgo: 7.1 });
    await addRecord(account, { status: 499, daysAgo: 8 });
    await addRecord(account, { status: 500, daysAgo: 8 });
    await addRecord(account, { costMicros: 77n, daysAgo: 31 });
    const overview = await getOverview(account.ctx);
    expect(overview).toMatchObject({
      week_spend_usd: "0.700000",
      total: { requests: 5, failed_requests: 2, disconnected_requests: 1, cost_usd: "1.700000" },
    });
    // Five dollars at ten cents a day.
    expect(overview.days_left).toBeCloseTo(50);
    const sums = Object.groupBy(overview.days, ({ kind }) => kind);
    expect(sums.core?.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
    expect(sums.grounded).toMatchObject([{ requests: 1, cost_usd: "0.350000" }]);
    expect(overview.recent).toHaveLength(6);
    expect(overview.recent[0]).toMatchObject({ kind: "grounded", key_name: "test" });
  });

  it("has a trend of every day that counts refused requests as errors", async () => {
    const account = await makeKeyedAccount();
    await addRecord(account, { latencyMs: 10 });
    await addRecord(account, { latencyMs: 30, costMicros: 5n });
    await addRecord(account, { status: 500, latencyMs: 9000 });
    await db().refusedRequest.create({
      data: {
        ...{ id: newId("request"), accountId: account.id, keyId: account.keyId, status: 400 },
        ...{ endpoint: "/v1/kb/search", code: "invalid_request", message: "No.", latencyMs: 1 },
        skipped: 2,
      },
    });
    const { trend, total } = await getOverview(account.ctx);
    expect(trend).toHaveLength(30);
    expect(trend.at(-1)).toMatchObject({
      requests: 6,
      errors: 4,
      cost_usd: "0.000005",
      p50_ms: 20,
    });
    expect(trend[0]).toMatchObject({ requests: 0, errors: 0, p50_ms: null });
    expect(total).toMatchObject({ requests: 3, failed_requests: 1, refused_requests: 3 });
  });

  it("has the percentiles of successful completions", async () => {
    const account = await makeKeyedAccount();
    for (let latencyMs = 1; latencyMs <= 101; latencyMs += 1) {
      const firstTokenMs = latencyMs <= 11 ? latencyMs * 10 : null;
      await addRecord(account, { latencyMs, firstTokenMs });
    }
    await addRecord(account, { latencyMs: 90_000, status: 502 });
    await addRecord(account, { latencyMs: 90_000, kind: "ingest" });
    expect((await getOverview(account.ctx)).latency).toEqual({
      completions: 101,
      p50_ms: 51,
      p95_ms: 96,
      streamed: 11,
      first_token_p50_ms: 60,
      first_token_p95_ms: 105,
    });
  });
});

describe("the onboarding checklist", () => {
  async function stepsOf(ctx: Parameters<typeof getOverview>[0]) {
    return (await getOverview(ctx)).steps;
  }

  it("marks steps as completed, permanently", async () => {
    const { ctx, id } = await makeAccount();
    const { id: keyId } = await makeKey(ctx);
    expect(await stepsOf(ctx)).toMatchObject({ key: true, document: false });
    await db().apiKey.updateMany({ where: { id: keyId }, data: { revokedAt: new Date() } });

    const job = { id: newId("job"), accountId: id, documentId: newId("document") };
    await db().job.create({
      data: { ...job, collectionId: `customer_kb:${id}`, status: "failed" },
    });
    expect(await stepsOf(ctx)).toMatchObject({ key: true, document: false });
    await db().job.updateMany({ where: { id: job.id }, data: { status: "completed" } });

    const record = { id, keyId };
    await addRecord(record, { kind: "grounded", passages: 3, status: 502 });
    await addRecord(record, { kind: "core" });
    await addRecord(record, {
      ...{
        kind: "grounded",
        passages: 3,
        details: { verification: { cited: 0, method: "rules" } },
      },
    });
    expect(await stepsOf(ctx)).toMatchObject({ document: true, cited_answer: false });
    await addRecord(record, {
      kind: "grounded",
      passages: 3,
      details: { verification: { cited: 1 } },
    });
    expect(await stepsOf(ctx)).toMatchObject({ cited_answer: true, top_up: false });
  });

  it("counts an older record with sources, and a payment", async () => {
    const { ctx, id } = await makeAccount();
    await addRecord({ id, keyId: "key_gone" }, { kind: "grounded", passages: 1 });
    const checkoutId = newId("checkout");
    await db().checkoutSession.create({
      data: {
        ...{ id: checkoutId, accountId: id, provider: "simulated", amount: 500, currency: "usd" },
        ...{ successUrl: "", cancelUrl: "", requestHash: "", expiresAt: new Date() },
      },
    });
    expect(await stepsOf(ctx)).toMatchObject({ cited_answer: true, top_up: false });
    await db().payment.create({
      data: {
        ...{ reference: newId("request"), accountId: id, checkoutSessionId: checkoutId },
        amountMicros: 5_000_000n,
      },
    });
    expect(await stepsOf(ctx)).toEqual({
      ...{ key: false, document: false, cited_answer: true, top_up: true },
    });
  });

  it("ignores the playground's key", async () => {
    const { ctx } = await makeAccount();
    const { id } = await makeKey(ctx);
    await db().apiKey.updateMany({ where: { id }, data: { purpose: "playground" } });
    expect(await stepsOf(ctx)).toMatchObject({ key: false });
  });
});

describe("the runway of a balance", () => {
  it.each([
    [5_000_000n, 0n, null],
    [0n, 7n, 0],
    [7_000_000n, 7_000_000n, 7],
    [9_000_000_000_000_000n, 1n, 63_000_000_000_000_000],
  ])("with %d micro-dollars and %d spent in a week is %s days", (available, week, days) => {
    expect(daysLeft(available, week)).toBe(days);
  });
});
