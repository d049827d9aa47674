import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { revokeKey } from "@/lib/money/keys/write/keys";
import { db } from "@/lib/platform/db/client";
import { call, openai } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { anyAnswer, makeKeyPair, makeStoredAnswer } from "@/lib/testing/stored-answer";

type Completion = OpenAI.ChatCompletion;

const PATH = "/v1/chat/completions";
const UNKNOWN = "chatcmpl-01m7zaaaaaaaaaaaaaaaaaaaaa";
const NOT_FOUND = { status: 404, code: "not_found", param: "completion_id" };

async function makeStore() {
  const account = await makeAccount();
  const key = await makeKeyPair(account.ctx);
  return { member: account.ctx, ...key, client: openai(key.secret) };
}

/** Every operation on a stored answer. */
function waysTo(id: string, client: OpenAI): (() => PromiseLike<unknown>)[] {
  const { completions } = client.chat;
  return [
    () => completions.retrieve(id),
    () => completions.update(id, { metadata: { mine: "now" } }),
    () => completions.messages.list(id),
    () => completions.delete(id),
  ];
}

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) {
    ids.push(id);
  }
  return ids;
}

describe("a request with store: true", () => {
  const question = "What are the symptoms of asthma?";
  const request = {
    model: "footnote-extract-1",
    messages: [
      { role: "system" as const, content: "Be brief." },
      { role: "user" as const, content: question },
    ],
    store: true,
    metadata: { ward: "7" },
    citations: { enabled: true, top_k: 3 },
  };

  it("stores the answer unchanged, and the stock client reads it back with its evidence", async () => {
    const { key } = await makeKeyedAccount();
    const { data: answered, request_id } = await openai(key)
      .chat.completions.create(request)
      .withResponse();
    const stored = await openai(key).chat.completions.retrieve(answered.id);
    expect(stored).toEqual({
      ...answered,
      metadata: { ward: "7" },
      request_id,
      evidence: expect.any(Array),
    });
    const { citations, evidence } = stored as unknown as {
      citations: { id: number; chunk_id: string; excerpt: string }[];
      evidence: Record<string, unknown>[];
    };
    expect(citations).toHaveLength(3);
    expect(
      evidence.map(({ citation_id, chunk_id, excerpt }) => ({
        id: citation_id,
        chunk_id,
        excerpt,
      })),
    ).toEqual(citations.map(({ id, chunk_id, excerpt }) => ({ id, chunk_id, excerpt })));
    expect(evidence[0]).toMatchObject({
      document_version: expect.stringMatching(/^[0-9a-f]{64}$/),
      chunk_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      permalink: expect.stringContaining("/documents/doc_"),
    });
    const markers = answered.choices[0]?.message.content?.match(/\[\d\]/g) ?? [];
    const quotes = evidence.flatMap((source) => source.quotes as Record<string, unknown>[]);
    expect(markers.length).toBeGreaterThan(0);
    expect(quotes).toHaveLength(markers.length);
    for (const quote of quotes) {
      expect(quote).toMatchObject({
        choice_index: 0,
        claim: expect.any(String),
        text: expect.any(String),
        verdict: "supported",
        method: "rules",
      });
      const { text } = await documentTextAt(evidence, quote);
      expect(text).toBe(quote.text);
    }
  });

  it("stores the caller's messages without the inserted sources", async () => {
    const { key } = await makeKeyedAccount();
    const { id } = await openai(key).chat.completions.create(request);
    const { data } = await openai(key).chat.completions.messages.list(id);
    expect(data).toEqual(
      request.messages.map(({ role, content }, index) => ({
        id: `${id}-${index}`,
        role,
        content,
        name: null,
        content_parts: null,
      })),
    );
  });

  it("assembles a streamed answer from its chunks and stores it like a plain one", async () => {
    const { key } = await makeKeyedAccount();
    const plain = await openai(key).chat.completions.create(request);
    const stream = openai(key).chat.completions.stream({
      ...request,
      stream_options: { include_usage: true },
    });
    const answered = await stream.finalChatCompletion();
    expect(answered.id).not.toBe(plain.id);
    const kept = (await openai(key).chat.completions.retrieve(answered.id)) as Completion & Kept;
    const plainKept = (await openai(key).chat.completions.retrieve(plain.id)) as Completion & Kept;
    expect(kept.usage).toEqual(answered.usage);
    expect(kept.evidence.length).toBeGreaterThan(0);
    expect(comparable(kept)).toEqual(comparable(plainKept));
    expect(messageOf(kept)).toEqual(messageOf(answered));
    expect(kept.citations).toEqual((answered as unknown as Kept).citations);
    const { data } = await openai(key).chat.completions.list();
    expect(data.map(({ id }) => id)).toEqual([plain.id, answered.id]);
  });

  it("doesn't send store or metadata upstream, and forwards unstored requests unchanged", async () => {
    const { key } = await makeKeyedAccount();
    const ask = async (content: string, extra: object) => {
      await openai(key).chat.completions.create({
        model: "scripted",
        messages: [{ role: "user", content }],
        ...extra,
      });
      const text = (body: object) => JSON.stringify(body);
      return upstream().seen.findLast(({ body }) => text(body).includes(content))?.body;
    };
    const stored = await ask("needle-stored-1", { store: true, metadata: { ward: "7" } });
    expect(stored).not.toHaveProperty("store");
    expect(stored).not.toHaveProperty("metadata");
    const passed = await ask("needle-stored-2", { store: false, metadata: { ward: "7" } });
    expect(passed).toMatchObject({ metadata: { ward: "7" } });
    expect(passed).not.toHaveProperty("store", true);
  });

  it("is required for an answer to be stored", async () => {
    const { key, id } = await makeKeyedAccount();
    for (const store of [undefined, false, null]) {
      const answered = await openai(key).chat.completions.create({ ...request, store });
      const again = openai(key).chat.completions.retrieve(answered.id);
      await expect(again).rejects.toMatchObject(NOT_FOUND);
    }
    expect(await db().storedCompletion.count({ where: { accountId: id } })).toBe(0);
  });

  it("stores nothing when the request fails, before or during its stream", async () => {
    const { key, id } = await makeKeyedAccount();
    const failing = (script: object) => ({
      model: "scripted",
      messages: [{ role: "user" as const, content: `script:${JSON.stringify(script)}` }],
      store: true,
    });
    const { completions } = openai(key).chat;
    await expect(completions.create(failing({ status: 400 }))).rejects.toMatchObject({
      status: 400,
    });
    const broken = completions.stream(failing({ text: "one two three", breakAfter: 1 }));
    await expect(broken.finalChatCompletion()).rejects.toThrow();
    expect(await db().storedCompletion.count({ where: { accountId: id } })).toBe(0);
  });

  it("rejects metadata beyond OpenAI's limits, naming the field", async () => {
    const { key } = await makeKeyedAccount();
    const pairs = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "v"]));
    const refused: [unknown, string][] = [
      ["ward 7", "metadata"],
      [[["ward", "7"]], "metadata"],
      [7, "metadata"],
      [pairs(17), "metadata"],
      [{ ward: 7 }, "metadata.ward"],
      [{ ward: null }, "metadata.ward"],
      [{ ward: { number: "7" } }, "metadata.ward"],
      [{ ward: "x".repeat(513) }, "metadata.ward"],
      [{ ward: "a\0b" }, "metadata.ward"],
      [{ ward: "\ud83d" }, "metadata.ward"],
      [{ ["k".repeat(65)]: "v" }, `metadata.${"k".repeat(65)}`],
      [{ "": "v" }, "metadata."],
      [{ "a\0": "v" }, "metadata.a\0"],
      [JSON.parse('{"__proto__": "v"}'), "metadata"],
    ];
    for (const [metadata, param] of refused) {
      const { status, json } = await call("POST", PATH, { key, body: { ...request, metadata } });
      expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_request", param]);
    }
    for (const store of ["true", 1, {}]) {
      const { status, json } = await call("POST", PATH, { key, body: { ...request, store } });
      expect([status, json.error.param]).toEqual([400, "store"]);
    }
    const largest = { ...pairs(15), ["😀".repeat(64)]: "😀".repeat(512) };
    const { id } = await openai(key).chat.completions.create({ ...request, metadata: largest });
    expect((await openai(key).chat.completions.retrieve(id)).metadata).toEqual(largest);
  });
});

