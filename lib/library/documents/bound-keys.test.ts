import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreateKey } from "@/lib/money/keys/schema";
import { rotateKey } from "@/lib/money/keys/write/keys";
import { execute } from "@/lib/platform/db/client";
import { call, openai } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

beforeAll(startBackgroundWork);
afterAll(async () => {
  await stopBackgroundWork();
});

const QUICKLY = { pollIntervalMs: 100 };
const QUERY = "opens at seven";

const file = (label: string) =>
  toFile(Buffer.from(`The ${label} opens at seven in the morning.`), `${label}.txt`);

/** An account with two stores, a file in each and one in none, and a way to make keys that are bound. */
async function makeLibrary() {
  const { ctx } = await makeAccount();
  const { secret } = await makeKey(ctx);
  const client = openai(secret);
  const add = async (label: string) => {
    const store = await client.vectorStores.create({ name: label });
    const { id } = await client.vectorStores.files.uploadAndPoll(
      ...([store.id, await file(label), QUICKLY] as const),
    );
    return { store: store.id, file: id };
  };
  const [ward, kitchen] = [await add("ward"), await add("kitchen")];
  const { json } = await call("POST", "/v1/kb/documents", {
    key: secret,
    body: { scope: "customer_kb", text: "The office opens at seven.", external_id: "office" },
  });
  await call("GET", `/v1/kb/jobs/${json.job_id}?wait=30`, { key: secret });
  const office: string = json.id;
  const bind = async (stores: CreateKey["stores"], fields: Partial<CreateKey> = {}) => {
    const made = await makeKey(ctx, { knowledge_scopes: ["customer_kb"], stores, ...fields });
    return { key: made.secret, keyId: made.id, client: openai(made.secret) };
  };
  return { ctx, key: secret, client, ward, kitchen, office, bind };
}

type Library = Awaited<ReturnType<typeof makeLibrary>>;
let library: Library;
beforeAll(async () => {
  library = await makeLibrary();
});

async function search(key: string, body: object = {}) {
  const { status, json } = await call("POST", "/v1/kb/search", {
    key,
    body: { query: QUERY, ...body },
  });
  const found = json.data?.map(({ document_id }: { document_id: string }) => document_id);
  return found?.toSorted() ?? [status, json.error.code];
}

async function failure(request: Promise<unknown>) {
  return request.then(
    () => null,
    ({ status, code }) => [status, code],
  );
}

