import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { quoteRefOf } from "@/lib/library/documents/quote-ref";
import { replaceEmbedder } from "@/lib/models/embedding";
import { query } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { setCalibration } from "@/lib/testing/calibration";
import { makeAccount, makeKey, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const PATH = "/v1/kb/documents";
const OLD = "The zebrafish clinic opens at 07:45. Dr. Amsler leads it on Tuesdays.";
const NEW =
  "Since May, all is later. The zebrafish clinic opens at 09:15. Dr. Amsler leads it on Tuesdays.";

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

function upload(key: string, body: object) {
  return call("POST", PATH, { key, body: { scope: "customer_kb", ...body } });
}

function replace(key: string, text: string, more: object = {}) {
  return upload(key, { external_id: "clinic", on_duplicate: "replace", text, ...more });
}

async function endOf(key: string, jobId: string) {
  return (await call("GET", `/v1/kb/jobs/${jobId}?wait=30`, { key })).json;
}

async function ingest(key: string, body: object) {
  const { json } = await upload(key, body);
  expect((await endOf(key, json.job_id)).status).toBe("completed");
  return json;
}

async function read(key: string, id: string) {
  return (await call("GET", `${PATH}/${id}`, { key })).json;
}

/** The documents and texts that a search finds. */
async function found(key: string, words: string, more: object = {}) {
  const body = { query: words, sources: ["customer_kb"], min_score: 0, ...more };
  const { json } = await call("POST", "/v1/kb/search", { key, body });
  return json.data as { document_id: string; text: string; title: string; document?: object }[];
}

/** An embedding model that waits before the passages with this word, until `release` is called. */
function holdWord(word: string): () => void {
  const gate = Promise.withResolvers<void>();
  replaceEmbedder({
    space: "gate@2",
    dimensions: 2,
    embedPassages: async (texts, signal) => {
      if (texts.join().includes(word)) {
        await Promise.race([
          gate.promise,
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        ]);
      }
      return texts.map(() => Float32Array.of(1, 0));
    },
    embedQuery: async () => Float32Array.of(1, 0),
  });
  onTestFinished(() => {
    gate.resolve();
    replaceEmbedder(undefined);
  });
  return gate.resolve;
}

/** The stored counts of terms and chunks, and the same counted again. */
async function counts(accountId: string) {
  const id = `customer_kb:${accountId}`;
  const stored = await query(
    "test_stored_terms",
    "SELECT term_key, chunk_count FROM document_frequency WHERE collection_id = $1 ORDER BY 1",
    [id],
  );
  const recount = await query(
    "test_recounted_terms",
    "SELECT k AS term_key, count(*)::int AS chunk_count FROM chunk, unnest(term_keys) k WHERE collection_id = $1 GROUP BY 1 ORDER BY 1",
    [id],
  );
  return { stored, recount };
}

describe("external_id", () => {
  it("finds a document, and belongs to one document of a scope", async () => {
    const { key } = await makeKeyedAccount();
    const first = await ingest(key, { external_id: "clinic", text: OLD });
    const again = await upload(key, { external_id: "clinic", text: NEW });
    expect(again.json).toMatchObject({ id: first.id, deduplicated: true, status: "completed" });
    const { json } = await call("GET", `${PATH}?external_id=clinic`, { key });
    expect(json.data).toHaveLength(1);
    expect(json.data[0]).toMatchObject({
      id: first.id,
      external_id: "clinic",
      standing: "current",
    });
    expect((await found(key, "zebrafish clinic"))[0]?.text).toBe(OLD);
    const none = await call("GET", `${PATH}?external_id=other`, { key });
    expect(none.json.data).toEqual([]);
  });

  it("makes equal files different documents, and is given to one uploaded without it", async () => {
    const { key } = await makeKeyedAccount();
    const plain = await ingest(key, { text: OLD });
    const named = await upload(key, { external_id: "a/license", text: OLD });
    expect(named.json).toMatchObject({ id: plain.id, deduplicated: true });
    const other = await ingest(key, { external_id: "b/license", text: OLD });
    expect(other).toMatchObject({ deduplicated: false });
    expect(other.id).not.toBe(plain.id);
    expect((await read(key, plain.id)).external_id).toBe("a/license");
  });

  it("is separate in each account, and needed to replace", async () => {
    const [one, two] = [await makeKeyedAccount(), await makeKeyedAccount()];
    const first = await ingest(one.key, { external_id: "clinic", text: OLD });
    const second = await replace(two.key, NEW);
    expect(second.json).toMatchObject({ deduplicated: false });
    expect(second.json.id).not.toBe(first.id);
    const { json } = await call("GET", `${PATH}?external_id=clinic`, { key: one.key });
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([first.id]);
    const unnamed = await upload(one.key, { on_duplicate: "replace", text: NEW });
    expect([unnamed.status, unnamed.json.error.param]).toEqual([400, "external_id"]);
  });
});

describe("on_duplicate: replace", () => {
  it("keeps the id, and searches change in one commit", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const first = await ingest(key, { external_id: "clinic", text: OLD, metadata: { ward: 7 } });
    const release = holdWord("09:15");
    const second = await replace(key, NEW, { source_type: "plan" });
    expect(second.json).toMatchObject({ id: first.id, deduplicated: true, status: "queued" });
    expect(second.json.job_id).not.toBe(first.job_id);
    expect(await read(key, first.id)).toMatchObject({ chunks: 1, source_type: "document" });
    expect((await found(key, "zebrafish clinic opens"))[0]?.text).toBe(OLD);
    release();
    expect(await endOf(key, second.json.job_id)).toMatchObject({ status: "completed" });
    const hits = await found(key, "zebrafish clinic opens", { source_types: ["plan"] });
    expect(hits.map(({ document_id, text }) => [document_id, text])).toEqual([[first.id, NEW]]);
    expect(await found(key, "zebrafish clinic opens")).toHaveLength(1);
    const after = await read(key, first.id);
    expect(after).toMatchObject({ chunks: 1, metadata: { ward: 7 }, size_bytes: NEW.length });
    expect(after.updated_at > after.created_at).toBe(true);
    const { stored, recount } = await counts(accountId);
    expect(stored).toEqual(recount);
  });

  it("tells the links to the old version whether their words moved or changed", async () => {
    const { key } = await makeKeyedAccount();
    const { id } = await ingest(key, { external_id: "clinic", text: OLD });
    const refTo = (text: string) => {
      const start = OLD.indexOf(text);
      return quoteRefOf({ text, start, end: start + text.length });
    };
    const status = async (ref: string) =>
      (await call("GET", `${PATH}/${id}/quote?ref=${ref}`, { key })).json.status;
    const [kept, gone] = [refTo("Dr. Amsler leads it"), refTo("opens at 07:45")];
    expect([await status(kept), await status(gone)]).toEqual(["current", "current"]);
    await endOf(key, (await replace(key, NEW)).json.job_id);
    expect([await status(kept), await status(gone)]).toEqual(["moved", "changed"]);
  });

  it("leaves the old version when the new one fails or is canceled, and charges like an upload", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const { id } = await ingest(key, { external_id: "clinic", text: OLD });
    const before = await readMoney(accountId);
    const empty = await replace(key, " \n ");
    expect(await endOf(key, empty.json.job_id)).toMatchObject({ status: "failed" });
    const release = holdWord("09:15");
    const { json } = await replace(key, NEW);
    expect((await call("POST", `/v1/kb/jobs/${json.job_id}/cancel`, { key })).status).toBe(200);
    expect(await readMoney(accountId)).toMatchObject({ balance: before.balance, held: 0n });
    expect((await found(key, "zebrafish clinic opens"))[0]?.text).toBe(OLD);
    expect(await read(key, id)).toMatchObject({ status: "cancelled", size_bytes: OLD.length });
    release();
    const again = await replace(key, NEW);
    const job = await endOf(key, again.json.job_id);
    expect(job.status).toBe("completed");
    const { balance, held, ledgerSum } = await readMoney(accountId);
    expect([held, ledgerSum]).toEqual([0n, balance]);
    expect(balance).toBeLessThan(before.balance);
  });

  it("lets the newest of several versions win", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const { id } = await ingest(key, { external_id: "clinic", text: OLD });
    const release = holdWord("version");
    const texts = ["one", "two", "three"].map((name) => `The zebrafish version is ${name}.`);
    const [one, two] = await Promise.all(texts.slice(0, 2).map((text) => replace(key, text)));
    const last = await replace(key, texts[2] ?? "");
    const same = await replace(key, texts[2] ?? "");
    expect(same.json).toMatchObject({ id, job_id: last.json.job_id });
    release();
    const ends = [one, two, last].map((each) => endOf(key, each?.json.job_id));
    const statuses = (await Promise.all(ends)).map(({ status }) => status);
    expect(statuses).toEqual(["cancelled", "cancelled", "completed"]);
    expect((await found(key, "zebrafish")).map(({ text }) => text)).toEqual([texts[2]]);
    expect((await readMoney(accountId)).held).toBe(0n);
    const { stored, recount } = await counts(accountId);
    expect(stored).toEqual(recount);
  });

  it("only changes the description when the bytes are the same", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const first = await ingest(key, { external_id: "clinic", text: OLD });
    const { balance } = await readMoney(accountId);
    const again = await replace(key, OLD, { title: "Opening hours", metadata: { edition: 2 } });
    expect(again.json).toMatchObject({ job_id: first.job_id, status: "completed" });
    expect(await readMoney(accountId)).toMatchObject({ balance, held: 0n });
    expect(await read(key, first.id)).toMatchObject({
      title: "Opening hours",
      metadata: { edition: 2 },
    });
    await endOf(key, (await replace(key, NEW)).json.job_id);
    expect((await read(key, first.id)).title).toBe("Opening hours");
  });

  it("replaces a version that was never searchable", async () => {
    const { key } = await makeKeyedAccount();
    const failed = await upload(key, { external_id: "clinic", text: " \n " });
    expect((await endOf(key, failed.json.job_id)).status).toBe("failed");
    const { json } = await upload(key, { external_id: "clinic", text: OLD });
    expect(json.id).toBe(failed.json.id);
    expect((await endOf(key, json.job_id)).status).toBe("completed");
    expect((await found(key, "zebrafish"))[0]?.text).toBe(OLD);
  });
});