interface Kept {
  evidence: Record<string, unknown>[];
  citations: unknown;
}

/** The parts that two answers to the same question have in common. */
function comparable(completion: Completion & Kept) {
  const { choices, citations, evidence } = completion;
  const finish = choices[0]?.finish_reason;
  return { message: messageOf(completion), finish, citations, evidence };
}

/** A message without the nulls that plain answers and client helpers add. */
function messageOf({ choices }: Completion) {
  const message = choices[0]?.message as Completion["choices"][number]["message"] & {
    verification: object;
  };
  const { role, content, annotations, verification } = message;
  expect([content, annotations, verification]).toEqual([
    expect.stringContaining("[1]"),
    expect.arrayContaining([expect.anything()]),
    expect.objectContaining({ method: "rules" }),
  ]);
  return { role, content, annotations, verification };
}

/** The stored document's text at a quote's range, found through the quote's evidence. */
async function documentTextAt(evidence: Record<string, unknown>[], quote: Record<string, unknown>) {
  const source = evidence.find(({ quotes }) => (quotes as unknown[]).includes(quote));
  const chunk = await db().chunk.findFirstOrThrow({ where: { id: String(source?.chunk_id) } });
  const offset = (place: unknown) => Number(place) - chunk.charStart;
  return { text: chunk.text.slice(offset(quote.char_start), offset(quote.char_end)) };
}