describe("a key that is bound to a vector store", () => {
  it("finds, lists and reads only documents of that store", async () => {
    const { ward, kitchen, office, bind } = library;
    const { key, client } = await bind([ward.store]);
    expect(await search(key)).toEqual([ward.file]);
    expect(await search(key, { sources: ["customer_kb"] })).toEqual([ward.file]);
    expect(await search(key, { document_ids: [office, ward.file] })).toEqual([ward.file]);
    expect(await search(key, { stores: [kitchen.store] })).toEqual([403, "insufficient_scope"]);
    expect(await search(key, { stores: ["customer_kb"] })).toEqual([403, "insufficient_scope"]);
    const documents = await call("GET", "/v1/kb/documents", { key });
    expect(documents.json.data.map(({ id }: { id: string }) => id)).toEqual([ward.file]);
    expect((await client.files.list()).data.map(({ id }) => id)).toEqual([ward.file]);
    expect((await client.vectorStores.list()).data.map(({ id }) => id)).toEqual([ward.store]);
    for (const id of [kitchen.file, office]) {
      for (const path of ["", "/text", "/content", "/quote?ref=0-9-0123456789ab"]) {
        expect((await call("GET", `/v1/kb/documents/${id}${path}`, { key })).status).toBe(404);
      }
      expect(await failure(client.files.retrieve(id))).toEqual([404, "not_found"]);
      expect(await failure(client.files.delete(id))).toEqual([404, "not_found"]);
      const added = client.vectorStores.files.create(ward.store, { file_id: id });
      expect(await failure(added)).toEqual([404, "not_found"]);
    }
    for (const id of [kitchen.store, "customer_kb"]) {
      expect(await failure(client.vectorStores.retrieve(id))).toEqual([404, "not_found"]);
      const searched = client.vectorStores.search(id, { query: QUERY });
      expect(await failure(searched)).toEqual([404, "not_found"]);
    }
  });

  it("verifies no citation of another document, and forgets what left its store", async () => {
    const { key: free, ward, kitchen, client: unbound, bind } = await makeLibrary();
    const { key, client } = await bind([ward.store]);
    const body = { query: QUERY, document_ids: [kitchen.file] };
    const found = await call("POST", "/v1/kb/search", { key: free, body });
    const sources = [{ chunk_id: found.json.data[0].chunk_id }];
    const verify = (by: string) =>
      call("POST", "/v1/citations/verify", { key: by, body: { text: "It opens [1].", sources } });
    expect((await verify(free)).status).toBe(200);
    expect((await verify(key)).status).toBe(404);
    const batch = await unbound.vectorStores.fileBatches.create(ward.store, {
      file_ids: [kitchen.file],
    });
    const inBatch = async () => {
      const { data } = await client.vectorStores.fileBatches.listFiles(batch.id, {
        vector_store_id: ward.store,
      });
      return data.map(({ id }) => id);
    };
    expect(await inBatch()).toEqual([kitchen.file]);
    await unbound.vectorStores.files.delete(kitchen.file, { vector_store_id: ward.store });
    expect(await inBatch()).toEqual([]);
  });

  it("answers from that store", async () => {
    const { ward, bind } = library;
    const { client } = await bind([ward.store]);
    const answer = await client.responses.create({
      ...{ model: "footnote-extract-1", input: "When does it open?", store: false },
      tools: [{ type: "file_search", vector_store_ids: [ward.store] }],
      include: ["file_search_call.results"],
    });
    expect(JSON.stringify(answer)).toContain(ward.file);
    const outside = client.responses.create({
      ...{ model: "footnote-extract-1", input: "When does it open?" },
      tools: [{ type: "file_search", vector_store_ids: [library.kitchen.store] }],
    });
    expect(await failure(outside)).toEqual([403, "insufficient_scope"]);
    const { json } = await call("POST", "/v1/chat/completions", {
      key: (await bind([ward.store])).key,
      body: {
        model: "footnote-extract-1",
        messages: [{ role: "user", content: "When does it open?" }],
        citations: { enabled: true },
      },
    });
    const cited = json.citations.map(({ document_id }: { document_id: string }) => document_id);
    expect(new Set(cited)).toEqual(new Set([ward.file]));
  });

  it("doesn't read answers that other keys stored, and keeps its own", async () => {
    const { key: free, ward, bind } = library;
    const { key } = await bind([ward.store]);
    const ask = async (by: string) => {
      const messages = [{ role: "user", content: "When does it open?" }];
      const body = { model: "footnote-extract-1", store: true, messages };
      return (await call("POST", "/v1/chat/completions", { key: by, body })).json.id;
    };
    const [own, other] = [await ask(key), await ask(free)];
    const listed = await call("GET", "/v1/chat/completions", { key });
    expect(listed.json.data.map(({ id }: { id: string }) => id)).toEqual([own]);
    expect((await call("GET", `/v1/chat/completions/${other}`, { key })).status).toBe(404);
    expect((await call("GET", `/v1/chat/completions/${own}`, { key: free })).status).toBe(200);
  });

  it("learns no word or name of attributes of other documents", async () => {
    const { key: free, ward, bind } = library;
    const { json } = await call("POST", "/v1/kb/documents", {
      key: free,
      body: {
        ...{ scope: "customer_kb", text: "Glibberexol is secret.", metadata: { hidden: "yes" } },
      },
    });
    await call("GET", `/v1/kb/jobs/${json.job_id}?wait=30`, { key: free });
    const { key } = await bind([ward.store]);
    const corrections = async (by: string) => {
      const body = { query: "glibberexlo" };
      return (await call("POST", "/v1/kb/search", { key: by, body })).json.retrieval.corrections;
    };
    expect(await corrections(free)).toHaveLength(1);
    expect(await corrections(key)).toEqual([]);
    const filtered = (name: string) =>
      call("POST", "/v1/kb/search", {
        key,
        body: { query: QUERY, filters: { type: "eq", key: name, value: "x" } },
      });
    const unknown = await filtered("hidden");
    expect(unknown.status).toBe(400);
    expect(unknown.json.error.message).toContain("None of them has attributes");
    await call("PATCH", `/v1/kb/documents/${ward.file}`, {
      key,
      body: { attributes: { floor: 2 } },
    });
    expect((await filtered("floor")).json.data).toEqual([]);
    expect((await filtered("hidden")).json.error.message).toContain("'floor'");
  });

  it("uploads into its store, and nothing that is elsewhere in the knowledge base", async () => {
    const { key: free, ward, bind } = await makeLibrary();
    const { key, client } = await bind([ward.store]);
    const post = (body: object) =>
      call("POST", "/v1/kb/documents", { key, body: { scope: "customer_kb", ...body } });
    const { json } = await post({ text: "The garden opens at seven." });
    await call("GET", `/v1/kb/jobs/${json.job_id}?wait=30`, { key });
    expect(await search(key)).toEqual([ward.file, json.id].toSorted());
    const made = await client.files.create({ file: await file("gate"), purpose: "assistants" });
    expect((await client.files.retrieve(made.id)).id).toBe(made.id);
    await client.vectorStores.files.createAndPoll(ward.store, { file_id: made.id }, QUICKLY);
    const files = await client.vectorStores.files.list(ward.store);
    expect(files.data.map(({ id }) => id)).toContain(made.id);
    for (const body of [
      { text: "The office opens at seven." },
      { text: "Another.", external_id: "office", on_duplicate: "replace" },
    ]) {
      const refused = await post(body);
      expect([refused.status, refused.json.error.code]).toEqual([409, "conflict"]);
    }
    const same = client.files.create({ file: await file("kitchen"), purpose: "assistants" });
    expect(await failure(same)).toEqual([409, "conflict"]);
    const removed = await call("POST", "/v1/kb/documents/delete", {
      ...{ key, body: { scope: "customer_kb", external_ids: ["office"] } },
    });
    expect(removed.json.data[0].deleted).toBe(false);
    expect(await failure(client.vectorStores.create({ name: "mine" }))).toEqual([
      ...[403, "insufficient_scope"],
    ]);
    expect(await search(free)).toHaveLength(5);
  });

  it("has an upload in parts to itself", async () => {
    const { key: free, ward, bind } = library;
    const { key } = await bind([ward.store]);
    const body = { bytes: 5, filename: "a.txt", purpose: "user_data" };
    const [own, other] = [
      (await call("POST", "/v1/uploads", { key, body })).json.id,
      (await call("POST", "/v1/uploads", { key: free, body })).json.id,
    ];
    expect((await call("GET", `/v1/uploads/${own}`, { key })).status).toBe(200);
    expect((await call("GET", `/v1/uploads/${other}`, { key })).status).toBe(404);
    expect((await call("GET", `/v1/uploads/${own}`, { key: free })).status).toBe(404);
  });

  it("sees nothing once its store is deleted, also after it is rotated", async () => {
    const { ctx, client, ward, bind } = await makeLibrary();
    const { key, keyId } = await bind([ward.store]);
    await client.vectorStores.delete(ward.store);
    const rotated = await rotateKey(ctx, keyId, { overlap_seconds: 3600 });
    expect(rotated.key.stores).toEqual([ward.store]);
    for (const each of [key, rotated.secret]) {
      expect(await search(each)).toEqual([]);
      expect((await call("GET", "/v1/kb/documents", { key: each })).json.data).toEqual([]);
      expect((await call("GET", "/v1/vector_stores", { key: each })).json.data).toEqual([]);
    }
    const { status, json } = await call("POST", "/v1/kb/documents", {
      ...{ key, body: { scope: "customer_kb", text: "The cellar is closed." } },
    });
    expect([status, json.error.code]).toEqual([404, "not_found"]);
  });
});

