import { beforeAll, describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { revokeKey } from "@/lib/money/keys/write/keys";
import { db } from "@/lib/platform/db/client";
import { onRefusal } from "@/lib/platform/http/refusals";
import { call, dispatch } from "@/lib/testing/api";
import { makeAccount, makeKeyedAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";
import { findRequest } from "./read/request";
import { RequestPage, UsageSummary } from "./schema";
import { deleteExpiredRefusals, recordRefusal } from "./write";

beforeAll(() => onRefusal(recordRefusal));

const CHAT = "/v1/chat/completions";

function refusal(
  { id, keyId }: { id: string; keyId: string },
  error = new AppError("not_found", "No."),
) {
  const requestId = newId("request");
  const { status } = error;
  const endpoint = "/v1/kb/jobs/{job_id}";
  return {
    requestId,
    account_id: id,
    key_id: keyId,
    endpoint,
    model: null,
    status,
    error,
    latencyMs: 3,
  };
}

/** Waits for what is recorded in the background. */
async function listed(headers: Record<string, string>, count: number, query = "") {
  return vi.waitFor(async () => {
    const { json } = await call("GET", `/api/usage?limit=100${query}`, { headers });
    const { data } = RequestPage.parse(json);
    expect(data).toHaveLength(count);
    return data;
  });
}

async function signedInAccount(key: Parameters<typeof makeKeyedAccount>[0] = {}) {
  const account = await makeKeyedAccount(key);
  return { ...account, headers: await signedIn(account.ctx.actor.id) };
}

describe("refused requests", () => {
  it("are in the log beside charged ones, with what the caller was told", async () => {
    const { key, keyId, headers, ctx } = await signedInAccount();
    await call("POST", "/v1/kb/search", { key, body: { query: "metformin" } });
    const invalid = await call("POST", CHAT, { key, body: { model: "footnote-extract-1" } });
    expect(invalid.status).toBe(400);
    const [latest, charged] = await listed(headers, 2);
    expect(charged).toMatchObject({ kind: "search", status: 200 });
    expect(latest).toMatchObject({
      id: invalid.headers.get("x-request-id"),
      kind: "refused",
      endpoint: CHAT,
      status: 400,
      error_code: "invalid_request",
      key_id: keyId,
      cost_usd: "0.000000",
    });
    expect(await findRequest(ctx, latest?.id ?? "")).toMatchObject({
      refusal: { message: invalid.json.error.message, param: "messages", skipped: 0 },
      charge: { charged_usd: "0.000000" },
    });
    expect(await findRequest(ctx, charged?.id ?? "")).toMatchObject({ refusal: null });
    expect((await listed(headers, 1, "&kind=refused"))[0]?.id).toBe(latest?.id);
    expect((await listed(headers, 1, "&status=succeeded"))[0]?.id).toBe(charged?.id);
    await listed(headers, 0, "&kind=refused&status=5xx");
    const csv = await dispatch("http://localhost:3000/api/usage/export", { headers });
    expect(await csv.text()).toContain(`refused,,${keyId},test,400,invalid_request`);
  });

  it("include those of a key without the scope, and none without a valid key", async () => {
    const { key, headers } = await signedInAccount({ scopes: ["kb:search"] });
    expect((await call("POST", CHAT, { body: {} })).status).toBe(401);
    expect((await call("POST", CHAT, { key: `${key}x`, body: {} })).status).toBe(403);
    expect((await call("POST", CHAT, { key, body: {} })).status).toBe(403);
    const [only] = await listed(headers, 1);
    expect(only).toMatchObject({ status: 403, error_code: "insufficient_scope", endpoint: CHAT });
  });

  it("include those of paths that don't exist, and of a revoked key", async () => {
    const { key, keyId, headers, ctx } = await signedInAccount();
    expect((await call("POST", "/v1/chat/completion", { key, body: {} })).status).toBe(404);
    const [missing] = await listed(headers, 1);
    expect(missing).toMatchObject({ status: 404, error_code: "not_found", key_id: keyId });
    await revokeKey(ctx, keyId);
    const refused = await call("POST", "/v1/kb/search", { key, body: { query: "x" } });
    expect(refused.json.error.code).toBe("invalid_api_key");
    const [latest] = await listed(headers, 2);
    expect(latest).toMatchObject({ error_code: "invalid_api_key", key_id: keyId });
  });

  it("include those with a method that the path doesn't have", async () => {
    const { key, keyId, headers } = await signedInAccount();
    expect((await call("DELETE", CHAT, { key })).status).toBe(405);
    expect((await call("GET", "/v1/kb/search", { key })).status).toBe(405);
    const rows = await listed(headers, 2);
    const seen = rows.map(({ endpoint, status, error_code, key_id }) => ({
      endpoint,
      status,
      error_code,
      key_id,
    }));
    const refused = { status: 405, error_code: "method_not_allowed", key_id: keyId };
    expect(seen).toEqual(
      expect.arrayContaining([
        { ...refused, endpoint: CHAT },
        { ...refused, endpoint: "/v1/kb/search" },
      ]),
    );
  });

  it("include those of the playground", async () => {
    const { headers } = await signedInAccount();
    const body = {
      preset: "company",
      model: "unknown",
      messages: [{ role: "user", content: "Hi" }],
    };
    const refused = await call("POST", "/api/playground/chat", { headers, body });
    expect(refused.json.error).toMatchObject({ param: "model" });
    const [only] = await listed(headers, 1);
    expect(only).toMatchObject({
      key_name: "Console",
      status: refused.status,
      kind: "refused",
    });
  });

  it("are counted in the summary and grouped by error", async () => {
    const { key, headers } = await signedInAccount();
    await call("POST", "/v1/kb/search", { key, body: { query: "metformin" } });
    for (const body of [{ query: "" }, { query: 1 }, {}]) {
      expect((await call("POST", "/v1/kb/search", { key, body })).status).toBe(400);
    }
    expect((await call("GET", "/v1/kb/jobs/job_none", { key })).status).toBe(404);
    await listed(headers, 5);
    const { json } = await call("GET", "/api/usage/summary", { headers });
    const summary = UsageSummary.parse(json);
    expect(summary.total).toMatchObject({ requests: 1, failed_requests: 0, refused_requests: 4 });
    expect(summary.buckets.at(-1)).toMatchObject({ requests: 1, refused_requests: 4 });
    expect(summary.errors).toMatchObject([
      { endpoint: "/v1/kb/search", status: 400, code: "invalid_request", requests: 3 },
      { endpoint: "/v1/kb/jobs/{job_id}", status: 404, code: "not_found", requests: 1 },
    ]);
    const search = await call("GET", "/api/usage/summary?kind=search", { headers });
    expect(UsageSummary.parse(search.json)).toMatchObject({
      total: { requests: 1, refused_requests: 0 },
      errors: [],
    });
  });

  it("show nothing from another account", async () => {
    const { key, headers } = await signedInAccount();
    await call("POST", CHAT, { key, body: {} });
    const [row] = await listed(headers, 1);
    const stranger = await makeAccount();
    const other = await signedIn(stranger.ctx.actor.id);
    await listed(other, 0, `&key=${row?.key_id}`);
    expect(await findRequest(stranger.ctx, row?.id ?? "")).toBeNull();
  });

  it("are sampled by key: the rest are counted with the next one recorded", async () => {
    const account = await signedInAccount();
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    try {
      for (let time = 0; time < 50; time += 1) {
        recordRefusal(refusal(account));
      }
      await vi.advanceTimersByTimeAsync(61_000);
      recordRefusal(refusal(account));
    } finally {
      vi.useRealTimers();
    }
    await vi.waitFor(async () => {
      const rows = await db().refusedRequest.findMany({ where: { keyId: account.keyId } });
      expect(rows).toHaveLength(31);
      expect(rows.map(({ skipped }) => skipped).filter(Boolean)).toEqual([20]);
    });
    const { json } = await call("GET", "/api/usage/summary", { headers: account.headers });
    expect(UsageSummary.parse(json).total.refused_requests).toBe(51);
  });

  it("store text that PostgreSQL would reject, shortened", async () => {
    const account = await signedInAccount();
    const message = `a\0${"x".repeat(497)}😀 and more`;
    recordRefusal(refusal(account, new AppError("invalid_request", message, { param: "\0" })));
    const [row] = await listed(account.headers, 1);
    const found = await findRequest(account.ctx, row?.id ?? "");
    expect(found?.refusal).toEqual({ message: `a${"x".repeat(497)}\ufffd`, param: "", skipped: 0 });
  });

  it("expire, and only the newest of an account are kept", async () => {
    const account = await signedInAccount();
    const at = (days: number) => new Date(Date.now() - days * 86_400_000);
    const rows = [0, 1, 2, 3, 40].map((days) => ({
      id: newId("request"),
      accountId: account.id,
      keyId: account.keyId,
      endpoint: CHAT,
      status: 400,
      code: "invalid_request",
      message: "No.",
      latencyMs: 1,
      createdAt: at(days),
    }));
    await db().refusedRequest.createMany({ data: rows });
    await deleteExpiredRefusals({ kept: 3, batchSize: 1 });
    const left = await db().refusedRequest.findMany({
      where: { accountId: account.id },
      orderBy: { createdAt: "desc" },
    });
    expect(left.map(({ id }) => id)).toEqual(rows.slice(0, 3).map(({ id }) => id));
  });
});