describe("PATCH /v1/kb/documents/{id}", () => {
  const patch = (key: string, id: string, body: object) =>
    call("PATCH", `${PATH}/${id}`, { key, body });

  it("changes what it names, and search by the next request", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const url = "https://intranet.example/clinic";
    const { id } = await ingest(key, { text: OLD, title: "Notes", url, metadata: { ward: 7 } });
    expect(await found(key, "aquarium")).toEqual([]);
    const { status, json } = await patch(key, id, { title: "Aquarium", source_type: "plan" });
    expect([status, json]).toEqual([200, await read(key, id)]);
    expect(json).toMatchObject({
      title: "Aquarium",
      source_type: "plan",
      url,
      metadata: { ward: 7 },
    });
    const [hit] = await found(key, "aquarium", { source_types: ["plan"] });
    expect(hit).toMatchObject({ document_id: id, title: "Aquarium" });
    expect(await found(key, "notes")).toEqual([]);
    const { stored, recount } = await counts(accountId);
    expect(stored).toEqual(recount);
    const cleared = await patch(key, id, { url: "", published_at: "2026-05-01", title: null });
    expect(cleared.json).toMatchObject({
      ...{ url: null, title: "Aquarium", metadata: { ward: 7 } },
      published_at: "2026-05-01T00:00:00.000Z",
    });
  });

  it("rejects what it can't change", async () => {
    const { key } = await makeKeyedAccount();
    const { id } = await ingest(key, { text: OLD });
    for (const [body, param] of [
      [{}, null],
      [{ title: " " }, "title"],
      [{ standing: "withdrawn" }, "standing"],
      [{ text: NEW }, "text"],
      [{ metadata: { page: 1 } }, "metadata"],
    ] as const) {
      const { status, json } = await patch(key, id, body);
      expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_request", param]);
    }
    expect((await patch(key, "doc_unknown", { title: "X" })).status).toBe(404);
    const { ctx } = await makeAccount();
    const other = await makeKey(ctx);
    expect((await patch(other.secret, id, { title: "X" })).status).toBe(404);
  });

  it("waits for a title until the job in progress ends, and keeps other changes through it", async () => {
    const { key } = await makeKeyedAccount();
    const { id } = await ingest(key, { external_id: "clinic", text: OLD });
    const release = holdWord("09:15");
    const { json } = await replace(key, NEW, {
      metadata: { edition: 2 },
      url: "https://a.example/",
    });
    const refused = await patch(key, id, { title: "Aquarium" });
    expect([refused.status, refused.json.error.param]).toEqual([409, "title"]);
    const kept = { metadata: { edition: 3 }, source_type: "plan" };
    expect((await patch(key, id, kept)).status).toBe(200);
    release();
    await endOf(key, json.job_id);
    expect(await read(key, id)).toMatchObject({ ...kept, url: "https://a.example/" });
    const [hit] = await found(key, "zebrafish clinic", { source_types: ["plan"] });
    expect(hit).toMatchObject({ document_id: id, source_type: "plan" });
  });
});

