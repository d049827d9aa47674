import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { call, openai } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { makeKeyPair, makeStoredAnswer, makeStoredResponse } from "@/lib/testing/stored-answer";

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;

const question = "What are the symptoms of asthma?";
const tools = [{ type: "file_search" as const, vector_store_ids: ["public_kb"] }];
const cited: Params = { model: "footnote-extract-1", input: question, tools, store: true };
const weather = { type: "function" as const, name: "get_weather", parameters: {}, strict: false };

function scripted(script: object, extra: object = {}): Params {
  return { model: "scripted", input: `script:${JSON.stringify(script)}`, store: true, ...extra };
}

/** The messages that the upstream was last sent with this text among them. */
function sentWith(text: string) {
  return upstream().seen.findLast(({ body }) => JSON.stringify(body).includes(text))?.body.messages;
}

describe("stored responses", () => {
  it.each([
    ["plain", cited],
    ["with calls", scripted({ tools: true }, { tools: [weather], metadata: { ward: "7" } })],
  ])("are read as they were sent: %s", async (_name, params) => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const sent = await client.responses.create(params);
    expect(sent).toMatchObject({ store: true });
    expect(await client.responses.retrieve(sent.id)).toEqual(sent);
    const listed = await client.chat.completions.list();
    expect(listed.data.map(({ id }) => id)).toEqual([sent.id.replace("resp_", "chatcmpl-")]);
  });

  it("are read as their stream ended", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const sent = await client.responses.stream({ ...cited, stream: true }).finalResponse();
    const read = await client.responses.retrieve(sent.id);
    expect(read.output).toMatchObject(sent.output.map(({ type, id }) => ({ type, id })));
    expect(read.output_text).toBe(sent.output_text);
    expect(read.usage).toEqual(sent.usage);
  });

  it("have the warnings of a search that couldn't run, plain and streamed", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const params = { model: "scripted", input: "word ".repeat(9000), tools, store: true };
    const warned = { warnings: [{ code: "invalid_request", message: expect.any(String) }] };
    for (const sent of [
      await client.responses.create(params),
      await client.responses.stream(params).finalResponse(),
    ]) {
      expect(sent).toMatchObject(warned);
      expect(sent.output.map(({ type }) => type)).toEqual(["message"]);
      expect(await client.responses.retrieve(sent.id)).toMatchObject(warned);
    }
  });

  it("have their results when asked, with an excerpt and a link", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const { id } = await client.responses.create(cited);
    const { output } = await client.responses.retrieve(id, {
      include: ["file_search_call.results"],
    });
    expect(output[0]).toHaveProperty("results.0.attributes.verdict", "supported");
    expect(output[0]).toHaveProperty("results.0.text", expect.any(String));
    expect((await client.responses.retrieve(id)).output[0]).toHaveProperty("results", null);
  });

  it("have their results however a client writes a list of what to include", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const { id } = await client.responses.create(cited);
    const { output } = await client.responses.retrieve(id, {
      include: ["file_search_call.results", "message.input_image.image_url"],
    });
    expect(output[0]).toHaveProperty("results.0.text", expect.any(String));
    const query = "include=message.input_image.image_url,file_search_call.results";
    const { json } = await call("GET", `/v1/responses/${id}?${query}`, { key });
    expect(json.output[0]).toHaveProperty("results.0.text", expect.any(String));
  });

  it("aren't kept without 'store'", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const { store: _store, ...params } = cited;
    const sent = await client.responses.create(params);
    expect(sent).toMatchObject({ store: false });
    await expect(client.responses.retrieve(sent.id)).rejects.toMatchObject({
      status: 404,
      param: "response_id",
    });
  });

  it("are deleted with their turns", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const { id } = await client.responses.create(cited);
    const { json } = await call("DELETE", `/v1/responses/${id}`, { key });
    expect(json).toEqual({ id, object: "response", deleted: true });
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(client.responses.inputItems.list(id)).rejects.toMatchObject({ status: 404 });
    const next = client.responses.create({ ...cited, previous_response_id: id });
    await expect(next).rejects.toMatchObject({ status: 404, param: "previous_response_id" });
  });

  it("list the turns before them as items, newest first, page by page", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const { id } = await client.responses.create(
      scripted(
        { text: "Done." },
        {
          input: [
            { role: "developer", content: "Be brief." },
            { role: "user", content: [{ type: "input_text", text: "Weather?" }] },
            { type: "function_call", call_id: "c1", name: "get_weather", arguments: "{}" },
            { type: "function_call_output", call_id: "c1", output: "sunny" },
            { role: "assistant", content: "Sunny." },
            { role: "user", content: "Thanks" },
          ],
        },
      ),
    );
    const items = [];
    for await (const item of client.responses.inputItems.list(id, { limit: 2 })) {
      items.push(item);
    }
    expect(items.toReversed()).toMatchObject([
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Weather?" }] },
      { type: "function_call", call_id: "c1", name: "get_weather", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "sunny" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Sunny." }] },
      { type: "message", role: "user" },
    ]);
    expect(new Set(items.map((item) => item.id)).size).toBe(6);
    const page = await client.responses.inputItems.list(id, { limit: 2, order: "asc" });
    expect(page.data).toMatchObject([{ role: "developer" }, { role: "user" }]);
    await expect(client.responses.inputItems.list(id, { after: "msg_nope" })).rejects.toMatchObject(
      { status: 400, param: "after" },
    );
  });
});

