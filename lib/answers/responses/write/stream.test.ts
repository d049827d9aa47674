import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { dispatch, openai } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import type { ResponseEvent } from "../events";
import type { ResponseObject } from "../response-schema";

type Params = OpenAI.Responses.ResponseCreateParamsStreaming;

const question = "What are the symptoms of asthma?";
const tools = [{ type: "file_search" as const, vector_store_ids: ["public_kb"] }];
const weather = {
  type: "function" as const,
  name: "get_weather",
  parameters: {},
  strict: false,
};

function cited(extra: object = {}): Params {
  return { model: "footnote-extract-1", input: question, tools, ...extra, stream: true };
}

function scripted(script: object, extra: object = {}): Params {
  return {
    model: "scripted",
    input: `script:${JSON.stringify(script)}`,
    ...extra,
    stream: true,
  };
}

const patch = { type: "custom" as const, name: "apply_patch", format: { type: "text" as const } };

/** The order of a plain response, whose completion says words and calls apart. */
const ORDER = ["file_search_call", "message", "function_call"];

/** A model that calls before it speaks. */
function callThenWords(calls: number[], text: string | null = "Sunny."): Params {
  const called = calls.map((index) => ({
    tool_calls: [
      {
        index,
        id: `call_${index}`,
        type: "function",
        function: { name: "get_weather", arguments: '{"city":"Bern"}' },
      },
    ],
  }));
  const deltas = [...called, ...(text === null ? [] : [{ content: text }])];
  return scripted({ deltas, finish: "tool_calls" }, { tools: [weather] });
}

async function collect(key: string, params: Params): Promise<ResponseEvent[]> {
  const events: ResponseEvent[] = [];
  for await (const event of await openai(key).responses.create(params)) {
    events.push(event as ResponseEvent);
  }
  return events;
}

/** The types of events, each run of the same type once. */
function typesOf(events: readonly ResponseEvent[]): string[] {
  return events
    .map(({ type }) => type)
    .filter((type, index, all) => type !== all[index - 1])
    .map((type) => type.replace("response.", ""));
}

function lastResponse(events: readonly ResponseEvent[]): ResponseObject | undefined {
  const last = events.at(-1);
  return last && "response" in last ? last.response : undefined;
}

/** Without what differs between two requests. */
function comparable({ id, created_at, completed_at, output, usage, ...rest }: ResponseObject) {
  const { cost: _cost, cost_usd: _costUsd, ...tokens } = usage ?? {};
  return { ...rest, usage: tokens, output: output.map(({ id: _id, ...item }) => item) };
}

async function post(key: string, params: Params): Promise<Response> {
  return dispatch("http://localhost:3000/v1/responses", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(params),
  });
}