describe("standing", () => {
  const patch = (key: string, id: string, standing: string) =>
    call("PATCH", `${PATH}/${id}`, { key, body: { standing } });

  async function ask(key: string, citations: object) {
    const { json } = await call("POST", "/v1/chat/completions", {
      key,
      body: {
        model: "footnote-extract-1",
        messages: [{ role: "user", content: "When does the zebrafish clinic open?" }],
        citations: { enabled: true, sources: ["customer_kb"], ...citations },
      },
    });
    return json;
  }

  async function searchFiles(key: string, citations: object) {
    const { json } = await call("POST", "/v1/responses", {
      key,
      body: {
        model: "footnote-extract-1",
        input: "When does the zebrafish clinic open?",
        tools: [{ type: "file_search", vector_store_ids: ["customer_kb"] }],
        include: ["file_search_call.results"],
        citations,
      },
    });
    return json;
  }

  it("keeps retracted documents out of searches and answers unless they are asked for", async () => {
    const { key } = await makeKeyedAccount();
    const title = "Zebrafish clinic";
    const { id } = await ingest(key, { external_id: "clinic", text: OLD, title });
    await patch(key, id, "retracted");
    expect(await found(key, "zebrafish clinic")).toEqual([]);
    expect((await ask(key, {})).citations).toEqual([]);
    const [hit] = await found(key, "zebrafish clinic", { include_retracted: true });
    expect(hit).toMatchObject({ document_id: id, document: { standing: "retracted" } });
    const answer = await ask(key, { include_retracted: true });
    expect(answer.citations[0]).toMatchObject({ document: { standing: "retracted" } });
    expect(answer.retrieval.notices).toMatchObject([{ code: "retracted_sources" }]);
    expect(answer.choices[0].message.content).toMatch(/07:45 \[1\][\s\S]*was retracted/);
    expect((await searchFiles(key, {})).citations).toEqual([]);
    const response = await searchFiles(key, { include_retracted: true });
    expect(response.citations).toMatchObject([{ document: { standing: "retracted" } }]);
    expect(response.output[0].results).toMatchObject([{ file_id: id }]);
    await endOf(key, (await replace(key, NEW)).json.job_id);
    expect(await found(key, "zebrafish clinic")).toEqual([]);
    await patch(key, id, "current");
    expect((await found(key, "zebrafish clinic"))[0]).not.toHaveProperty("document");
  });

  it("keeps retracted documents out with an embedding model, too", async () => {
    const { key } = await makeKeyedAccount();
    holdWord("no such word");
    await setCalibration("gate@2");
    const { id } = await ingest(key, { text: OLD, standing: "retracted" });
    expect(await found(key, "anything")).toEqual([]);
    expect(await found(key, "anything", { include_retracted: true })).toHaveLength(1);
    await patch(key, id, "current");
    expect(await found(key, "anything")).toHaveLength(1);
  });

  it("marks superseded documents, which are still found", async () => {
    const { key } = await makeKeyedAccount();
    const { id } = await ingest(key, { text: OLD, standing: "superseded" });
    expect((await found(key, "zebrafish clinic"))[0]).toMatchObject({
      document_id: id,
      document: { standing: "superseded" },
    });
    expect((await ask(key, {})).citations[0].document).toEqual({ standing: "superseded" });
  });
});