describe("the stock client", () => {
  it("lists everything the key can see, in both orders and page by page", async () => {
    const { ctx, client, secret } = await makeStore();
    const kept: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      kept.push(await makeStoredAnswer(ctx));
    }
    const { completions } = client.chat;
    expect(await idsOf(completions.list())).toEqual(kept);
    expect(await idsOf(completions.list({ limit: 2 }))).toEqual(kept);
    expect(await idsOf(completions.list({ limit: 2, order: "desc" }))).toEqual(kept.toReversed());
    const { json } = await call("GET", `${PATH}?limit=2&after=${kept[0]}`, {
      key: secret,
    });
    expect(json).toMatchObject({
      object: "list",
      data: [{ id: kept[1], object: "chat.completion" }, { id: kept[2] }],
      first_id: kept[1],
      last_id: kept[2],
      has_more: true,
    });
    expect(json.data[0]).not.toHaveProperty("evidence");
    const last = await completions.list({ after: kept[4] ?? "" });
    expect([last.data, last.has_more]).toEqual([[], false]);
  });

  it("continues after a cursor whose answer was deleted", async () => {
    const { ctx, client } = await makeStore();
    const kept = [
      await makeStoredAnswer(ctx),
      await makeStoredAnswer(ctx),
      await makeStoredAnswer(ctx),
    ];
    const [first = ""] = kept;
    await client.chat.completions.delete(first);
    expect(await idsOf(client.chat.completions.list({ after: first }))).toEqual(kept.slice(1));
  });

  it("filters by model and by any metadata pair", async () => {
    const { ctx, client } = await makeStore();
    const odd = {
      "a[b]": "brackets",
      "a][b": "more [of] them",
      "ünï.cöde 😀": "ä=b&c+d %20",
      'it\'s "quoted"': "' OR '1'='1",
      constructor: "x",
      toString: "",
    };
    const withOdd = await makeStoredAnswer(ctx, { metadata: { ...odd, ward: "7" } });
    const other = await makeStoredAnswer(ctx, {
      metadata: { ward: "7" },
      response: { ...anyAnswer(), model: "vendor/with-fallback" },
    });
    const { completions } = client.chat;
    for (const [name, value] of Object.entries(odd)) {
      const by = (metadata: Record<string, string>) => idsOf(completions.list({ metadata }));
      expect([name, await by({ [name]: value })]).toEqual([name, [withOdd]]);
      expect([name, await by({ [name]: `${value}x` })]).toEqual([name, []]);
    }
    expect(await idsOf(completions.list({ metadata: { ward: "7" } }))).toEqual([withOdd, other]);
    expect(await idsOf(completions.list({ metadata: { ward: "7", toString: "" } }))).toEqual([
      withOdd,
    ]);
    expect(await idsOf(completions.list({ model: "vendor/with-fallback" }))).toEqual([other]);
    expect(await idsOf(completions.list({ model: "vendor" }))).toEqual([]);
  });

  it("replaces only an answer's metadata", async () => {
    const { ctx, client } = await makeStore();
    const id = await makeStoredAnswer(ctx, { metadata: { ward: "7", bed: "2" } });
    const before = await client.chat.completions.retrieve(id);
    const after = await client.chat.completions.update(id, { metadata: { ward: "8" } });
    expect(after).toEqual({ ...before, metadata: { ward: "8" } });
    expect(await client.chat.completions.retrieve(id)).toEqual(after);
    const cleared = await client.chat.completions.update(id, { metadata: null });
    expect(cleared.metadata).toEqual({});
  });

  it("deletes an answer once, with everything stored for it", async () => {
    const { ctx, client } = await makeStore();
    const id = await makeStoredAnswer(ctx);
    expect(await client.chat.completions.delete(id)).toEqual({
      id,
      object: "chat.completion.deleted",
      deleted: true,
    });
    expect(await db().storedCompletion.count({ where: { id } })).toBe(0);
    for (const attempt of waysTo(id, client)) {
      await expect(attempt()).rejects.toMatchObject(NOT_FOUND);
    }
  });

  it("lists an answer's messages with ids, with content parts separate from text, in both orders and by page", async () => {
    const { ctx, client } = await makeStore();
    const parts = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: "https://a.example/x.png" } },
    ];
    const id = await makeStoredAnswer(ctx, {
      messages: [
        { role: "user", content: parts, name: "ana" },
        { role: "assistant", content: null, tool_calls: [{ id: "call_1" }] },
        { role: "tool", content: "snow", tool_call_id: "call_1" },
      ],
    });
    const { messages } = client.chat.completions;
    const { data } = await messages.list(id);
    expect(data).toEqual([
      { id: `${id}-0`, role: "user", content: null, content_parts: parts, name: "ana" },
      {
        id: `${id}-1`,
        role: "assistant",
        content: null,
        content_parts: null,
        name: null,
        tool_calls: [{ id: "call_1" }],
      },
      {
        id: `${id}-2`,
        role: "tool",
        content: "snow",
        content_parts: null,
        name: null,
        tool_call_id: "call_1",
      },
    ]);
    const all = data.map((message) => message.id);
    expect(await idsOf(messages.list(id, { limit: 1 }))).toEqual(all);
    expect(await idsOf(messages.list(id, { limit: 2, order: "desc" }))).toEqual(all.toReversed());
  });
});

