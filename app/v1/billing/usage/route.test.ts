import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";

const PATH = "/v1/billing/usage";

interface Used {
  keyId: string;
  createdAt: string;
  model?: string | null;
  kind?: string;
  status?: number;
  passages?: number | null;
  costMicros?: bigint;
}

async function use(accountId: string, used: Used): Promise<void> {
  await db().usageRecord.create({
    data: {
      id: newId("request"),
      accountId,
      endpoint: "/v1/test",
      model: "scripted",
      kind: "core",
      promptTokens: 100,
      completionTokens: 10,
      passages: null,
      costMicros: 7n,
      rate: {},
      status: 200,
      warningCodes: [],
      latencyMs: 5,
      ...used,
    },
  });
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** An account with two keys and usage on both sides of midnight UTC. */
async function makeUser() {
  const account = await makeKeyedAccount({ name: "First" });
  const { id, keyId } = account;
  const second = await makeKey(account.ctx, { name: "Second" });
  await use(id, { keyId, createdAt: "2026-03-04T23:59:59.999Z", costMicros: 1n });
  await use(id, { keyId, createdAt: "2026-03-05T00:00:00.000Z", kind: "grounded", passages: 3 });
  await use(id, { keyId, createdAt: "2026-03-05T10:00:00Z", status: 502, costMicros: 0n });
  await use(id, {
    keyId: second.id,
    createdAt: "2026-03-05T23:59:59.999Z",
    model: null,
    kind: "search",
    passages: 2,
    costMicros: 500n,
  });
  return { ...account, secondId: second.id };
}

function sums(requests: number, cost: string, more: Record<string, number> = {}) {
  return {
    requests,
    failed_requests: 0,
    prompt_tokens: 100 * requests,
    completion_tokens: 10 * requests,
    passages: 0,
    cost_usd: cost,
    ...more,
  };
}

describe("GET /v1/billing/usage", () => {
  it("groups usage by UTC day", async () => {
    const { key } = await makeUser();
    const { status, json } = await call("GET", `${PATH}?from=2026-03-04&to=2026-03-05`, { key });
    expect(status).toBe(200);
    expect(json).toEqual({
      object: "billing.usage",
      currency: "usd",
      from: "2026-03-04",
      to: "2026-03-05",
      group_by: ["day"],
      data: [
        { day: "2026-03-04", ...sums(1, "0.000001") },
        { day: "2026-03-05", ...sums(3, "0.000507", { failed_requests: 1, passages: 5 }) },
      ],
      total: sums(4, "0.000508", { failed_requests: 1, passages: 5 }),
    });
    const one = await call("GET", `${PATH}?from=2026-03-04&to=2026-03-04`, { key });
    expect(one.json.total).toEqual(sums(1, "0.000001"));
  });

  it("groups by any combination of day, model, key and kind", async () => {
    const { key, keyId, secondId } = await makeUser();
    const ask = async (groups: string) =>
      (await call("GET", `${PATH}?from=2026-03-01&to=2026-03-31&group_by=${groups}`, { key })).json;
    const byAll = await ask("kind,key,model,day");
    expect(byAll.group_by).toEqual(["kind", "key", "model", "day"]);
    expect(byAll.data).toHaveLength(4);
    expect(byAll.data.at(-1)).toEqual({
      day: "2026-03-05",
      model: null,
      key_id: secondId,
      key_name: "Second",
      kind: "search",
      ...sums(1, "0.000500", { passages: 2 }),
    });
    expect((await ask("key")).data).toEqual([
      {
        key_id: keyId,
        key_name: "First",
        ...sums(3, "0.000008", { failed_requests: 1, passages: 3 }),
      },
      { key_id: secondId, key_name: "Second", ...sums(1, "0.000500", { passages: 2 }) },
    ]);
    const models = (await ask("model")).data;
    expect(models.map(({ model }: { model: string | null }) => model)).toEqual(["scripted", null]);
    const kinds = (await ask("kind")).data;
    expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual(["core", "grounded", "search"]);
  });

  it("returns null as the name of a deleted key", async () => {
    const { key, id } = await makeUser();
    await use(id, { keyId: "key_gone", createdAt: "2026-03-06T00:00:00Z" });
    const { json } = await call("GET", `${PATH}?from=2026-03-06&to=2026-03-06&group_by=key`, {
      key,
    });
    expect(json.data).toMatchObject([{ key_id: "key_gone", key_name: null }]);
  });

  it("shows nothing from another account, not even a key's name", async () => {
    const other = await makeUser();
    const { key, id } = await makeKeyedAccount();
    const range = "from=2026-03-01&to=2026-03-31&group_by=key";
    const empty = await call("GET", `${PATH}?${range}`, { key });
    expect([empty.json.data, empty.json.total]).toEqual([[], sums(0, "0.000000")]);
    await use(id, { keyId: other.keyId, createdAt: "2026-03-06T00:00:00Z" });
    const { json } = await call("GET", `${PATH}?${range}`, { key });
    expect(json.data).toMatchObject([{ key_id: other.keyId, key_name: null }]);
  });

  it("covers the last 30 days by default", async () => {
    const { key, keyId, id } = await makeKeyedAccount();
    const days = [dayBefore(0), dayBefore(29), dayBefore(30)];
    for (const day of days) {
      await use(id, { keyId, createdAt: `${day}T00:00:00Z` });
    }
    const { json } = await call("GET", PATH, { key });
    expect(json).toMatchObject({ from: days[1], to: days[0], total: { requests: 2 } });
    const until = await call("GET", `${PATH}?to=2026-03-31`, { key });
    expect(until.json).toMatchObject({ from: "2026-03-02", to: "2026-03-31" });
  });

  it.each([
    ["from=2026-03-05&to=2026-03-04", "from"],
    ["from=2999-01-01", "from"],
    ["from=2025-01-01&to=2026-01-02", "from"],
    ["from=2026-02-29", "from"],
    ["from=0000-01-01&to=0000-01-02", "from"],
    ["from=2026-03-05T00:00:00Z", "from"],
    ["to=tomorrow", "to"],
    ["to=", "to"],
    ["group_by=month", "group_by"],
    ["group_by=", "group_by"],
    ["group_by=day,day", "group_by"],
    ["group_by=day&group_by=key", "group_by"],
    ["group_by=__proto__", "group_by"],
    ["account_id=acct_1", "account_id"],
  ])("refuses %s and names the field", async (search, param) => {
    const { key } = await makeKeyedAccount();
    const { status, json } = await call("GET", `${PATH}?${search}`, { key });
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_request", param]);
  });

  it("accepts 366 days and distant dates", async () => {
    const { key } = await makeKeyedAccount();
    for (const search of [
      "from=2025-01-01&to=2026-01-01",
      "from=9999-12-01&to=9999-12-31",
      "to=2000-01-01",
    ]) {
      expect((await call("GET", `${PATH}?${search}`, { key })).status).toBe(200);
    }
  });

  it("requires the billing:read scope", async () => {
    const { ctx } = await makeAccount();
    const writer = await makeKey(ctx, { scopes: ["billing:write"] });
    expect((await call("GET", PATH, { key: writer.secret })).status).toBe(403);
    expect((await call("GET", PATH)).status).toBe(401);
    expect((await call("POST", PATH)).status).toBe(405);
  });
});
