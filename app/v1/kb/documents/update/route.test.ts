import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Filter } from "@/lib/library/documents/filter-schema";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const PATH = "/v1/kb/documents";

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

async function ingest(key: string, name: string, fields: object = {}): Promise<string> {
  const text = `The zebrafish tank ${name} is fed at nine, and the water of the tank is changed on the first day of each month.`;
  const body = { scope: "customer_kb", text, title: name, ...fields };
  const { json } = await call("POST", PATH, { key, body });
  await call("GET", `/v1/kb/jobs/${json.job_id}?wait=30`, { key });
  return json.id as string;
}

const list = (key: string, filters: unknown) =>
  call("GET", `${PATH}?filters=${encodeURIComponent(JSON.stringify(filters))}`, { key });

const search = (key: string, filters: unknown, more: object = {}) =>
  call("POST", "/v1/kb/search", {
    key,
    body: { query: "zebrafish tank", min_score: 0, filters, ...more },
  });

/** The titles that a list and a search find, which are the same. */
async function titles(key: string, filters: Filter): Promise<string[]> {
  const [listed, found] = [
    await list(key, filters),
    await search(key, filters, { sources: ["customer_kb"] }),
  ];
  const both = [listed, found].map(({ json }) =>
    json.data.map(({ title }: { title: string }) => title).toSorted(),
  );
  expect(both[0]).toEqual(both[1]);
  return both[0] ?? [];
}

describe("filters", () => {
  it("select by attributes and own fields, in lists and searches", async () => {
    const { key } = await makeKeyedAccount();
    await ingest(key, "a", {
      metadata: { team: "legal", year: 2024, due: "2026-10-31", title: "mine" },
      published_at: "2026-03-01",
    });
    await ingest(key, "b", {
      metadata: { team: "Recht 営業", year: 2026, final: true, nested: { team: "legal" } },
    });
    await ingest(key, "c", { source_type: "FAQ" });
    const cases: [Filter, string[]][] = [
      [{ type: "eq", key: "team", value: "legal" }, ["a"]],
      [{ type: "ne", key: "team", value: "legal" }, ["b", "c"]],
      [{ type: "gt", key: "year", value: 2024 }, ["b"]],
      [{ type: "in", key: "team", value: ["legal", "Recht 営業"] }, ["a", "b"]],
      [{ type: "eq", key: "final", value: true }, ["b"]],
      [{ type: "lte", key: "due", value: "2026-10-31T12:00:00+01:00" }, ["a"]],
      [{ type: "eq", key: "source_type", value: "faq" }, ["c"]],
      [{ type: "eq", key: "title", value: "mine" }, []],
      [{ type: "eq", key: "language", value: "en" }, ["a", "b", "c"]],
      [{ type: "gte", key: "published_at", value: "2026-03-01" }, ["a"]],
      [{ type: "gt", key: "created_at", value: "2020-01-01" }, ["a", "b", "c"]],
      [{ type: "eq", key: "team", value: "x' OR true --" }, []],
    ];
    for (const [filter, expected] of cases) {
      expect(await titles(key, filter), JSON.stringify(filter)).toEqual(expected);
    }
    const wrong = { type: "and", filters: [{ type: "eq", key: "year", value: null }] };
    for (const answer of [await list(key, wrong), await search(key, wrong)]) {
      expect([answer.status, answer.json.error.param]).toEqual([400, "filters.filters.0.value"]);
    }
  });

  it("name the attributes that there are, for one that no readable document has, free of charge", async () => {
    const { key, id, ctx } = await makeKeyedAccount();
    await ingest(key, "a", { metadata: { team: "legal" } });
    const other = await makeKeyedAccount();
    await ingest(other.key, "b", { metadata: { secret_of_others: 1 } });
    const personal = (reference: string) =>
      makeKey(ctx, { knowledge_scopes: ["personal_kb"], person: reference });
    const [mine, theirs] = [await personal("patient-1"), await personal("patient-2")];
    await ingest(theirs.secret, "c", { scope: "personal_kb", metadata: { diagnosis: "x" } });
    const before = await readMoney(id);
    const filter = {
      type: "or",
      filters: [
        { type: "eq", key: "team", value: "none" },
        { type: "eq", key: "Team", value: "legal" },
      ],
    };
    const answers = [
      await list(key, filter),
      await search(key, filter, { sources: ["customer_kb"] }),
    ];
    for (const { status, json } of answers) {
      expect([status, json.error.param]).toEqual([400, "filters.filters.1.key"]);
      expect(json.error.message).toContain("Attributes that exist: 'team'.");
      expect(json.error.message).not.toMatch(/secret_of_others|diagnosis/);
    }
    const chat = { enabled: true, filters: filter, sources: ["customer_kb"] };
    const messages = [{ role: "user", content: "When is the zebrafish tank fed?" }];
    const body = { model: "footnote-extract-1", messages, citations: chat };
    const answered = await call("POST", "/v1/chat/completions", { key, body });
    expect([answered.status, answered.json.error.param]).toEqual([
      400,
      "citations.filters.filters.1.key",
    ]);
    expect(await readMoney(id)).toEqual(before);
    const ofMine = await list(mine.secret, { type: "eq", key: "diagnosis", value: "x" });
    expect(ofMine.status).toBe(400);
    expect(ofMine.json.error.message).toContain("None of them has attributes.");
  });
});

