import OpenAI, { toFile } from "openai";
import OpenAI4 from "openai-4";
import OpenAI5 from "openai-5";
import OpenAI6 from "openai-6";
import { beforeAll, describe, expect, it } from "vitest";
import { type Column, recordCell, type Support } from "./cells";
import { helpersOf } from "./drivers/openai";
import {
  abortable,
  apiKey,
  baseURL,
  collect,
  expectBilledHangUp,
  readSome,
  readWire,
  type UrlCitation,
  type Wire,
  type WireCompletion,
  watchFetch,
} from "./product";
import {
  ANSWERS_JSON,
  BREAKS_OFF,
  BUSY,
  CALLS_TOOL,
  CITATIONS,
  CITY_SCHEMA,
  COSTLY_MODEL,
  EXTRACT_MODEL,
  GREETING,
  PIECES_BEFORE_HANG_UP,
  QUESTION,
  SCRIPTED_MODEL,
  SLOW,
  TOO_LONG_QUESTION,
} from "./scenario";

type Stock = typeof OpenAI;
type Chunk = OpenAI.ChatCompletionChunk;
type ToolParams = Parameters<OpenAI["chat"]["completions"]["runTools"]>[0];

// These calls are the same in all four versions, so the newest types fit.
const VERSIONS: { name: "openai-4" | "openai-5" | "openai-6" | "openai"; Client: Stock }[] = [
  { name: "openai-4", Client: OpenAI4 as unknown as Stock },
  { name: "openai-5", Client: OpenAI5 as unknown as Stock },
  { name: "openai-6", Client: OpenAI6 as unknown as Stock },
  { name: "openai", Client: OpenAI },
];

let wire: Wire;

beforeAll(async () => {
  wire = await readWire();
});

