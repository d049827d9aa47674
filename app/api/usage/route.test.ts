import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { RequestPage, UsageSummary } from "@/lib/money/usage/schema";
import { call, dispatch } from "@/lib/testing/api";
import { makeAccount, makeKeyedAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";

const ENDPOINTS = ["/api/usage", "/api/usage/summary", "/api/usage/export"];

async function accountThatSearched(times: number) {
  const account = await makeKeyedAccount({ name: "=Searcher" });
  for (let time = 0; time < times; time += 1) {
    const searched = await call("POST", "/v1/kb/search", {
      key: account.key,
      body: { query: "metformin" },
    });
    expect(searched.status).toBe(200);
  }
  return { ...account, headers: await signedIn(account.ctx.actor.id) };
}

async function download(path: string, headers: Record<string, string>) {
  const response = await dispatch(`http://localhost:3000${path}`, { headers });
  return {
    response,
    rows: parse<Record<string, string>>(await response.text(), { columns: true }),
  };
}

describe("the console's endpoints to usage", () => {
  it("give the requests of the member's account, page by page, with their sums", async () => {
    const { headers, keyId } = await accountThatSearched(3);
    const first = await call("GET", "/api/usage?limit=2", { headers });
    const page = RequestPage.parse(first.json);
    expect(page).toMatchObject({
      data: [{ kind: "search", key_id: keyId, status: 200, cost_usd: "0.000500" }, {}],
      has_more: true,
    });
    const rest = await call("GET", `/api/usage?limit=2&after=${page.next_cursor}`, { headers });
    expect(RequestPage.parse(rest.json)).toMatchObject({ has_more: false, next_cursor: null });
    expect(rest.json.data).toHaveLength(1);

    const { json } = await call("GET", `/api/usage/summary?key=${keyId}&days=2`, { headers });
    const summary = UsageSummary.parse(json);
    expect(summary.total).toMatchObject({ requests: 3, cost_usd: "0.001500" });
    expect(summary.buckets.at(-1)).toMatchObject({ requests: 3 });
  });

  it("exports a CSV file that is safe from formula injection", async () => {
    const { headers } = await accountThatSearched(2);
    const { response, rows } = await download("/api/usage/export?kind=search&days=1", headers);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/csv; charset=utf-8/);
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="footnote-usage-(\d{4}-\d\d-\d\d)-to-\1\.csv"$/,
    );
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(rows).toMatchObject([{ key_name: "'=Searcher" }, { cost_usd: "0.000500" }]);
    const none = await download("/api/usage/export?kind=core", headers);
    expect(none.rows).toEqual([]);
  });

  it("shows nothing from another account", async () => {
    const { keyId } = await accountThatSearched(1);
    const headers = await signedIn((await makeAccount()).ctx.actor.id);
    for (const query of [`key=${keyId}`, `after=9999999999999.req_z`, "kind=search"]) {
      const page = await call("GET", `/api/usage?${query}`, { headers });
      expect(page.json.data).toEqual([]);
    }
    const { json } = await call("GET", `/api/usage/summary?key=${keyId}`, { headers });
    expect(json).toMatchObject({ total: { requests: 0 }, keys: [], models: [] });
    expect((await download(`/api/usage/export?key=${keyId}`, headers)).rows).toEqual([]);
  });

  it("answers 401 without a session and 405 to a write", async () => {
    const headers = await signedIn((await makeAccount()).ctx.actor.id);
    for (const path of ENDPOINTS) {
      expect((await call("GET", path)).status).toBe(401);
      expect((await call("POST", path, { headers, body: {} })).status).toBe(405);
    }
  });

  it.each([
    ["kind=none", "kind"],
    ["status=200", "status"],
    ["days=0", "days"],
    ["days=367", "days"],
    ["days=7&from=2026-11-01", "days"],
    ["from=2026-02-30", "from"],
    ["from=2026-11-20&to=2026-11-01", "from"],
    ["from=2020-01-01&to=2026-01-01", "from"],
    ["key=", "key"],
    ["model=%00", "model"],
    ["sort=cost", null],
  ])("answer 400 to %s, naming it", async (query, param) => {
    const headers = await signedIn((await makeAccount()).ctx.actor.id);
    for (const path of ENDPOINTS) {
      const { status, json } = await call("GET", `${path}?${query}`, { headers });
      expect([path, status, json.error.param]).toEqual([path, 400, param ?? expect.anything()]);
    }
  });

  it.each(["limit=0", "limit=101", "after=x", "after=1.req_1"])(
    "answers 400 to %s",
    async (query) => {
      const headers = await signedIn((await makeAccount()).ctx.actor.id);
      const { status, json } = await call("GET", `/api/usage?${query}`, { headers });
      expect([status, json.error.param]).toEqual([400, query.split("=")[0]]);
    },
  );
});
