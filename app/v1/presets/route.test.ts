import { describe, expect, it } from "vitest";
import { closeAccount } from "@/lib/operations/accounts/write";
import { db } from "@/lib/platform/db/client";
import { call, openai } from "@/lib/testing/api";
import { breakSearch } from "@/lib/testing/break-search";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";

const PATH = "/v1/presets";
const MODEL = "footnote-extract-1";
const ASKED = [{ role: "user" as const, content: "What are the signs of a stroke?" }];

/** A key with a preset of the built-in model. */
async function withPreset(citations: object = {}, overrides: object = {}) {
  const account = await makeKeyedAccount({ models: [MODEL, "scripted"], ...overrides });
  const { json } = await call("POST", PATH, {
    key: account.key,
    body: { name: "cited", model: MODEL, citations },
  });
  return { ...account, preset: json, model: `${MODEL}:cited` };
}

async function ask(key: string, body: object) {
  return call("POST", "/v1/chat/completions", { key, body: { messages: ASKED, ...body } });
}

const errorOf = ({ status, json }: Awaited<ReturnType<typeof call>>) => [
  status,
  json.error.code,
  json.error.param,
];

describe("/v1/presets", () => {
  it("creates, returns, lists, changes and deletes a preset", async () => {
    const { key, preset } = await withPreset({ top_k: 3 });
    expect(preset).toEqual({
      id: expect.stringMatching(/^pst_/),
      object: "preset",
      name: "cited",
      model: MODEL,
      model_id: `${MODEL}:cited`,
      citations: { enabled: true, required: true, on_empty: "say_so", top_k: 3 },
      ignore_unsupported: true,
      can_change: true,
      created_at: expect.any(String),
      updated_at: preset.created_at,
    });
    const path = `${PATH}/${preset.id}`;
    expect((await call("GET", path, { key })).json).toEqual(preset);
    expect((await call("GET", PATH, { key })).json).toEqual({
      object: "list",
      data: [preset],
      has_more: false,
      next_cursor: null,
    });
    const changed = await call("POST", path, { key, body: { citations: { return: "cited" } } });
    expect(changed.json).toMatchObject({ citations: { enabled: true, return: "cited" } });
    expect((await call("DELETE", path, { key })).json).toEqual({
      id: preset.id,
      object: "preset",
      deleted: true,
    });
    expect(errorOf(await call("GET", path, { key }))).toEqual([404, "not_found", "id"]);
    expect(errorOf(await call("DELETE", path, { key }))).toEqual([404, "not_found", "id"]);
  });

  it.each([
    ["a name with a colon", { name: "a:b" }, 400, "name"],
    ["a name with capitals", { name: "Cited" }, 400, "name"],
    ["an unknown model", { model: "gpt-0" }, 400, "model"],
    ["a model outside the key's list", { model: "scripted-slow" }, 400, "model"],
    ["a preset as the model", { model: `${MODEL}:cited` }, 400, "model"],
    ["an unknown field", { citations: { top: 3 } }, 400, "citations.top"],
    ["a text to search for", { citations: { query: { text: "stroke" } } }, 400, "citations.query"],
    [
      "options that contradict each other",
      { citations: { verify: "off", on_unsupported: "strip" } },
      400,
      "citations.on_unsupported",
    ],
    [
      "a knowledge base the key can't read",
      { citations: { sources: ["personal_kb"] } },
      403,
      "citations.sources",
    ],
    ["a name that is taken", { name: "cited" }, 409, "name"],
  ])("refuses %s", async (_, body, status, param) => {
    const { key } = await withPreset();
    const answer = await call("POST", PATH, {
      key,
      body: { name: "other", model: MODEL, ...body },
    });
    expect([answer.status, answer.json.error.param]).toEqual([status, param]);
  });

  it("has the defaults when its citations are null", async () => {
    const { key } = await withPreset();
    const body = { name: "plain", model: MODEL, citations: null };
    const { status, json } = await call("POST", PATH, { key, body });
    expect([status, json.citations]).toEqual([
      201,
      { enabled: true, required: true, on_empty: "say_so" },
    ]);
  });

  it("is not listed after text that is no cursor", async () => {
    const { key } = await withPreset();
    for (const after of ["x", "doc_1", "pst_"]) {
      const answer = await call("GET", `${PATH}?after=${after}`, { key });
      expect([answer.status, answer.json.error?.param]).toEqual([400, "after"]);
    }
  });

  it("is changed by the key that made it, and by no other key", async () => {
    const { ctx, preset } = await withPreset();
    const other = await makeKey(ctx, { models: [MODEL] });
    const path = `${PATH}/${preset.id}`;
    expect((await call("GET", path, { key: other.secret })).json.can_change).toBe(false);
    const body = { citations: { enabled: false } };
    const changed = await call("POST", path, { key: other.secret, body });
    expect(errorOf(changed)).toEqual([403, "insufficient_scope", null]);
    const deleted = await call("DELETE", path, { key: other.secret });
    expect(errorOf(deleted)).toEqual([403, "insufficient_scope", null]);
  });

  it("doesn't let concurrent requests exceed the limit of an account", async () => {
    const { id: accountId, key } = await makeKeyedAccount();
    const rows = Array.from({ length: 98 }, (_, at) => ({
      ...{ id: `pst_limit_${accountId}_${at}`, accountId },
      ...{ name: `n${at}`, model: MODEL, citations: {} },
    }));
    await db().preset.createMany({ data: rows });
    const answers = await Promise.all(
      [1, 2, 3, 4].map((at) =>
        call("POST", PATH, { key, body: { name: `new${at}`, model: MODEL } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
  });

  it("is deleted with its account", async () => {
    const { ctx, id: accountId } = await withPreset();
    const { name } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(ctx, { confirmation: name });
    expect(await db().preset.count({ where: { accountId } })).toBe(0);
  });
});

describe("GET /v1/models with presets", () => {
  it("lists the presets of models that the key may call and whose knowledge bases it may read", async () => {
    const { ctx, key, model } = await withPreset({ sources: ["customer_kb"] });
    await call("POST", PATH, {
      key,
      body: { name: "plain", model: "scripted", citations: { enabled: false } },
    });
    const idsFor = async (overrides: object) => {
      const { secret } = await makeKey(ctx, overrides);
      const { data } = await openai(secret).models.list();
      return data.map(({ id }) => id);
    };
    const all = [MODEL, "scripted"];
    expect(await idsFor({ models: all, knowledge_scopes: ["public_kb", "customer_kb"] })).toEqual([
      ...all,
      model,
      "scripted:plain",
    ]);
    expect(await idsFor({ models: all, knowledge_scopes: ["public_kb"] })).toEqual([
      ...all,
      "scripted:plain",
    ]);
    expect(await idsFor({ models: ["scripted"] })).toEqual(["scripted", "scripted:plain"]);
    expect(await idsFor({ models: null, knowledge_scopes: ["customer_kb"] })).toEqual([
      MODEL,
      model,
    ]);
    await expect(openai(key).models.retrieve(model)).resolves.toMatchObject({
      id: model,
      preset_of: MODEL,
      owned_by: "account",
      default: false,
    });
    const { secret } = await makeKey((await makeAccount()).ctx);
    await expect(openai(secret).models.retrieve(model)).rejects.toMatchObject({ status: 404 });
  });
});

describe("a request with a preset", () => {
  it("gets its citations, plain and streamed, and is answered and billed by its model", async () => {
    const { key, model } = await withPreset({ top_k: 2, return: "cited" });
    const client = openai(key);
    const plain = await client.chat.completions.create({ model, messages: ASKED });
    expect(plain).toMatchObject({ model: MODEL, citations: [{ id: 1 }] });
    const stream = await client.chat.completions.create({ model, messages: ASKED, stream: true });
    const chunks: unknown[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
    }
    expect(chunks[0]).toMatchObject({ model: MODEL, citations: [{ id: 1 }, { id: 2 }] });
  });

  it("prefers the request's own fields, and keeps the preset's others", async () => {
    const { key, model } = await withPreset({ top_k: 2, min_score: 0, verify: "off" });
    const wider = await ask(key, { model, citations: { top_k: 8 } });
    expect(wider.json.citations).toHaveLength(8);
    expect(wider.json.choices[0].message.verification.method).toBe("off");
    const off = await ask(key, { model, citations: { enabled: false } });
    expect(off.json).not.toHaveProperty("citations");
    const nulls = await ask(key, { model, citations: { top_k: null, verify: null } });
    expect(nulls.json.citations).toHaveLength(2);
  });

  it("is never answered without a search in silence, unless the preset says so", async () => {
    const { key, model } = await withPreset();
    breakSearch();
    expect(errorOf(await ask(key, { model }))).toEqual([503, "retrieval_unavailable", null]);
    const lax = await ask(key, { model, citations: { required: false } });
    expect([lax.status, lax.json.warnings[0].code]).toEqual([200, "retrieval_unavailable"]);
  });

  it("may ask for what the built-in model doesn't support, unless the preset says otherwise", async () => {
    const { key, model, preset } = await withPreset();
    const tools = [{ type: "function", function: { name: "look_up", parameters: {} } }];
    const body = { model, tools, tool_choice: "required" };
    expect((await ask(key, body)).status).toBe(200);
    expect(errorOf(await ask(key, { ...body, ignore_unsupported: false }))[2]).toBe("tool_choice");
    const change = (fields: object) =>
      call("POST", `${PATH}/${preset.id}`, { key, body: { citations: {}, ...fields } });
    expect((await change({ ignore_unsupported: false })).json.ignore_unsupported).toBe(false);
    expect(errorOf(await ask(key, body))).toEqual([400, "invalid_request", "tool_choice"]);
    expect((await change({})).json.ignore_unsupported).toBe(false);
    const other = { name: "up", model: "scripted" };
    const upstreamPreset = await call("POST", PATH, { key, body: other });
    expect(upstreamPreset.json.ignore_unsupported).toBe(false);
  });

  it("refuses fields that contradict the preset's, by name", async () => {
    const { key, model } = await withPreset({ verify: "off" });
    const answer = await ask(key, { model, citations: { on_unsupported: "strip" } });
    expect(errorOf(answer)).toEqual([400, "invalid_request", "citations.on_unsupported"]);
  });

  it("never sends the preset's name upstream", async () => {
    const { key } = await withPreset();
    await call("POST", PATH, {
      key,
      body: { name: "up", model: "scripted", citations: { on_empty: "answer" } },
    });
    const messages = [{ role: "user", content: "preset of an upstream" }];
    await ask(key, { model: "scripted:up", messages });
    const sent = upstream().seen.find(({ body }) =>
      JSON.stringify(body).includes("preset of an upstream"),
    );
    expect(sent?.body.model).toBe("upstream-model");
    expect(sent?.body).not.toHaveProperty("citations");
  });

  it("is a 404 that says what to do once the preset is deleted, and for another account", async () => {
    const { key, preset, model } = await withPreset();
    await call("DELETE", `${PATH}/${preset.id}`, { key });
    const gone = await ask(key, { model });
    expect(errorOf(gone)).toEqual([400, "invalid_request", "model"]);
    expect(gone.json.error.message).toContain("may have been deleted");
    const other = await withPreset({}, {});
    await call("DELETE", `${PATH}/${other.preset.id}`, { key: other.key });
    const foreign = await ask(other.key, { model });
    expect(foreign.json).toEqual(gone.json);
  });

  it("is a 400 for a model outside the key's list, whether or not the preset exists", async () => {
    const { ctx } = await withPreset();
    const { secret } = await makeKey(ctx, { models: ["scripted"] });
    for (const model of [`${MODEL}:cited`, `${MODEL}:nope`]) {
      expect(errorOf(await ask(secret, { model }))).toEqual([400, "invalid_request", "model"]);
    }
  });

  it("searches in a response as well, unless its tools say otherwise", async () => {
    const { key, model } = await withPreset({ top_k: 3, min_score: 0 });
    const respond = async (body: object) =>
      (
        await call("POST", "/v1/responses", {
          key,
          body: { model, input: ASKED[0]?.content, ...body },
        })
      ).json;
    expect((await respond({})).citations).toHaveLength(3);
    const tool = { type: "file_search", vector_store_ids: ["public_kb"] };
    expect((await respond({ tools: [tool] })).citations).toHaveLength(3);
    expect((await respond({ tools: [{ ...tool, max_num_results: 5 }] })).citations).toHaveLength(5);
    expect(await respond({ tools: [tool], tool_choice: "none" })).not.toHaveProperty("citations");
  });
});