describe("attributes", () => {
  it("change one by one, and of several documents at once", async () => {
    const { key } = await makeKeyedAccount();
    const metadata = { team: "legal", year: 2024, nested: { a: [1] } };
    const [one, two] = [await ingest(key, "a", { metadata }), await ingest(key, "b")];
    const patched = await call("PATCH", `${PATH}/${one}`, {
      key,
      body: { attributes: { team: "sales", year: null, draft: false } },
    });
    expect(patched.json.metadata).toEqual({ team: "sales", draft: false, nested: { a: [1] } });
    const { status, json } = await call("POST", `${PATH}/update`, {
      key,
      body: { ids: [one, two, "doc_unknown"], attributes: { region: "EU", draft: null } },
    });
    expect(status).toBe(200);
    expect(json.data.map(({ updated }: { updated: boolean }) => updated)).toEqual([
      true,
      true,
      false,
    ]);
    expect(await titles(key, { type: "eq", key: "region", value: "EU" })).toEqual(["a", "b"]);
    expect(await titles(key, { type: "ne", key: "team", value: "sales" })).toEqual(["b"]);
  });

  it("change where they fit, with the reason where they don't", async () => {
    const { key } = await makeKeyedAccount();
    const full = { text: "y".repeat(16_000) };
    const ids = [await ingest(key, "a"), await ingest(key, "b", { metadata: full })];
    const last = await ingest(key, "c");
    const body = { ids: [...ids, last], attributes: { more: "x".repeat(500) } };
    const { status, json } = await call("POST", `${PATH}/update`, { key, body });
    expect(status).toBe(200);
    expect(json.data).toEqual([
      { id: ids[0], updated: true, message: null },
      { id: ids[1], updated: false, message: expect.stringContaining("metadata") },
      { id: last, updated: true, message: null },
    ]);
    const unchanged = await call("GET", `${PATH}/${ids[1]}`, { key });
    expect(unchanged.json.metadata).toEqual(full);
  });

  it.each<[string, unknown]>([
    ["a list", { team: ["legal"] }],
    ["a long text", { team: "x".repeat(513) }],
    ["17 names", Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`a${index}`, 1]))],
    ["a reserved name", { page: 3 }],
    ["more than 16 kB in all", { more: "x".repeat(500) }],
  ])("can't be %s", async (_, attributes) => {
    const { key } = await makeKeyedAccount();
    const id = await ingest(key, "a", { metadata: { text: "y".repeat(16_000) } });
    const { status, json } = await call("PATCH", `${PATH}/${id}`, { key, body: { attributes } });
    expect(status).toBe(400);
    expect(json.error.param).toMatch(/^attributes/);
  });

  it("need the scope to write, and documents that the key can read", async () => {
    const account = await makeAccount();
    const { key } = await makeKeyedAccount();
    const id = await ingest(key, "a");
    const reader = await makeKey(account.ctx, { scopes: ["kb:documents:read"] });
    const body = { ids: [id], attributes: { team: "legal" } };
    const answer = await call("POST", `${PATH}/update`, { key: reader.secret, body });
    expect(answer.status).toBe(403);
    const foreign = await makeKeyedAccount();
    const { json } = await call("POST", `${PATH}/update`, { key: foreign.key, body });
    expect(json.data).toMatchObject([{ id, updated: false }]);
  });
});