describe("streamed responses", () => {
  it("send OpenAI's events in OpenAI's order, numbered from 0", async () => {
    const { key } = await makeKeyedAccount();
    const events = await collect(key, cited());
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    expect(typesOf(events)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "file_search_call.in_progress",
      "file_search_call.searching",
      "file_search_call.completed",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_item.done",
      "output_text.annotation.added",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "completed",
    ]);
  });

  it.each([
    ["with citations", cited({ include: ["file_search_call.results"] })],
    ["without", scripted({ text: "One two three." })],
    ["with a call", scripted({ tools: true }, { tools: [weather] })],
    ["in JSON", scripted({ text: '{"a":1}' }, { text: { format: { type: "json_object" } } })],
  ])("end with the response that a plain request gets: %s", async (_name, params) => {
    const { key } = await makeKeyedAccount();
    const events = await collect(key, params);
    const plain = await openai(key).responses.create({ ...params, stream: false });
    const { output_text: _text, ...response } = plain as unknown as ResponseObject & {
      output_text: string;
    };
    const streamed = lastResponse(events);
    expect(streamed && comparable(streamed)).toEqual(comparable(response));
    expect(streamed?.usage?.cost_usd).toMatch(/^0\.\d{6}$/);
    const delivered = events.flatMap((event) =>
      event.type === "response.output_text.delta" ? [event.delta] : [],
    );
    expect(delivered.join("")).toBe(plain.output_text);
  });

  it("are followed by the client's own helper", async () => {
    const { key } = await makeKeyedAccount();
    const stream = openai(key).responses.stream(cited());
    let text = "";
    stream.on("response.output_text.delta", ({ delta }) => {
      text += delta;
    });
    const final = await stream.finalResponse();
    expect(final.status).toBe("completed");
    expect(final.output_text).toBe(text);
    const message = final.output.find(({ type }) => type === "message");
    expect(message).toMatchObject({
      content: [
        { annotations: expect.arrayContaining([expect.objectContaining({ citation_id: 1 })]) },
      ],
    });
  });

  it("send calls in pieces, each under its own item", async () => {
    const { key } = await makeKeyedAccount();
    const events = await collect(key, scripted({ tools: true }, { tools: [weather] }));
    expect(typesOf(events)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ]);
    const final = await openai(key)
      .responses.stream(scripted({ tools: true }, { tools: [weather] }))
      .finalResponse();
    expect(final.output).toMatchObject([
      { type: "function_call", call_id: "call_1", arguments: '{"city":"Bern"}' },
    ]);
  });

  it("keep words and calls apart when both come", async () => {
    const { key } = await makeKeyedAccount();
    const calls = [{ index: 0, id: "call_9", function: { name: "get_weather", arguments: "{}" } }];
    const stream = openai(key).responses.stream(
      scripted({ text: "One", delta: { tool_calls: calls } }, { tools: [weather] }),
    );
    const { output } = await stream.finalResponse();
    expect(output).toMatchObject([
      { type: "message", content: [{ text: "One" }] },
      { type: "function_call", call_id: "call_9", arguments: "{}" },
    ]);
  });

  it("send a refusal as such", async () => {
    const { key } = await makeKeyedAccount();
    const script = { text: "word", delta: { content: null, refusal: "No. " } };
    const { output } = await openai(key).responses.stream(scripted(script)).finalResponse();
    expect(output).toMatchObject([{ content: [{ type: "refusal", refusal: "No. " }] }]);
  });

  it("name each event, and end without [DONE]", async () => {
    const { key } = await makeKeyedAccount();
    const response = await post(key, scripted({ text: "One two." }));
    const text = await response.text();
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(text).toMatch(/^event: response\.created\ndata: \{"type":"response\.created",/);
    expect(text).not.toContain("[DONE]");
    const named = text.matchAll(/^event: (\S+)\ndata: (.*)$/gm);
    for (const [, name, data = ""] of named) {
      expect(JSON.parse(data).type).toBe(name);
    }
  });

  it("show the sources before the text when asked for", async () => {
    const { key } = await makeKeyedAccount();
    const events = await collect(key, cited({ include: ["file_search_call.results"] }));
    const added = events.find(({ type }) => type === "response.output_item.added");
    expect(added).toHaveProperty("item.results.0.attributes.citation_id", 1);
    expect(added).not.toHaveProperty("item.results.0.attributes.verdict");
    const searched = lastResponse(events)?.output[0];
    expect(searched).toHaveProperty("results.0.attributes.verdict", "supported");
  });

  it.each([
    ["with citations", cited({ include: ["file_search_call.results"] })],
    ["a call, then words", callThenWords([0])],
    ["two calls, then words", callThenWords([0, 1])],
    ["calls alone", callThenWords([0, 1], null)],
  ])(
    "end each item as the response has it, in the order of plain ones: %s",
    async (_name, params) => {
      const { key } = await makeKeyedAccount();
      const events = await collect(key, params);
      const done = events.flatMap((event) =>
        event.type === "response.output_item.done" ? [event] : [],
      );
      const output = lastResponse(events)?.output;
      expect(done.map(({ item }) => item)).toEqual(output);
      expect(done.map(({ output_index }) => output_index)).toEqual(done.map((_, at) => at));
      const added = events.flatMap((event) =>
        event.type === "response.output_item.added" ? [[event.output_index, event.item.id]] : [],
      );
      expect(added).toEqual(output?.map(({ id }, at) => [at, id]));
      const types = output?.map(({ type }) => type) ?? [];
      expect(types).toEqual(
        types.toSorted((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)),
      );
    },
  );

  it("have every member of OpenResponses' response in each event", async () => {
    const { key } = await makeKeyedAccount();
    const params = scripted({ text: "One." }, { temperature: 0.5, service_tier: "auto" });
    const events = await collect(key, { ...params, presence_penalty: 0.25 } as Params);
    const responses = events.flatMap((event) => ("response" in event ? [event.response] : []));
    expect(responses).toHaveLength(3);
    for (const response of responses) {
      expect(response).toMatchObject({
        temperature: 0.5,
        top_p: 1,
        presence_penalty: 0.25,
        frequency_penalty: 0,
        service_tier: "auto",
        access_programs: null,
      });
    }
    const open = { completed_at: null, usage: null };
    expect(responses.slice(0, 2)).toMatchObject([open, open]);
    const ended = responses.at(-1);
    expect(ended?.completed_at).toBeGreaterThanOrEqual(ended?.created_at ?? Infinity);
    expect(ended?.usage?.total_tokens).toBeGreaterThan(0);
  });

  it("carry a custom tool's text as its input, whole", async () => {
    const { key } = await makeKeyedAccount();
    const pieces = ['{"input":"*** Beg', 'in\\n*** End"}'].map((args, at) => ({
      tool_calls: [
        {
          index: 0,
          ...(at === 0 && { id: "call_5", type: "function" }),
          function: { ...(at === 0 && { name: "apply_patch" }), arguments: args },
        },
      ],
    }));
    const params = scripted({ deltas: pieces, finish: "tool_calls" }, { tools: [patch] });
    const events = await collect(key, params);
    const input = "*** Begin\n*** End";
    expect(events.slice(2, -1)).toMatchObject([
      { type: "response.output_item.added", item: { type: "custom_tool_call", input: "" } },
      { type: "response.custom_tool_call_input.delta", delta: input },
      { type: "response.custom_tool_call_input.done", input },
      {
        type: "response.output_item.done",
        item: { type: "custom_tool_call", call_id: "call_5", name: "apply_patch", input },
      },
    ]);
  });
});