describe("a search that names no store", () => {
  it("uses the stores that the key is bound to, and none that has expired", async () => {
    const { ward, bind } = await makeLibrary();
    const { key, client } = await bind([ward.store]);
    const setIdle = (days: number) =>
      execute(
        "UPDATE vector_store SET expires_days = 3, last_active_at = now() - make_interval(days => $2) WHERE id = $1",
        [ward.store, days],
      );
    await setIdle(2);
    expect(await search(key)).toEqual([ward.file]);
    const { last_active_at } = await client.vectorStores.retrieve(ward.store);
    expect(Date.now() / 1000 - (last_active_at ?? 0)).toBeLessThan(3600);
    await setIdle(4);
    expect(await search(key)).toEqual([]);
    expect((await client.files.list()).data).toHaveLength(1);
  });
});

describe("a key that is bound to several stores", () => {
  it("finds the documents of all, and uploads none", async () => {
    const { ward, kitchen, bind } = library;
    const { key } = await bind([ward.store, kitchen.store]);
    expect(await search(key)).toEqual([ward.file, kitchen.file].toSorted());
    expect(await search(key, { stores: [kitchen.store] })).toEqual([kitchen.file]);
    const { status, json } = await call("POST", "/v1/kb/documents", {
      ...{ key, body: { scope: "customer_kb", text: "The attic is closed." } },
    });
    expect([status, json.error.code]).toEqual([403, "insufficient_scope"]);
  });

  it("has all documents of a knowledge base that is among them", async () => {
    const { ward, bind } = await makeLibrary();
    const knowledge_scopes: CreateKey["knowledge_scopes"] = ["public_kb", "customer_kb"];
    const whole = await bind(["customer_kb"], { knowledge_scopes });
    expect(await search(whole.key)).toHaveLength(3);
    expect(await search(whole.key, { sources: ["public_kb"] })).toEqual([
      ...[403, "insufficient_scope"],
    ]);
    expect((await whole.client.vectorStores.create({ name: "more" })).name).toBe("more");
    const open = await bind(["public_kb", ward.store], { knowledge_scopes });
    expect(await search(open.key)).toEqual([ward.file]);
    const stores = await open.client.vectorStores.list({ order: "asc" });
    expect(stores.data.map(({ id }) => id)).toEqual(["public_kb", ward.store]);
  });
});

