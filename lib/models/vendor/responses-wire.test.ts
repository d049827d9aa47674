import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { embeddedModel, type Model } from "../catalogue";
import type { CompletionChunk, ModelRequest } from "../schema";
import { createUpstreamModel } from "./chat";

/** What the upstream answers next: a body, or events as they are sent. */
let next: { status?: number; body?: unknown; events?: unknown[] } = {};
let sent: { path: string | undefined; body: unknown } = { path: undefined, body: null };

const server = createServer(async (request, response) => {
  let text = "";
  for await (const piece of request) {
    text += piece;
  }
  sent = { path: request.url, body: JSON.parse(text) };
  const type = next.events ? "text/event-stream" : "application/json";
  response.writeHead(next.status ?? 200, { "content-type": type });
  const events = next.events?.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  response.end(events ?? JSON.stringify(next.body));
});

let model: ReturnType<typeof createUpstreamModel>;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const upstream: NonNullable<Model["upstream"]> = {
    ...{ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "k" },
    ...{ model: "native", api: "responses" },
  };
  model = createUpstreamModel({ ...embeddedModel(), upstream, timeoutMs: 5000 }, upstream);
});
afterAll(() => server.close());

const { signal } = new AbortController();
const usage = {
  ...{ input_tokens: 12, output_tokens: 5, total_tokens: 17 },
  input_tokens_details: { cached_tokens: 8 },
  output_tokens_details: { reasoning_tokens: 2 },
};
const answered = {
  ...{ id: "resp_1", object: "response", created_at: 7, model: "native-1", status: "completed" },
  ...{ error: null, incomplete_details: null, usage },
};
const message = {
  ...{ id: "msg_1", type: "message", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text: "It rains [1].", annotations: [] }],
};
const reasoning = { id: "rs_1", type: "reasoning", summary: [] };
const call = {
  ...{ id: "fc_1", type: "function_call", status: "completed" },
  ...{ call_id: "call_1", name: "get_weather", arguments: '{"city":"Bern"}' },
};

function request(extra: Partial<ModelRequest> = {}): ModelRequest {
  return { model: "ignored", messages: [{ role: "user", content: "Rain?" }], ...extra };
}

async function complete(body: unknown, asked = request()) {
  next = { body };
  return model.complete(asked, signal);
}

async function stream(events: unknown[], asked = request()): Promise<CompletionChunk[]> {
  next = { events };
  const chunks: CompletionChunk[] = [];
  for await (const chunk of await model.stream(asked, signal)) {
    chunks.push(chunk);
  }
  return chunks;
}

