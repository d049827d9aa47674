import { describe, expect, it } from "vitest";
import { call } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";

const PATH = "/v1/kb/search";

describe("POST /v1/kb/search", () => {
  it("returns passages with text, excerpt, similarity and location, and charges the search rate", async () => {
    const { key, id } = await makeKeyedAccount();
    const { status, headers, json } = await call("POST", PATH, {
      key,
      body: { query: "How is warfarin monitored?", explain: true },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: "list",
      query: "How is warfarin monitored?",
      usage: { searches: 1, cost_usd: "0.000500" },
    });
    expect(headers.get("x-footnote-cost-usd")).toBe("0.000500");
    const [best] = json.data;
    expect(best).toMatchObject({
      title: "Warfarin",
      scope: "public_kb",
      explain: { vector_rank: null, lexical_rank: 1 },
    });
    expect(best).not.toHaveProperty("id");
    expect(best.text.startsWith(best.excerpt.replace(/…$/, ""))).toBe(true);
    expect(best.excerpt.length).toBeLessThanOrEqual(300);
    expect(best.similarity).toBeGreaterThanOrEqual(0.3);
    expect(best.similarity).toBeLessThanOrEqual(1);
    expect(await readMoney(id)).toMatchObject({ balance: 4_999_500n, held: 0n });
    expect(await lastUsage(id)).toMatchObject({
      kind: "search",
      endpoint: PATH,
      passages: json.data.length,
    });
  });

  it("refuses a blank query, free of charge, and one that is too long by its own name", async () => {
    const { key, id } = await makeKeyedAccount();
    for (const query of ["", "   ", "\n\t\u3000"]) {
      const { status, json } = await call("POST", PATH, { key, body: { query } });
      expect([status, json.error.param]).toEqual([400, "query"]);
      expect(json.error.message).toContain("write what to search for");
    }
    const long = await call("POST", PATH, { key, body: { query: "heart ".repeat(10_000) } });
    expect([long.status, long.json.error.param]).toEqual([400, "query"]);
    expect(long.json.error.message).not.toContain("message");
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("replaces lone surrogates in the query that it repeats", async () => {
    const { key } = await makeKeyedAccount();
    const { status, json } = await call("POST", PATH, { key, body: { query: "\ud800 asthma" } });
    expect(status).toBe(200);
    expect(json.query).toBe("\ufffd asthma");
    expect(json.retrieval.query).toBe("\ufffd asthma");
  });

  it("returns no passage below min_score and at most top_k", async () => {
    const { key } = await makeKeyedAccount();
    const query = "symptoms of diabetes";
    const all = await call("POST", PATH, { key, body: { query, min_score: 0, top_k: 50 } });
    const few = await call("POST", PATH, { key, body: { query, top_k: 2, min_score: 0 } });
    const strict = await call("POST", PATH, { key, body: { query, min_score: 0.9, top_k: 50 } });
    expect(all.json.data.length).toBeGreaterThan(8);
    expect(few.json.data).toEqual(all.json.data.slice(0, 2));
    expect(strict.json.data.every((found: { similarity: number }) => found.similarity >= 0.9)).toBe(
      true,
    );
    expect(strict.json.data.length).toBeLessThan(all.json.data.length);
  });

  it("returns only passages of the requested source types", async () => {
    const { key } = await makeKeyedAccount();
    const { json } = await call("POST", PATH, {
      key,
      body: { query: "diabetes insulin", source_types: ["medicine"], min_score: 0 },
    });
    expect(json.data.length).toBeGreaterThan(0);
    expect(new Set(json.data.map((found: { source_type: string }) => found.source_type))).toEqual(
      new Set(["medicine"]),
    );
    const body = { query: "diabetes insulin", source_types: ["MEDICINE", "x"], min_score: 0 };
    expect((await call("POST", PATH, { key, body })).json.data).toEqual(json.data);
  });

  it("rejects invalid input and charges nothing", async () => {
    const { key, id } = await makeKeyedAccount();
    const cases: [object, number, string][] = [
      [{}, 400, "query"],
      [{ query: "" }, 400, "query"],
      [{ query: 5 }, 400, "query"],
      [{ query: "x ".repeat(20_000) }, 400, "query"],
      [{ query: "x", top_k: 51 }, 400, "top_k"],
      [{ query: "x", min_score: 2 }, 400, "min_score"],
      [{ query: "x", source_types: [] }, 400, "source_types"],
      [{ query: "x", source_types: ["a\u0000b"] }, 400, "source_types.0"],
      [{ query: "x", source_types: ["\ud800"] }, 400, "source_types.0"],
      [{ query: "x", nope: 1 }, 400, "nope"],
      [{ query: "x", sources: [] }, 403, "sources"],
      [{ query: "x", sources: ["personal_kb"] }, 403, "sources"],
      [{ query: "x", sources: ["web"] }, 403, "sources"],
      [{ query: "x", sources: Array.from({ length: 21 }, (_, at) => `s${at}`) }, 403, "sources"],
      [{ query: "x", sources: [5] }, 403, "sources"],
      [{ query: "x", sources: [["public_kb"]] }, 403, "sources"],
      [{ query: "x", sources: [{ toString: 1 }] }, 403, "sources"],
    ];
    for (const [body, status, param] of cases) {
      const { status: answered, json } = await call("POST", PATH, { key, body });
      expect([answered, json.error.param]).toEqual([status, param]);
    }
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    await call("POST", PATH, { key, body: { query: "x ".repeat(20_000) } });
    expect(await lastUsage(id)).toMatchObject({ status: 400, passages: null });
  });

  it("returns an empty list for stop words, emoji or NUL", async () => {
    const { key } = await makeKeyedAccount();
    for (const query of ["what is the", "😀😀", "\u0000", "???"]) {
      const { status, json } = await call("POST", PATH, { key, body: { query } });
      expect([status, json.data]).toEqual([200, []]);
    }
  });
});
