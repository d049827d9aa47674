import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db, execute } from "@/lib/platform/db/client";
import { call, openai } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

beforeAll(startBackgroundWork);
afterAll(async () => {
  await stopBackgroundWork();
});

const QUICKLY = { pollIntervalMs: 100 };

type Client = ReturnType<typeof openai>;

async function addFile(client: Client, store: string, label: string, attributes = {}) {
  const text = `The zebrafish tank of the ${label} is cleaned on Tuesdays.`;
  const file = await toFile(Buffer.from(text), `${label}.txt`);
  const { id: file_id } = await client.files.create({ file, purpose: "assistants" });
  await client.vectorStores.files.createAndPoll(store, { file_id, attributes }, QUICKLY);
  return file_id;
}

/** An account with two stores of one file each, and a third file in neither. */
async function makeLibrary() {
  const { ctx, id: accountId } = await makeAccount();
  const { secret: key } = await makeKey(ctx, { knowledge_scopes: ["customer_kb"] });
  const client = openai(key);
  const [north, south] = await Promise.all(
    ["north", "south"].map(async (name) => (await client.vectorStores.create({ name })).id),
  );
  const stores = { north: north ?? "", south: south ?? "" };
  const ids = {
    north: await addFile(client, stores.north, "north", { ward: "7" }),
    south: await addFile(client, stores.south, "south", { ward: "8" }),
    other: await addFile(client, "customer_kb", "attic"),
  };
  return { ctx, accountId, key, client, stores, ids };
}

const QUERY = "When is the zebrafish tank cleaned?";

async function failure(request: Promise<unknown>) {
  return request.then(
    () => null,
    ({ status, code, param, message }) => ({ status, code, param, message }),
  );
}

let library: Awaited<ReturnType<typeof makeLibrary>>;
beforeAll(async () => {
  library = await makeLibrary();
});

/** The documents that a direct search with these fields finds. */
async function found(fields: object, key = library.key): Promise<string[]> {
  const body = { query: QUERY, min_score: 0, ...fields };
  const { status, json } = await call("POST", "/v1/kb/search", { key, body });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.data.map(({ document_id }: { document_id: string }) => document_id).toSorted();
}

describe("a search of a vector store", () => {
  it("finds only its files, in OpenAI's shape, and is charged as any search", async () => {
    const { client, accountId, stores, ids } = library;
    const { data } = await client.vectorStores.search(stores.north, { query: QUERY });
    expect(data).toEqual([
      expect.objectContaining({
        ...{ file_id: ids.north, filename: "north.txt", attributes: { ward: "7" } },
        score: expect.any(Number),
        content: [
          { type: "text", text: "The zebrafish tank of the north is cleaned on Tuesdays." },
        ],
      }),
    ]);
    const usage = { accountId, endpoint: "/v1/vector_stores", kind: "search" };
    expect(await db().usageRecord.count({ where: usage })).toBe(1);
  });

  it("of a knowledge base finds all of its documents", async () => {
    const { client, ids } = library;
    const { data } = await client.vectorStores.search("customer_kb", {
      ...{ query: ["zebrafish", "tank cleaned"], rewrite_query: true },
    });
    expect(data.map(({ file_id }) => file_id).toSorted()).toEqual(Object.values(ids).toSorted());
  });

  it("has filters, a threshold and a limit", async () => {
    const { client, ids } = library;
    const filters = { type: "eq", key: "ward", value: "8" } as const;
    const filtered = await client.vectorStores.search("customer_kb", { query: QUERY, filters });
    expect(filtered.data.map(({ file_id }) => file_id)).toEqual([ids.south]);
    const one = { query: QUERY, max_num_results: 1 };
    expect((await client.vectorStores.search("customer_kb", one)).data).toHaveLength(1);
    const none = { query: QUERY, ranking_options: { score_threshold: 1 } };
    expect((await client.vectorStores.search("customer_kb", none)).data).toEqual([]);
  });

  it("is empty for filters that match nothing, and names the attributes for one that no document has", async () => {
    const { client, stores } = library;
    const filtered = (key: string, value: string | number) =>
      client.vectorStores.search(stores.north, {
        ...{ query: QUERY, filters: { type: "eq", key, value } },
      });
    // A document elsewhere in the knowledge base has the second one.
    for (const [key, value] of [
      ["ward", "none"],
      ["ward", "8"],
      ["ward", 7],
    ] as const) {
      expect((await filtered(key, value)).data).toEqual([]);
    }
    const refused = await failure(filtered("Ward", "7"));
    expect(refused).toMatchObject({ status: 400, param: "filters.key" });
    expect(refused?.message).toContain("Attributes that exist: 'ward'.");
  });

  it("finds its own documents or nothing while it expires or is deleted", async () => {
    const { client, ids } = library;
    const { id } = await client.vectorStores.create({
      ...{ file_ids: [ids.north], expires_after: { anchor: "last_active_at", days: 1 } },
    });
    const searches = () =>
      Array.from({ length: 5 }, () =>
        client.vectorStores.search(id, { query: QUERY }).then(
          ({ data }) => data.map(({ file_id }) => file_id),
          ({ status, param }) => ({ status, param }),
        ),
      );
    expect(await Promise.all(searches())).toEqual(Array(5).fill([ids.north]));
    const past = "UPDATE vector_store SET last_active_at = now() - interval '2 days' WHERE id = $1";
    const expiring = Promise.all([
      ...searches(),
      execute(past, [id]).then(() => []),
      ...searches(),
    ]);
    const found = [...(await expiring)];
    await client.vectorStores.update(id, { expires_after: null });
    const deleting = client.vectorStores.delete(id).then(() => []);
    found.push(...(await Promise.all([...searches(), deleting, ...searches()])));
    const absent = { status: 404, param: "vector_store_id" };
    for (const each of found) {
      expect([[ids.north], [], absent]).toContainEqual(each);
    }
    expect(await Promise.all(searches())).toEqual(Array(5).fill(absent));
  });

  it("refuses what it can't search", async () => {
    const { client, stores } = library;
    const { secret } = await makeKey((await makeAccount()).ctx);
    const foreign = openai(secret).vectorStores.search(stores.north, { query: QUERY });
    expect(await failure(foreign)).toMatchObject({ status: 404, param: "vector_store_id" });
    for (const query of ["", [], [" "], "a\0b"]) {
      const request = client.vectorStores.search(stores.north, { query });
      expect(await failure(request)).toMatchObject({ status: 400 });
    }
  });
});