describe("the next turn", () => {
  it("follows a stored response without its instructions", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const first = await client.responses.create(
      scripted({ text: "First answer." }, { instructions: "Speak German." }),
    );
    const second = await client.responses.create({
      model: "scripted",
      input: "and the second question",
      instructions: "Speak French.",
      previous_response_id: first.id,
      store: true,
    });
    expect(second.previous_response_id).toBe(first.id);
    expect(sentWith("and the second question")).toEqual([
      { role: "system", content: "Speak French." },
      { role: "user", content: expect.stringContaining("script:") },
      { role: "assistant", content: "First answer." },
      { role: "user", content: "and the second question" },
    ]);
    await client.responses.create({
      model: "scripted",
      input: "and a third one",
      previous_response_id: second.id,
    });
    expect(sentWith("and a third one")?.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
  });

  it("answers the calls of a stored response, and must", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const script = { tools: true, text: "Sunny in Bern." };
    const first = await client.responses.create(scripted(script, { tools: [weather] }));
    const next = { model: "scripted", previous_response_id: first.id, tools: [weather] };
    const output = { type: "function_call_output" as const, call_id: "call_1", output: "sunny" };
    const second = await client.responses.create({ ...next, input: [output] });
    expect(second.output_text).toBe("Sunny in Bern.");
    await expect(client.responses.create({ ...next, input: "Hello?" })).rejects.toMatchObject({
      status: 400,
      param: "previous_response_id",
    });
  });

  it("has a note in place of images, whose data isn't stored", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const url = `data:image/png;base64,${"A".repeat(5000)}`;
    const content = [
      { type: "input_text" as const, text: "a stored picture" },
      { type: "input_image" as const, image_url: url, detail: "auto" as const },
    ];
    const first = await client.responses.create({
      model: "scripted",
      input: [{ role: "user", content }],
      store: true,
    });
    await client.responses.create({
      model: "scripted",
      input: "what was in that picture",
      previous_response_id: first.id,
    });
    expect(sentWith("what was in that picture")?.[0]?.content).toEqual([
      { type: "text", text: "a stored picture" },
      { type: "text", text: expect.stringContaining("isn't stored") },
    ]);
  });

  it("can refer to items of stored responses, as the AI SDK does", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const said = await client.responses.create(scripted({ text: "A referenced answer." }));
    const called = await client.responses.create(scripted({ tools: true }, { tools: [weather] }));
    const references = [...said.output, ...called.output].map(({ id = "" }) => ({
      type: "item_reference" as const,
      id,
    }));
    await client.responses.create({
      model: "scripted",
      input: [
        { role: "user", content: "before the references" },
        { type: "item_reference", id: "rs_1" },
        ...references,
        { type: "function_call_output", call_id: "call_1", output: "sunny" },
      ],
    });
    expect(sentWith("before the references")?.slice(1)).toMatchObject([
      { role: "assistant", content: "A referenced answer.", tool_calls: [{ id: "call_1" }] },
      { role: "tool", tool_call_id: "call_1" },
    ]);
    for (const id of [`${references[0]?.id}_7`.replace("msg", "fc"), "msg_0", "file_1"]) {
      const input = [{ type: "item_reference" as const, id }];
      await expect(client.responses.create({ model: "scripted", input })).rejects.toMatchObject({
        status: 404,
        param: "input.0.id",
      });
    }
  });
});