describe("an answer the key can't see", () => {
  it("isn't found if its id is unknown or malformed, or it belongs to another account, person or scope set", async () => {
    const { member, ctx, client } = await makeStore();
    const personal = (person: string) =>
      makeKeyPair(member, { knowledge_scopes: ["public_kb", "personal_kb"], person });
    const ana = await personal("patient-1");
    const ofAna = await makeStoredAnswer(ana.ctx, { knowledgeScopes: ["personal_kb"] });
    const ofBoth = await makeStoredAnswer(ctx, { knowledgeScopes: ["public_kb", "customer_kb"] });
    const ben = openai((await personal("patient-2")).secret);
    const fewer = openai((await makeKeyPair(member, { knowledge_scopes: ["public_kb"] })).secret);
    const stranger = (await makeStore()).client;
    const hidden: [OpenAI, string][] = [
      [client, UNKNOWN],
      [client, ofAna],
      [ben, ofAna],
      [stranger, ofAna],
      [fewer, ofBoth],
      [stranger, ofBoth],
      [openai(ana.secret), ofBoth],
      ...["nope", "chatcmpl-", ofBoth.toUpperCase(), `${ofBoth}x`, "req_1", "%", "a/b", "ü"].map(
        (id): [OpenAI, string] => [client, id],
      ),
      [client, "chatcmpl-\0"],
      [client, `chatcmpl-${"a".repeat(5000)}`],
      [client, "' OR '1'='1"],
    ];
    const rows = () => db().storedCompletion.findMany({ where: { accountId: ctx.account.id } });
    const before = await rows();
    for (const [asker, id] of hidden) {
      for (const attempt of waysTo(id, asker)) {
        await expect(attempt(), id).rejects.toMatchObject({ status: 404, code: "not_found" });
      }
    }
    expect(await rows()).toEqual(before);
    for (const asker of [ben, fewer, stranger]) {
      const page = await asker.chat.completions.list({ after: ofAna, order: "desc" });
      expect([page.data, page.has_more]).toEqual([[], false]);
    }
    expect(await idsOf(client.chat.completions.list())).toEqual([ofBoth]);
    // Used as a cursor, a foreign id looks the same as an unknown one.
    expect(await idsOf(client.chat.completions.list({ after: ofAna }))).toEqual([ofBoth]);
  });

  it("is refused to a key without the scope, a revoked key and no key", async () => {
    const { member, ctx, client, id: keyId } = await makeStore();
    const id = await makeStoredAnswer(ctx);
    const scopeless = await makeKey(member, { scopes: ["billing:read"] });
    const attempts = (asker: OpenAI) => [
      ...waysTo(id, asker),
      () => asker.chat.completions.list() as PromiseLike<unknown>,
    ];
    for (const attempt of attempts(openai(scopeless.secret))) {
      await expect(attempt()).rejects.toMatchObject({ status: 403, code: "insufficient_scope" });
    }
    await revokeKey(member, keyId);
    for (const attempt of attempts(client)) {
      await expect(attempt()).rejects.toMatchObject({ status: 403, code: "invalid_api_key" });
    }
    for (const [method, path] of [
      ["GET", PATH],
      ["GET", `${PATH}/${id}`],
      ["POST", `${PATH}/${id}`],
      ["DELETE", `${PATH}/${id}`],
      ["GET", `${PATH}/${id}/messages`],
    ] as const) {
      expect((await call(method, path)).status).toBe(401);
    }
    const other = await makeKeyPair(member);
    expect((await openai(other.secret).chat.completions.retrieve(id)).id).toBe(id);
  });
});

