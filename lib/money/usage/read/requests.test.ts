import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import type { Prisma } from "@/lib/generated/prisma/client";
import { newId } from "@/lib/id";
import type { Context } from "@/lib/platform/auth/context";
import { db } from "@/lib/platform/db/client";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { ListRequests } from "../schema";
import { exportRequests, findFirstSuccess, listRequests } from "./requests";
import { getUsageSummary } from "./summary";

type Fields = Partial<Prisma.UsageRecordUncheckedCreateInput>;

async function accountWith(records: Fields[], key: { name?: string } = {}) {
  const account = await makeKeyedAccount(key);
  await db().usageRecord.createMany({
    data: records.map((fields) => ({
      id: newId("request"),
      accountId: account.id,
      keyId: account.keyId,
      endpoint: "/v1/chat/completions",
      model: "footnote-extract-1",
      kind: "grounded",
      promptTokens: 100,
      completionTokens: 10,
      costMicros: 7n,
      rate: {},
      status: 200,
      latencyMs: 50,
      ...fields,
    })),
  });
  return account;
}

async function idsOf(ctx: Context, input: object): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await listRequests(ctx, ListRequests.parse({ ...input, after }));
    ids.push(...page.data.map(({ id }) => id));
    after = page.next_cursor ?? undefined;
  } while (after);
  return ids;
}

const NOVEMBER = { from: "2026-11-01", to: "2026-11-30" };

describe("the first successful request", () => {
  it("is the oldest with an API key, however long ago", async () => {
    const { ctx } = await accountWith([
      { id: "req_refused", status: 400, createdAt: "2020-01-01T00:00:00Z" },
      { id: "req_first", createdAt: "2020-01-02T00:00:00Z" },
      { id: "req_later", createdAt: "2026-11-05T00:00:00Z" },
    ]);
    expect(await findFirstSuccess(ctx)).toMatchObject({ id: "req_first", status: 200 });
  });

  it("isn't one from the console, or of another account", async () => {
    await accountWith([{}]);
    const { ctx, keyId } = await accountWith([{ status: 200 }]);
    expect(await findFirstSuccess(ctx)).not.toBeNull();
    await db().apiKey.updateMany({ where: { id: keyId }, data: { purpose: "playground" } });
    expect(await findFirstSuccess(ctx)).toBeNull();
  });
});