describe("binding a new key", () => {
  it("takes stores of the member's account in the key's knowledge scopes", async () => {
    const { ctx, ward } = library;
    const headers = await signedIn(ctx.actor.id);
    const create = async (stores: unknown, knowledge_scopes = ["customer_kb"]) => {
      const fields = { name: "Bound", mode: "test", scopes: ["kb:search"] };
      const body = { ...fields, knowledge_scopes, stores };
      const { status, json } = await call("POST", "/api/keys", { headers, body });
      return status === 201 ? json.key.stores : [status, json.error.param];
    };
    expect(await create([ward.store])).toEqual([ward.store]);
    expect(await create(null)).toBeNull();
    expect(await create([])).toEqual([400, "stores"]);
    expect(await create(["vs_01unknown"])).toEqual([400, "stores.0"]);
    expect(await create([ward.store, "nothing"])).toEqual([400, "stores.1"]);
    expect(await create(["public_kb"])).toEqual([400, "stores"]);
    expect(await create([ward.store], ["public_kb"])).toEqual([400, "stores"]);
    expect(await create([ward.store], ["personal_kb"])).toEqual([400, "stores.0"]);
    const other = await makeLibrary();
    expect(await create([other.ward.store])).toEqual([400, "stores.0"]);
    const { json } = await call("GET", "/api/settings/activity", { headers });
    expect(json.data.map(({ details }: { details: object }) => details)).toContainEqual({
      stores: [ward.store],
    });
  });
});
