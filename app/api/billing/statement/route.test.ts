import { parse } from "csv-parse/sync";
import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { credit } from "@/lib/money/billing/write/credit";
import { getStatement } from "@/lib/money/usage/read/statement";
import { renderStatement } from "@/lib/money/usage/read/statement-pdf";
import { db } from "@/lib/platform/db/client";
import { call, dispatch } from "@/lib/testing/api";
import { makeAccount, makeKeyedAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";

afterAll(closeParserPool);

const MONTH = new Date().toISOString().slice(0, 7);

async function search(key: string, times: number) {
  for (let time = 0; time < times; time += 1) {
    const body = { query: "metformin" };
    expect((await call("POST", "/v1/kb/search", { key, body })).status).toBe(200);
  }
}

describe("a monthly statement", () => {
  it("adds up from the opening to the closing balance, with usage by model", async () => {
    const account = await makeKeyedAccount();
    await search(account.key, 3);
    const statement = await getStatement(account.ctx, MONTH);
    expect(statement).toMatchObject({
      account: { id: account.id },
      isOpen: true,
      movements: expect.arrayContaining([{ kind: "usage", entries: 3, amount: -1500n }]),
      usage: [{ kind: "search", model: null, requests: 3, amount: 1500n }],
    });
    const moved = statement.movements.reduce((sum, { amount }) => sum + amount, 0n);
    expect(statement.opening + moved).toBe(statement.closing);
    const { balanceMicros } = await db().account.findFirstOrThrow({ where: { id: account.id } });
    expect(statement.closing).toBe(balanceMicros);
  });

  it("ends with the balance at the end of its month, not today's", async () => {
    const account = await makeKeyedAccount();
    await search(account.key, 1);
    const last = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1));
    const statement = await getStatement(account.ctx, last.toISOString().slice(0, 7));
    expect(statement).toMatchObject({ isOpen: false, movements: [], usage: [], payments: [] });
    expect(statement.closing).toBe(statement.opening);
  });

  it("is a PDF, also with a name its font can't show and more rows than a page has", async () => {
    const account = await makeKeyedAccount();
    const statement = await getStatement(account.ctx, MONTH);
    const payments = Array.from({ length: 120 }, () => ({
      ...{ at: new Date(), kind: "grant" as const, reference: "grant:ключ", amount: 1n },
    }));
    const name = "Ιατρείο 診療所";
    const long = { ...statement, payments, account: { ...statement.account, name } };
    const short = await renderStatement(statement);
    expect(new TextDecoder("latin1").decode(short.slice(0, 5))).toBe("%PDF-");
    expect((await renderStatement(long)).length).toBeGreaterThan(short.length);

    const headers = await signedIn(account.ctx.actor.id);
    const url = `http://localhost:3000/api/billing/statement?month=${MONTH}`;
    const response = await dispatch(url, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="footnote-statement-${MONTH}.pdf"`,
    );
  });

  it("names requests as the console does, and cuts references that would reach the amount", async () => {
    const { ctx } = await makeAccount();
    const statement = await getStatement(ctx, MONTH);
    const reference = `top_up:${"w".repeat(40)}`;
    const file = await renderStatement({
      ...statement,
      usage: [{ kind: "grounded", model: "footnote-extract-1", requests: 1, amount: 5n }],
      payments: [{ at: new Date(), kind: "top_up", reference, amount: 100_000_000n }],
    });
    const { text } = await readDocument({ bytes: file, name: null, title: null, mediaType: null });
    expect(text).toContain("Cited chat · footnote-extract-1");
    // 47 letters of this width would be wider than the space between the columns.
    expect(/top_up:w+…/.exec(text)?.[0].length).toBeLessThan(33);
  });

  it("writes only the decimal places that an amount of it needs, and one of a kind in the singular", async () => {
    const { ctx } = await makeAccount();
    const grant = { kind: "grant", entries: 1, amount: 5_000_000n } as const;
    const statement = { ...(await getStatement(ctx, MONTH)), movements: [grant], usage: [] };
    const textOf = async (spent: bigint) => {
      const usage = { kind: "usage", entries: 2, amount: -spent } as const;
      const bytes = await renderStatement({ ...statement, movements: [grant, usage] });
      return (await readDocument({ bytes, name: null, title: null, mediaType: null })).text;
    };
    expect(await textOf(1_250_000n)).toMatch(/Grant\b[\s\S]*\b1 entry\b[\s\S]*\$5\.00(?!\d)/);
    expect(await textOf(1_250_300n)).toMatch(/\$5\.0000(?!\d)[\s\S]*–\$1\.2503(?!\d)/);
  });

  it("is not found for a month to come, and refused for one that doesn't exist", async () => {
    const headers = await signedIn((await makeAccount()).ctx.actor.id);
    const of = async (month: string) =>
      (await call("GET", `/api/billing/statement?month=${month}`, { headers })).status;
    expect(await of("2099-01")).toBe(404);
    expect(await of("2026-13")).toBe(400);
  });
});

describe("the ledger", () => {
  it("is filtered by kind, names the request of usage, and can be exported", async () => {
    const account = await makeKeyedAccount();
    await search(account.key, 2);
    const headers = await signedIn(account.ctx.actor.id);
    const list = async (query: string) =>
      (await call("GET", `/api/billing/ledger${query}`, { headers })).json.data;
    const usage = await list("?kind=usage");
    expect(usage).toHaveLength(2);
    expect(usage[0]).toMatchObject({ kind: "usage", balance_after_usd: null });
    expect(usage[0].reference).toBe(`usage:${usage[0].request}`);
    const payments = await list("?kind=payments");
    expect(payments.every(({ kind }: { kind: string }) => kind !== "usage")).toBe(true);
    expect(await list("")).toHaveLength(2 + payments.length);

    const url = "http://localhost:3000/api/billing/ledger/export?kind=usage";
    const csv = await (await dispatch(url, { headers })).text();
    expect(csv.split("\r\n").filter(Boolean)).toHaveLength(3);
    expect(csv).toContain(usage[0].request);
  });

  it("is exported with amounts that a spreadsheet can add up, and descriptions that it doesn't run", async () => {
    const account = await makeKeyedAccount();
    await search(account.key, 1);
    const entry = { kind: "adjustment", amountMicros: 1n } as const;
    await credit(account.id, { ...entry, reference: `two:${account.id}`, description: "one\ntwo" });
    await credit(account.id, { ...entry, reference: `sum:${account.id}`, description: "=1+1" });
    const headers = await signedIn(account.ctx.actor.id);
    const { json } = await call("GET", "/api/billing/ledger", { headers });
    const url = "http://localhost:3000/api/billing/ledger/export";
    const csv = await (await dispatch(url, { headers })).text();
    const rows: Record<string, string>[] = parse(csv, { columns: true });
    const amounts = (entries: { amount_usd?: string }[]) =>
      entries.map(({ amount_usd }) => amount_usd);
    expect(amounts(rows)).toEqual(amounts(json.data));
    expect(amounts(rows)).toContain("-0.000500");
    expect(rows.slice(0, 2).map(({ description }) => description)).toEqual(["'=1+1", "one\ntwo"]);
  });
});