describe("the request log", () => {
  it("lists requests newest first, page by page, even with equal times", async () => {
    const times = ["2026-11-05T00:00:00.000Z", "2026-11-05T00:00:00.001Z"];
    const { ctx, keyId } = await accountWith(
      Array.from({ length: 11 }, (_, index) => ({
        id: `req_${String((index * 7) % 11).padStart(2, "0")}_${newId("request")}`,
        createdAt: times[index % 2] ?? "",
      })),
    );
    const ids = await idsOf(ctx, { ...NOVEMBER, limit: 2 });
    expect(new Set(ids).size).toBe(11);
    const { data } = await listRequests(ctx, ListRequests.parse({ ...NOVEMBER, limit: 100 }));
    expect(ids).toEqual(data.map(({ id }) => id));
    expect(ids).toEqual(
      data
        .toSorted((a, b) => (`${a.created_at}${a.id}` < `${b.created_at}${b.id}` ? 1 : -1))
        .map(({ id }) => id),
    );
    expect(data[0]).toMatchObject({
      key_id: keyId,
      key_name: "test",
      cost_usd: "0.000007",
      error_code: null,
      warnings: [],
    });
  });

  it("uses UTC days in any server time zone, and only the account's requests", async () => {
    const other = await accountWith([{ createdAt: "2026-11-05T12:00:00Z" }]);
    const [early, first, last, late] = [
      "31T23:59:59.999",
      "01T00:00:00",
      "02T23:59:59.999",
      "03T00:00:00",
    ]
      .map((time, index) => `2026-${index === 0 ? "10" : "11"}-${time}Z`)
      .map((createdAt) => ({ id: newId("request"), createdAt }));
    const { ctx } = await accountWith([early, first, last, late] as Fields[]);
    const range = { from: "2026-11-01", to: "2026-11-02" };
    expect(await idsOf(ctx, range)).toEqual([last?.id, first?.id]);
    const summary = await getUsageSummary(ctx, range);
    expect(summary.buckets.filter(({ requests }) => requests > 0).map(({ at }) => at)).toEqual([
      "2026-11-01T00:00Z",
      "2026-11-02T23:00Z",
    ]);
    const [foreign] = await idsOf(other.ctx, NOVEMBER);
    const after = `${Date.parse("2026-11-30")}.${foreign}`;
    expect(await idsOf(ctx, { ...range, after })).not.toContain(foreign);
  });

  it.each([
    [{ kind: "search" }, ["search"]],
    [{ model: "other/model" }, ["other"]],
    [{ status: "succeeded" }, ["other", "search", "plain"]],
    [{ status: "failed" }, ["gone", "refused", "broken"]],
    [{ status: "4xx" }, ["gone", "refused"]],
    [{ status: "499" }, ["gone"]],
    [{ status: "5xx" }, ["broken"]],
    [{ key: "key_of_another" }, ["broken"]],
    [{ key: "key_of_another", status: "succeeded" }, []],
    [
      { key: "key_of_another", status: "5xx", kind: "grounded", model: "footnote-extract-1" },
      ["broken"],
    ],
    [{ model: "'; DROP TABLE usage_record; --" }, []],
  ])("is filtered by %j, and so are its totals", async (filter, names) => {
    const named = (name: string, fields: Fields) => ({
      ...{ id: `req_${name}_${newId("request")}`, createdAt: "2026-11-05T12:00:00Z" },
      ...fields,
    });
    const { ctx } = await accountWith([
      named("plain", {}),
      named("search", { kind: "search", model: null }),
      named("other", { model: "other/model" }),
      named("broken", { status: 502, keyId: "key_of_another" }),
      named("refused", { status: 400 }),
      named("gone", { status: 499 }),
    ]);
    const ids = await idsOf(ctx, { ...NOVEMBER, ...filter, limit: 1 });
    expect(ids.map((id) => id.split("_")[1]).toSorted()).toEqual([...names].toSorted());
    const summary = await getUsageSummary(ctx, ListRequests.parse({ ...NOVEMBER, ...filter }));
    expect(summary.total.requests).toBe(names.length);
    expect(summary.total.prompt_tokens).toBe(100 * names.length);
    expect(summary.keys.map(({ name }) => name)).toEqual(["test", null]);
    expect(summary.models).toEqual(["footnote-extract-1", "other/model"]);
  });

  it("is grouped by key, model or kind", async () => {
    const { ctx } = await accountWith([
      { createdAt: "2026-11-05T12:00:00Z" },
      { createdAt: "2026-11-05T12:00:00Z", kind: "search", model: null },
      { createdAt: "2026-11-06T12:00:00Z", keyId: "key_of_another", model: "other/model" },
    ] as Fields[]);
    const groupsBy = async (group_by: "key" | "model" | "kind") =>
      (await getUsageSummary(ctx, { ...NOVEMBER, group_by })).groups.map(({ name, points }) => [
        name,
        points[4]?.requests,
        points[5]?.requests,
      ]);
    expect(await groupsBy("key")).toEqual([
      ["test", 2, 0],
      [null, 0, 1],
    ]);
    expect((await groupsBy("model")).toSorted()).toEqual([
      [null, 1, 0],
      ["footnote-extract-1", 1, 0],
      ["other/model", 0, 1],
    ]);
    expect(await groupsBy("kind")).toHaveLength(2);
    expect((await getUsageSummary(ctx, NOVEMBER)).groups).toEqual([]);
  });

  it("has totals of any size and every day of the range", async () => {
    const huge = 9_000_000_000_000_000n;
    const { ctx } = await accountWith([
      { costMicros: huge, createdAt: "2026-11-05T12:00:00Z" },
      { costMicros: huge + 1n, createdAt: "2026-11-05T13:00:00Z", status: 500 },
    ]);
    const { buckets, total } = await getUsageSummary(ctx, NOVEMBER);
    expect(buckets).toHaveLength(30);
    expect(total).toEqual({
      requests: 2,
      failed_requests: 1,
      refused_requests: 0,
      prompt_tokens: 200,
      completion_tokens: 20,
      cost_usd: "18000000000.000001",
    });
    expect(buckets[4]).toEqual({ at: "2026-11-05", ...total });
    expect(buckets[3]).toMatchObject({ requests: 0, cost_usd: "0.000000" });
  });

  it("covers the last thirty days by default", async () => {
    const { ctx } = await accountWith([
      { createdAt: new Date() },
      { createdAt: new Date(Date.now() - 31 * 86_400_000) },
    ]);
    expect(await idsOf(ctx, {})).toHaveLength(1);
    expect(await idsOf(ctx, { days: 60 })).toHaveLength(2);
    expect((await getUsageSummary(ctx, { days: 8 })).buckets).toHaveLength(8);
    const week = await getUsageSummary(ctx, { days: 7 });
    expect(week.interval).toBe("hour");
    expect(week.buckets.at(-1)).toMatchObject({
      at: `${new Date().toISOString().slice(0, 13)}:00Z`,
      requests: 1,
    });
  });
});

describe("the export", () => {
  async function exported(ctx: Context, filter = NOVEMBER): Promise<string> {
    let text = "";
    for await (const chunk of exportRequests(ctx, filter)) {
      text += chunk;
    }
    return text;
  }

  it("is valid CSV without formulas", async () => {
    const name = `=HYPERLINK("https://evil.example","a, b")\r\n@SUM(A1)`;
    const { ctx, id } = await accountWith(
      [
        {
          createdAt: "2026-11-05T12:00:00.123Z",
          model: "+1+1",
          status: 502,
          warningCodes: ["retrieval_unavailable", "other"],
          details: { error_code: "upstream_error" },
        },
        { createdAt: "2026-11-04T12:00:00Z", keyId: "-2+3" },
      ],
      { name },
    );
    const text = await exported(ctx);
    expect(text.split("\r\n")[0]).toMatch(/^created_at,id,endpoint,kind,model,/);
    const [first, second, ...rest] = parse(text, { columns: true, record_delimiter: "\r\n" });
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      created_at: "2026-11-05T12:00:00.123Z",
      key_name: `'${name}`,
      model: "'+1+1",
      status: "502",
      error_code: "upstream_error",
      passages: "",
      cost_usd: "0.000007",
      warnings: "retrieval_unavailable other",
    });
    expect(second).toMatchObject({ key_id: "'-2+3", key_name: "" });
    expect(text).not.toContain(id);
  });

  it("has one header and the rows of all batches", async () => {
    const { ctx } = await accountWith(
      Array.from({ length: 2001 }, () => ({ createdAt: "2026-11-05T12:00:00Z" })),
    );
    const rows = parse<{ id: string }>(await exported(ctx), { columns: true });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2001);
    expect(rows).toHaveLength(2001);
  });

  it("contains only a header when nothing matches, and stops on disconnect", async () => {
    const { ctx } = await accountWith([{ createdAt: "2026-11-05T12:00:00Z" }]);
    const empty = await exported(ctx, { from: "2026-10-01", to: "2026-10-02" });
    expect(empty).toMatch(/^created_at,[^\r\n]*\r\n$/);
    expect(await exported({ ...ctx, signal: AbortSignal.abort() })).toBe("");
  });
});