describe("an upstream asked through the Responses API", () => {
  it("gets a chat completion's request in its own form", async () => {
    const image = { url: "https://example.org/a.png", detail: "low" };
    const parameters = { type: "object", properties: {} };
    await complete(
      { ...answered, output: [message] },
      request({
        messages: [
          { role: "system", content: "Be brief." },
          {
            role: "user",
            content: [
              { type: "text", text: "Rain?" },
              { type: "image_url", image_url: image },
              { type: "file", file: { filename: "a.pdf", file_data: "data:,a" } },
            ],
          },
          {
            ...{ role: "assistant", content: "I'll see." },
            tool_calls: [
              {
                id: "call_1",
                type: "function",
                function: { name: "get_weather", arguments: "{}" },
              },
            ],
          },
          { role: "tool", tool_call_id: "call_1", content: "sunny" },
        ],
        ...{ n: 1, logprobs: false, store: false, stream_options: { include_usage: true } },
        ...{ temperature: 0.2, max_completion_tokens: 50 },
        tools: [{ type: "function", function: { name: "get_weather", parameters } }],
        tool_choice: { type: "function", function: { name: "get_weather" } },
        response_format: { type: "json_schema", json_schema: { name: "place", schema: {} } },
        ...{ verbosity: "low", reasoning_effort: "high" },
      }),
    );
    const expected: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
      ...{ model: "native", stream: false, store: false, temperature: 0.2, max_output_tokens: 50 },
      input: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "input_text", text: "Rain?" },
            { type: "input_image", image_url: image.url, detail: "low" },
            { type: "input_file", filename: "a.pdf", file_data: "data:,a" },
          ],
        },
        { role: "assistant", content: [{ type: "output_text", text: "I'll see." }] } as never,
        { type: "function_call", call_id: "call_1", name: "get_weather", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: "sunny" },
      ],
      tools: [{ type: "function", name: "get_weather", parameters, strict: false }],
      tool_choice: { type: "function", name: "get_weather" },
      text: { format: { type: "json_schema", name: "place", schema: {} }, verbosity: "low" },
      reasoning: { effort: "high" },
    };
    expect(sent).toEqual({ path: "/v1/responses", body: expected });
  });

  it.each<[string, Partial<ModelRequest>]>([
    ["stop", { stop: "." }],
    ["n", { n: 2 }],
    ["logprobs", { logprobs: true }],
    ["previous_response_id", { previous_response_id: "resp_of_another_account" }],
    ["background", { background: true }],
    ["tools", { tools: [{ type: "web_search" }] }],
  ])("is never sent '%s'", async (param, extra) => {
    sent = { path: undefined, body: null };
    await expect(model.complete(request(extra), signal)).rejects.toMatchObject({
      ...{ status: 400, code: "invalid_request", param },
      message: expect.stringContaining("support"),
    });
    expect(sent.body).toBeNull();
  });

  it("answers with a chat completion", async () => {
    const completion = await complete({ ...answered, output: [reasoning, message] });
    expect(completion).toMatchObject({
      choices: [
        { index: 0, finish_reason: "stop", message: { content: "It rains [1].", refusal: null } },
      ],
      usage: {
        ...{ prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
        prompt_tokens_details: { cached_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });

  it.each([
    [{ output: [call] }, "tool_calls", null],
    [
      { output: [message], status: "incomplete", incomplete_details: { reason: "x" } },
      "length",
      "It rains [1].",
    ],
    [
      {
        ...{ output: [message], status: "incomplete" },
        incomplete_details: { reason: "content_filter" },
      },
      "content_filter",
      "It rains [1].",
    ],
    [{ output: [{ ...message, content: [{ type: "refusal", refusal: "No." }] }] }, "stop", null],
  ])("says how it ended: %o", async (output, finish_reason, content) => {
    const { choices } = await complete({ ...answered, ...output });
    expect(choices[0]).toMatchObject({ finish_reason, message: { content } });
  });

  it("fails if its answer isn't a response", async () => {
    for (const body of [{}, [], { ...answered, output: "x" }, { ...answered, status: "failed" }]) {
      await expect(complete(body)).rejects.toMatchObject({ status: 502, code: "upstream_error" });
    }
  });

  it("names fields in its errors as the request does", async () => {
    next = {
      status: 400,
      body: { error: { message: "Invalid 'input[2].content'.", param: "input[2].content" } },
    };
    const calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
    const messages: ModelRequest["messages"] = [
      { role: "assistant", content: "Hm.", tool_calls: calls },
      { role: "tool", tool_call_id: "c", content: "" },
    ];
    await expect(model.complete(request({ messages }), signal)).rejects.toMatchObject({
      ...{ status: 400, param: "messages[1].content" },
      message: "Invalid 'messages[1].content'.",
    });
  });
});

describe("its stream", () => {
  const created = { type: "response.created", response: { ...answered, output: [], usage: null } };
  const completed = (output: unknown[]) => ({
    type: "response.completed",
    response: { ...answered, output },
  });

  it("becomes chunks, with the usage at the end", async () => {
    const chunks = await stream([
      created,
      { type: "response.in_progress", response: created.response },
      { type: "response.output_item.added", output_index: 0, item: reasoning },
      { type: "response.output_item.added", output_index: 1, item: { ...message, content: [] } },
      { type: "response.output_text.delta", item_id: "msg_1", output_index: 1, delta: "It " },
      { type: "response.output_text.delta", item_id: "msg_1", output_index: 1, delta: "rains." },
      { type: "response.output_text.done", item_id: "msg_1", output_index: 1, text: "It rains." },
      completed([reasoning, message]),
    ]);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas[0]).toMatchObject({ role: "assistant" });
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("It rains.");
    const ends = chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? []);
    expect(ends).toEqual(["stop"]);
    expect(chunks.find(({ usage }) => usage)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 12 },
    });
  });

  it("numbers calls by themselves", async () => {
    const second = { ...call, id: "fc_2", call_id: "call_2", arguments: "" };
    const chunks = await stream([
      created,
      { type: "response.output_item.added", output_index: 0, item: reasoning },
      { type: "response.output_item.added", output_index: 1, item: { ...call, arguments: "" } },
      { type: "response.output_item.added", output_index: 2, item: second },
      { type: "response.function_call_arguments.delta", output_index: 2, delta: "{}" },
      completed([reasoning, call, second]),
    ]);
    const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(calls).toMatchObject([
      { index: 0, id: "call_1", type: "function", function: { name: "get_weather" } },
      { index: 1, id: "call_2", type: "function", function: { name: "get_weather" } },
      { index: 1, function: { arguments: "{}" } },
      { index: 0, function: { arguments: "{}" } },
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
  });

  it.each([
    ["fails", { type: "response.failed", response: { error: { code: "server_error" } } }],
    ["errs", { type: "error", code: "server_error", message: "No." }],
    ["breaks its own form", { type: "response.output_text.delta", delta: 5 }],
    ["ends early", { type: "response.in_progress", response: {} }],
  ])("is an upstream error if it %s", async (_name, event) => {
    await expect(stream([created, event])).rejects.toMatchObject({
      ...{ status: 502, code: "upstream_error" },
    });
  });
});