describe.each(VERSIONS)("$name", ({ name, Client }) => {
  const connect = (options: object = {}) => new Client({ apiKey, baseURL, ...options });
  const note = (column: Column, support: Support, where: string) =>
    recordCell(name, column, support, where);
  const prefix = name === "openai-4" ? "client.beta.chat.completions" : "client.chat.completions";

  it("returns the answer's text", async () => {
    const completion = await connect().chat.completions.create(ask(GREETING));
    expect(completion.object).toBe("chat.completion");
    expect(completion.model).toBe(SCRIPTED_MODEL);
    expect(completion.choices[0]?.message).toMatchObject({ role: "assistant", content: GREETING });
    note("answer text", "yes", "`completion.choices[0].message.content`");
  });

  it("returns the streamed text", async () => {
    const stream = await connect().chat.completions.create({ ...ask(GREETING), stream: true });
    const chunks = await collect(stream);
    expect(textOf(chunks)).toBe(GREETING);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
    note("streamed text", "yes", "`chunk.choices[0].delta.content`");
  });

  it("assembles a streamed answer with its helper, and parses JSON with parse()", async () => {
    const chat = helpersOf(connect());
    const deltas: string[] = [];
    const stream = chat.stream(ask(GREETING)).on("content", (delta) => deltas.push(delta));
    const final = await stream.finalChatCompletion();
    expect(deltas.join("")).toBe(GREETING);
    expect(final.choices[0]?.message.content).toBe(GREETING);
    expect(final.choices[0]?.finish_reason).toBe("stop");
    const parsed = await chat.parse({
      ...ask(ANSWERS_JSON),
      response_format: { type: "json_schema", json_schema: { name: "city", schema: CITY_SCHEMA } },
    });
    expect(parsed.choices[0]?.message.parsed).toEqual({ city: "Bern" });
    note("helper", "yes", `\`${prefix}.stream()\`, \`.parse()\`, \`.runTools()\``);
  });

  it("returns the citations of a plain answer", async () => {
    const completion = await connect().chat.completions.create(askCited());
    expect((completion as unknown as WireCompletion).citations).toEqual(wire.citations);
    expect(completion.choices[0]?.message.content).toBe(wire.text);
    note("citations, plain", "yes", "`completion.citations`");
  });

  it("returns a streamed answer's citations on its first and last chunk and in its helper", async () => {
    const client = connect();
    const stream = await client.chat.completions.create({ ...askCited(), stream: true });
    const chunks = (await collect(stream)) as (Chunk & WireCompletion)[];
    expect(chunks[0]?.citations).toEqual(wire.found);
    expect(chunks.at(-1)?.citations).toEqual(wire.citations);
    expect(textOf(chunks)).toBe(wire.text);
    const final = await helpersOf(client).stream(askCited()).finalChatCompletion();
    expect((final as unknown as WireCompletion).citations).toEqual(wire.citations);
    note(
      "citations, streamed",
      "yes",
      "`citations` of the first chunk and of `finalChatCompletion()`",
    );
  });

  it("returns the annotations of a plain answer", async () => {
    const completion = await connect().chat.completions.create(askCited());
    expect(completion.choices[0]?.message.annotations).toEqual(wire.annotations);
    note("annotations, plain", "yes", "`message.annotations`");
    expect(completion.choices[0]?.message).toMatchObject({ verification: wire.verification });
    note("verification, plain", "yes", "`message.verification`");
  });

  it("returns a streamed answer's annotations on its last chunk and in its helper", async () => {
    const client = connect();
    const stream = await client.chat.completions.create({ ...askCited(), stream: true });
    const deltas: object[] = (await collect(stream)).flatMap(
      ({ choices }) => choices[0]?.delta ?? [],
    );
    const annotated = deltas.filter(isAnnotated);
    expect(annotated).toEqual([deltas.at(-1)]);
    expect(annotated[0]?.annotations).toEqual(wire.annotations);
    const final = await helpersOf(client).stream(askCited()).finalChatCompletion();
    expect(final.choices[0]?.message.annotations).toEqual(wire.annotations);
    note(
      "annotations, streamed",
      "yes",
      "`delta.annotations` of the last chunk and `message.annotations` of `finalChatCompletion()`",
    );
    expect(annotated[0]).toMatchObject({ verification: wire.verification });
    expect(final.choices[0]?.message).toMatchObject({ verification: wire.verification });
    note("verification, streamed", "yes", "next to the annotations");
  });

  it("returns the warnings of a plain answer", async () => {
    const completion = await connect().chat.completions.create({
      ...ask(TOO_LONG_QUESTION),
      ...{ citations: CITATIONS },
    });
    expect((completion as unknown as WireCompletion).warnings).toEqual(wire.warnings);
    expect(completion).not.toHaveProperty("citations");
    note("warnings", "yes", "`completion.warnings`");
  });

  it("returns the cost of an answer", async () => {
    const client = connect();
    const { data, response } = await client.chat.completions.create(ask(GREETING)).withResponse();
    const { cost_usd } = (data as unknown as WireCompletion).usage;
    expect(cost_usd).toMatch(/^0\.\d{6}$/);
    expect(response.headers.get("x-footnote-cost-usd")).toBe(cost_usd);
    const streamed = { ...ask(GREETING), stream_options: { include_usage: true } };
    const stream = await client.chat.completions.create({ ...streamed, stream: true });
    expect((await collect(stream)).at(-1)?.usage).toMatchObject({ cost_usd });
    const final = await helpersOf(client).stream(streamed).finalChatCompletion();
    expect(final.usage).toMatchObject({ cost_usd });
    note(
      "cost",
      "yes",
      "`usage.cost_usd`; streamed with `stream_options: { include_usage: true }`",
    );
  });

  it("returns the request id of plain answers, streams and errors", async () => {
    const client = connect();
    const plain = await client.chat.completions.create(ask(GREETING)).withResponse();
    expect(plain.request_id).toMatch(/^req_/);
    expect(plain.data).toMatchObject({ _request_id: plain.request_id });
    expect(plain.response.headers.get("x-request-id")).toBe(plain.request_id);
    const streamed = await client.chat.completions
      .create({ ...ask(GREETING), stream: true })
      .withResponse();
    expect(streamed.request_id).toMatch(/^req_/);
    await collect(streamed.data);
    const ofError = name === "openai-4" ? "request_id" : "requestID";
    expect(await failureOf(connect({ apiKey: "wrong" }))).toMatchObject({
      [ofError]: expect.stringMatching(/^req_/),
    });
    note(
      "request id",
      "yes",
      `\`completion._request_id\`; streamed \`.withResponse()\`; failed \`error.${ofError}\``,
    );
  });

  it("returns tool calls, plain and streamed", async () => {
    const client = connect();
    const body = { ...ask(CALLS_TOOL), tools: [weatherTool(() => "")] };
    const completion = await client.chat.completions.create(body);
    const called = { name: "get_weather", arguments: '{"city":"Bern"}' };
    expect(completion.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: null, tool_calls: [{ id: "call_1", function: called }] },
    });
    const final = await helpersOf(client).stream(body).finalChatCompletion();
    expect(final.choices[0]?.message.tool_calls).toMatchObject([
      { id: "call_1", function: called },
    ]);
  });

  it.each([false, true])(
    "runs tools and sends back their results (streamed: %s)",
    async (stream) => {
      const asked: unknown[] = [];
      const tool = weatherTool((input) => {
        asked.push(input);
        return "snow";
      });
      const body = { ...ask(CALLS_TOOL), tools: [tool], stream } as unknown as ToolParams;
      const runner = helpersOf(connect()).runTools(body);
      expect(await runner.finalContent()).toBe("It snows in Bern.");
      expect(asked).toEqual([{ city: "Bern" }]);
      expect(runner.messages.map(({ role }) => role)).toEqual([
        "user",
        "assistant",
        "tool",
        "assistant",
      ]);
      note("tools", "yes", "`message.tool_calls`, `.runTools()`");
    },
  );

  it("uploads files, adds them to vector stores and searches those with filters", async () => {
    const client = connect();
    const { files, vectorStores } = client;
    const text = `The heron of ${name} nests in March.`;
    const uploaded = await files.create({
      ...{ file: await toFile(Buffer.from(text), `${name}.txt`), purpose: "assistants" },
    });
    expect(await (await files.content(uploaded.id)).text()).toBe(text);
    note("files", "yes", "`client.files.create()`, `.content()` and so on");
    const store = await vectorStores.create({ name });
    const added = await vectorStores.files.createAndPoll(
      store.id,
      { file_id: uploaded.id, attributes: { bird: "heron" } },
      { pollIntervalMs: 100 },
    );
    expect(added).toMatchObject({ status: "completed", attributes: { bird: "heron" } });
    note(
      "vector stores",
      "yes",
      "`client.vectorStores.create()`, `.search()`, `.files.uploadAndPoll()` and so on",
    );
    const search = (value: string) =>
      vectorStores.search(store.id, {
        ...{ query: "When does the heron nest?", filters: { type: "eq", key: "bird", value } },
      });
    expect((await search("heron")).data).toMatchObject([{ file_id: uploaded.id }]);
    expect((await search("stork")).data).toEqual([]);
    // Scores depend on how common words are, and the other tests compare them.
    await client.delete(`/files/${uploaded.id}`);
    note(
      "filters",
      "yes",
      "`filters` of `client.vectorStores.search()` and of the tool `file_search`",
    );
  });

  it("throws its own error classes with status, code and param", async () => {
    const wrongKey = await failureOf(connect({ apiKey: "wrong" }));
    expect(wrongKey).toBeInstanceOf(Client.PermissionDeniedError);
    expect(wrongKey).toMatchObject({
      status: 403,
      code: "invalid_api_key",
      type: "authentication_error",
    });
    const badField = await failureOf(connect(), { citations: { enabled: true, top_k: 51 } });
    expect(badField).toBeInstanceOf(Client.BadRequestError);
    expect(badField).toMatchObject({
      status: 400,
      code: "invalid_request",
      param: "citations.top_k",
    });
    const missing = await connect()
      .models.retrieve("no-such-model")
      .catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(Client.NotFoundError);
    expect(missing).toMatchObject({ status: 404, code: "not_found" });
    note("typed errors", "yes", "`PermissionDeniedError` and so on: `status`, `code`, `param`");
  });

  it("retries a 429 but not a 402", async () => {
    const money = watchFetch();
    const broke = await failureOf(connect({ fetch: money.fetch }), { model: COSTLY_MODEL });
    expect(broke).toMatchObject({
      status: 402,
      code: "insufficient_balance",
      type: "billing_error",
      error: { balance: expect.any(String), required: expect.any(String) },
    });
    expect(money.responses).toHaveLength(1);
    const busy = watchFetch();
    const limited = await failureOf(connect({ fetch: busy.fetch }), ask(BUSY));
    expect(limited).toBeInstanceOf(Client.RateLimitError);
    expect(limited).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    expect(busy.responses.map(({ status }) => status)).toEqual([429, 429, 429]);
  });

  it("throws when a stream breaks midway", async () => {
    const stream = await connect().chat.completions.create({ ...ask(BREAKS_OFF), stream: true });
    const received: Chunk[] = [];
    const reading = (async () => {
      for await (const chunk of stream) {
        received.push(chunk);
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "upstream_error" });
    expect(textOf(received)).toBe("one two ");
    const helped = helpersOf(connect()).stream(ask(BREAKS_OFF)).finalChatCompletion();
    await expect(helped).rejects.toMatchObject({ code: "upstream_error" });
  });

  it("is billed only for generated tokens when it leaves the loop", async () => {
    await expectBilledHangUp(async () => {
      const stream = await connect().chat.completions.create({ ...ask(SLOW), stream: true });
      await readSome(stream);
    });
    note("disconnect billed", "yes", "leaving the loop, `signal`, or `.abort()` of the helper");
  });

  it("is billed only for generated tokens when its signal aborts", async () => {
    await expectBilledHangUp(async () => {
      const { signal, abort } = abortable();
      const body = { ...ask(SLOW), stream: true as const };
      await readSome(await connect().chat.completions.create(body, { signal }), abort);
    });
  });

  it("is billed only for generated tokens when its helper is aborted", async () => {
    await expectBilledHangUp(async () => {
      const stream = helpersOf(connect()).stream(ask(SLOW));
      let count = 0;
      stream.on("content", () => {
        count += 1;
        if (count === PIECES_BEFORE_HANG_UP) {
          stream.abort();
        }
      });
      await expect(stream.done()).rejects.toBeInstanceOf(Client.APIUserAbortError);
    });
  });

  it("lists the key's models and marks the default", async () => {
    const models = await collect(connect().models.list());
    expect(models.map(({ id }) => id)).toEqual([EXTRACT_MODEL, SCRIPTED_MODEL, COSTLY_MODEL]);
    expect(models[0]).toMatchObject({ object: "model", default: true });
  });
});

function ask(content: string) {
  return { model: SCRIPTED_MODEL, messages: [{ role: "user" as const, content }] };
}

/** Our extra field needs no cast if the body isn't an inline literal. */
function askCited() {
  return {
    model: EXTRACT_MODEL,
    messages: [{ role: "user" as const, content: QUESTION }],
    citations: CITATIONS,
  };
}

function weatherTool(answer: (input: unknown) => string) {
  return {
    type: "function" as const,
    function: {
      name: "get_weather",
      description: "The weather of a city",
      parameters: CITY_SCHEMA,
      parse: JSON.parse,
      function: answer,
    },
  };
}

function textOf(chunks: Chunk[]): string {
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
}

function isAnnotated(delta: object): delta is { annotations: UrlCitation[] } {
  return "annotations" in delta;
}

async function failureOf(client: OpenAI, body: object = {}): Promise<unknown> {
  return client.chat.completions.create({ ...ask(GREETING), ...body }).then(
    () => "no failure",
    (error: unknown) => error,
  );
}