describe("failed streams", () => {
  it("are HTTP errors before the first event, and free", async () => {
    const { key, id } = await makeKeyedAccount();
    await expect(collect(key, scripted({ status: 401 }))).rejects.toMatchObject({
      status: 502,
      code: "upstream_error",
    });
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("end with response.failed and an error that clients throw, and are free", async () => {
    const { key, id } = await makeKeyedAccount();
    const params = scripted({ text: "one two three four", breakAfter: 2, pieceMs: 5 });
    await expect(collect(key, params)).rejects.toMatchObject({ code: "upstream_error" });
    await expect(openai(key).responses.stream(params).finalResponse()).rejects.toMatchObject({
      code: "upstream_error",
    });
    const text = await (await post(key, params)).text();
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
    expect(events.slice(-2)).toMatchObject([
      {
        type: "response.failed",
        response: {
          status: "failed",
          error: { code: "server_error", message: expect.any(String) },
          output: [{ type: "message", status: "incomplete", content: [{ text: "one two " }] }],
        },
      },
      { type: "error", code: "upstream_error", param: null, message: expect.any(String) },
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    expect(await lastUsage(id)).toMatchObject({ status: 502, costMicros: 0n });
  });

  it("read the upstream on when the client leaves, and bill what it reports", async () => {
    const { key, id } = await makeKeyedAccount();
    const text = "word ".repeat(400).trim();
    const abort = new AbortController();
    const stream = openai(key).responses.stream(
      scripted({ text, pieceMs: 5, name: "leaves-a-response" }),
      { signal: abort.signal },
    );
    let count = 0;
    stream.on("response.output_text.delta", () => {
      count += 1;
      if (count === 20) {
        abort.abort();
      }
    });
    await expect(stream.finalResponse()).rejects.toThrow();
    const seen = () =>
      upstream().seen.findLast(({ body }) => JSON.stringify(body).includes("leaves-a-response"));
    await expect.poll(async () => (await readMoney(id)).held, { timeout: 15_000 }).toBe(0n);
    expect(seen()).toMatchObject({ isOpen: false, isAborted: false });
    const usage = await lastUsage(id);
    expect([usage.status, usage.completionTokens]).toEqual([499, 400]);
  });

  it("wait for a reader of 10,000 events", async () => {
    const { key, id } = await makeKeyedAccount();
    const response = await post(key, scripted({ text: "a ".repeat(10_000).trim() }));
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect((await readMoney(id)).held).toBeGreaterThan(0n);
    let bytes = "";
    const decoder = new TextDecoder();
    for (let next = first; next && !next.done; next = await reader?.read()) {
      bytes += decoder.decode(next.value, { stream: true });
    }
    const events = [...bytes.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    const deltas = events.flatMap(({ type, delta }) =>
      type.endsWith("text.delta") ? [delta] : [],
    );
    expect(deltas.join("")).toBe("a ".repeat(10_000).trim());
    expect(deltas.length).toBe(10_000);
    expect(events.at(-1)).toMatchObject({ type: "response.completed" });
    expect((await readMoney(id)).held).toBe(0n);
  });
});