describe("the access to stored responses", () => {
  /** Every way to read one, with a key that may not. */
  async function expectHidden(key: string, id: string) {
    const attempts = [
      ["GET", `/v1/responses/${id}`],
      ["DELETE", `/v1/responses/${id}`],
      ["GET", `/v1/responses/${id}/input_items`],
      ["POST", "/v1/responses", { model: "scripted", input: "Hi", previous_response_id: id }],
      [
        "POST",
        "/v1/responses",
        {
          model: "scripted",
          input: [{ type: "item_reference", id: id.replace("resp_", "msg_") }],
        },
      ],
    ] as const;
    for (const [method, path, body] of attempts) {
      const { status, json } = await call(method, path, { key, body });
      expect({ path, status, code: json.error?.code }).toEqual({
        path,
        status: 404,
        code: "not_found",
      });
    }
  }

  it("is refused to other accounts, other persons and keys without the scopes", async () => {
    const { ctx } = await makeAccount();
    const company = await makeKeyPair(ctx);
    const id = await makeStoredResponse(company.ctx, { knowledgeScopes: ["customer_kb"] });
    const { key: foreign, id: foreignAccount } = await makeKeyedAccount();
    await expectHidden(foreign, id);
    expect((await readMoney(foreignAccount)).held).toBe(0n);
    const { secret: publicOnly } = await makeKey(ctx, { knowledge_scopes: ["public_kb"] });
    await expectHidden(publicOnly, id);
    const { secret: personal } = await makeKey(ctx, {
      knowledge_scopes: ["customer_kb", "personal_kb"],
    });
    await expectHidden(personal, id);
    expect((await openai(company.secret).responses.retrieve(id)).id).toBe(id);
  });

  it("needs a response: answers of chat completions have none", async () => {
    const { ctx } = await makeAccount();
    const { secret, ctx: keyCtx } = await makeKeyPair(ctx);
    const completion = await makeStoredAnswer(keyCtx);
    const { status } = await call(
      "GET",
      `/v1/responses/${completion.replace("chatcmpl-", "resp_")}`,
      { key: secret },
    );
    expect(status).toBe(404);
  });

  it.each(["nope", "resp_", "resp_%00", "chatcmpl-1", `resp_${"a".repeat(61)}`])(
    "is a 404 for %s",
    async (id) => {
      const { key } = await makeKeyedAccount();
      const { status } = await call("GET", `/v1/responses/${id}`, { key });
      expect(status).toBe(404);
    },
  );

  it("rejects a replay as a stream, and unknown parameters", async () => {
    const { key } = await makeKeyedAccount();
    const { id } = await openai(key).responses.create(cited);
    for (const query of ["?stream=true", "?include=nope", "?x=1"]) {
      const { status } = await call("GET", `/v1/responses/${id}${query}`, { key });
      expect(status).toBe(400);
    }
  });
});