describe("a request that names vector stores", () => {
  it("searches their documents, or all of a knowledge base among them", async () => {
    const { stores, ids } = library;
    expect(await found({ stores: [stores.north] })).toEqual([ids.north]);
    expect(await found({ stores: [stores.north, stores.south, stores.south] })).toEqual(
      [ids.north, ids.south].toSorted(),
    );
    expect(await found({ stores: [stores.north, "customer_kb"] })).toEqual(
      Object.values(ids).toSorted(),
    );
    expect(await found({ stores: [stores.north], document_ids: [ids.south] })).toEqual([]);
  });

  it("searches a whole knowledge base together with a store of another", async () => {
    const { ctx, stores, ids } = library;
    const { secret: key } = await makeKey(ctx);
    const both = await found({ stores: [stores.north, "public_kb"] }, key);
    expect(both.length).toBeGreaterThan(1);
    expect(both).toContain(ids.north);
    expect(both).not.toContain(ids.south);
    expect(
      await found({ stores: [stores.north, "public_kb"], sources: ["customer_kb"] }, key),
    ).toEqual([ids.north]);
    const body = { query: QUERY, stores: [stores.north], sources: ["public_kb"] };
    const { status, json } = await call("POST", "/v1/kb/search", { key, body });
    expect({ status, param: json.error.param }).toEqual({ status: 403, param: "stores" });
  });

  it("is a 403 for one that is foreign, unknown, deleted or expired", async () => {
    const { client, key } = library;
    const { secret } = await makeKey((await makeAccount()).ctx);
    const { id: foreign } = await openai(secret).vectorStores.create({});
    const { id: deleted } = await client.vectorStores.create({});
    await client.vectorStores.delete(deleted);
    const { id: expired } = await client.vectorStores.create({
      expires_after: { anchor: "last_active_at", days: 1 },
    });
    const past = "UPDATE vector_store SET last_active_at = now() - interval '2 days' WHERE id = $1";
    await execute(past, [expired]);
    for (const id of [foreign, deleted, expired, "vs_1", "public_kb", "nope", ""]) {
      const body = { query: QUERY, stores: [id] };
      const { status, json } = await call("POST", "/v1/kb/search", { key, body });
      const { code, param } = json.error;
      expect({ id, status, code, param }).toEqual({
        ...{ id, status: 403, code: "insufficient_scope", param: "stores" },
      });
    }
    const body = { query: QUERY, stores: [] };
    expect((await call("POST", "/v1/kb/search", { key, body })).status).toBe(403);
    const own = client.vectorStores.search(expired, { query: QUERY });
    expect(await failure(own)).toMatchObject({ status: 404 });
  });

  it("keeps a store from expiring", async () => {
    const { client } = library;
    const { id } = await client.vectorStores.create({
      expires_after: { anchor: "last_active_at", days: 1 },
    });
    const past =
      "UPDATE vector_store SET last_active_at = now() - interval '23 hours' WHERE id = $1";
    await execute(past, [id]);
    await found({ stores: [id] });
    const { last_active_at } = await client.vectorStores.retrieve(id);
    expect(Date.now() / 1000 - (last_active_at ?? 0)).toBeLessThan(600);
  });

  it("cites only their documents in chat completions and responses", async () => {
    const { client, key, stores, ids } = library;
    const messages = [{ role: "user" as const, content: QUERY }];
    const body = {
      ...{ model: "footnote-extract-1", messages },
      citations: { enabled: true, stores: [stores.south] },
    };
    const { json } = await call("POST", "/v1/chat/completions", { key, body });
    expect(json.citations.map((each: { document_id: string }) => each.document_id)).toEqual([
      ids.south,
    ]);
    const search = (vector_store_ids: string[]) => ({
      ...{ type: "file_search" as const, vector_store_ids },
    });
    const response = await client.responses.create({
      ...{ model: "footnote-extract-1", input: QUERY },
      tools: [search([stores.north]), search([stores.south])],
      include: ["file_search_call.results"],
    });
    const [searched] = response.output.filter(({ type }) => type === "file_search_call");
    const results = searched?.type === "file_search_call" ? (searched.results ?? []) : [];
    expect(results.map(({ file_id }) => file_id).toSorted()).toEqual(
      [ids.north, ids.south].toSorted(),
    );
    const unknown = client.responses.create({
      ...{ model: "footnote-extract-1", input: QUERY, tools: [search(["vs_missing"])] },
    });
    expect(await failure(unknown)).toMatchObject({
      ...{ status: 403, param: "tools.0.vector_store_ids" },
    });
  });
});