describe("an invalid request", () => {
  it("for a list is rejected, naming the parameter", async () => {
    const { key } = await makeKeyedAccount();
    const refused: [string, string][] = [
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["limit=x", "limit"],
      ["limit=1.5", "limit"],
      ["limit=-1", "limit"],
      ["limit=", "limit"],
      ["limit=2&limit=3", "limit"],
      ["order=newest", "order"],
      ["order=DESC", "order"],
      ["after=nope", "after"],
      ["after=%00", "after"],
      [`after=${encodeURIComponent("chatcmpl-' OR 1")}`, "after"],
      [`after=chatcmpl-${"a".repeat(61)}`, "after"],
      [`model=${"m".repeat(201)}`, "model"],
      ["model=%00", "model"],
      ["before=x", "before"],
      ["metadata=x", "metadata"],
      ["metadata[a]=1&metadata=x", "metadata"],
      ["metadata[a]=1&metadata[a]=2", "metadata[a]"],
      ["metadata[]=x", "metadata."],
      ["metadata[a]=%00", "metadata[a]"],
      ["metadata[%00]=a", "metadata.\0"],
      ["metadata[__proto__]=a", "metadata"],
      [`metadata[a]=${"x".repeat(513)}`, "metadata.a"],
      [`metadata[${"k".repeat(65)}]=x`, `metadata.${"k".repeat(65)}`],
      [Array.from({ length: 17 }, (_, at) => `metadata[k${at}]=x`).join("&"), "metadata"],
    ];
    for (const [query, param] of refused) {
      const { status, json } = await call("GET", `${PATH}?${query}`, { key });
      expect([query, status, json.error.code, json.error.param]).toEqual([
        query,
        400,
        "invalid_request",
        param,
      ]);
    }
  });

  it("for messages is rejected, naming the parameter", async () => {
    const { ctx, secret } = await makeStore();
    const id = await makeStoredAnswer(ctx);
    const other = await makeStoredAnswer(ctx);
    for (const [query, param] of [
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["order=up", "order"],
      ["after=nope", "after"],
      [`after=${other}-0`, "after"],
      [`after=${id}-1`, "after"],
      [`after=${"a".repeat(101)}`, "after"],
      ["model=scripted", "model"],
    ]) {
      const { status, json } = await call("GET", `${PATH}/${id}/messages?${query}`, {
        key: secret,
      });
      expect([query, status, json.error.param]).toEqual([query, 400, param]);
    }
  });

  it("for an update is rejected and changes nothing", async () => {
    const { ctx, secret, client } = await makeStore();
    const id = await makeStoredAnswer(ctx, { metadata: { ward: "7" } });
    const refused: [unknown, string | null][] = [
      [{}, "metadata"],
      [{ metadata: "x" }, "metadata"],
      [{ metadata: [] }, "metadata"],
      [{ metadata: { ward: 8 } }, "metadata.ward"],
      [{ metadata: { ward: "\0" } }, "metadata.ward"],
      [{ metadata: {}, messages: [] }, "messages"],
      [{ metadata: {}, model: "other" }, "model"],
      [[], null],
      [null, null],
    ];
    for (const [body, param] of refused) {
      const { status, json } = await call("POST", `${PATH}/${id}`, { key: secret, body });
      expect([status, json.error.param]).toEqual([400, param]);
    }
    const raw = { key: secret, raw: "{}", headers: { "content-type": "text/plain" } };
    expect((await call("POST", `${PATH}/${id}`, raw)).status).toBe(415);
    expect((await client.chat.completions.retrieve(id)).metadata).toEqual({ ward: "7" });
  });

  it("with another method gets the allowed methods", async () => {
    const { secret } = await makeStore();
    const allowed = async (method: string, path: string) => {
      const { status, headers } = await call(method, path, { key: secret });
      return [status, headers.get("allow")];
    };
    expect(await allowed("DELETE", PATH)).toEqual([405, "GET, POST"]);
    expect(await allowed("PATCH", `${PATH}/${UNKNOWN}`)).toEqual([405, "GET, POST, DELETE"]);
    expect(await allowed("POST", `${PATH}/${UNKNOWN}/messages`)).toEqual([405, "GET"]);
  });
});
