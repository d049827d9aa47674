import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { call, openai } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";

const question = "What are the symptoms of asthma?";
const search = { type: "file_search", vector_store_ids: ["public_kb"] };
const weather = {
  type: "function",
  name: "get_weather",
  parameters: { type: "object" },
  strict: false,
};
const agents = {
  type: "namespace",
  name: "agents",
  description: "Helpers",
  tools: [
    {
      type: "function",
      name: "get_weather",
      description: "Of agents",
      parameters: { type: "object" },
    },
    { type: "web_fetch" },
  ],
};
const patch = {
  type: "custom",
  name: "apply_patch",
  description: "Edits files",
  format: { type: "grammar", syntax: "lark", definition: "start: x" },
};

/** OpenAI's tools that nobody here runs, and one that nobody has. */
const HOSTED = [
  ...["web_search", "web_search_preview", "computer_use_preview", "code_interpreter", "mcp"],
  ...["image_generation", "local_shell", "shell", "apply_patch", "tool_search", "divination"],
];

function calls(name: string, args: string) {
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_7", type: "function", function: { name, arguments: args } }],
  };
  return { choices: [{ index: 0, finish_reason: "tool_calls", message }] };
}

function scripted(script: object, extra: object = {}) {
  return { model: "scripted", input: `script:${JSON.stringify(script)}`, ...extra };
}

async function create(key: string, body: object) {
  const { status, json } = await call("POST", "/v1/responses", { key, body });
  expect({ status, error: json.error?.message }).toEqual({ status: 200, error: undefined });
  return json;
}

function lastSent() {
  return upstream().seen.at(-1)?.body as unknown as {
    tools?: { function: { name: string; description?: string } }[];
    tool_choice?: unknown;
    messages: { tool_calls?: unknown }[];
  };
}

describe("tools that nobody here runs", () => {
  it.each(HOSTED)("are left out, and named in a warning: %s", async (type) => {
    const { key } = await makeKeyedAccount();
    const secret = { type, authorization: "Bearer of-another-server" };
    const body = scripted({ text: `left out ${type}` }, { tools: [weather, secret] });
    const response = await create(key, body);
    expect(response.warnings).toEqual([
      { code: "tool_left_out", message: expect.stringContaining(`'${type}'`) },
    ]);
    expect(lastSent().tools).toMatchObject([{ function: { name: "get_weather" } }]);
    expect(JSON.stringify(response)).not.toContain("of-another-server");
  });

  it("leave a search and an answer without tools behind, plain and streamed", async () => {
    const { key } = await makeKeyedAccount();
    const body = { model: "footnote-extract-1", input: question, tools: [search, { type: "mcp" }] };
    const plain = await create(key, body);
    expect(plain.citations.length).toBeGreaterThan(0);
    const params = body as unknown as OpenAI.Responses.ResponseCreateParamsStreaming;
    const streamed = await openai(key).responses.stream(params).finalResponse();
    expect(streamed).toMatchObject({ warnings: plain.warnings, tools: [search] });
    await create(
      key,
      scripted({ text: "alone" }, { tools: [{ type: "mcp" }], tool_choice: "auto" }),
    );
    expect(lastSent()).not.toHaveProperty("tools");
    expect(lastSent()).not.toHaveProperty("tool_choice");
  });

  it("are refused by name when a choice forces them", async () => {
    const { key } = await makeKeyedAccount();
    const allowed = { type: "allowed_tools", mode: "required", tools: [{ type: "mcp" }] };
    for (const tool_choice of [{ type: "mcp" }, allowed, "required"]) {
      const body = scripted({}, { tools: [{ type: "mcp" }], tool_choice });
      const { status, json } = await call("POST", "/v1/responses", { key, body });
      expect(status).toBe(400);
      expect(json.error.param).toMatch(/^tool_choice/);
      expect(json.error.message).toContain("'mcp'");
    }
  });
});

describe("namespaces", () => {
  const tools = [weather, agents];

  it("give the model their functions, and their calls the name that agents look for", async () => {
    const { key } = await makeKeyedAccount();
    const body = scripted(calls("agents__get_weather", "{}"), { tools });
    const response = await create(key, body);
    expect(lastSent().tools?.map(({ function: { name } }) => name)).toEqual([
      "get_weather",
      "agents__get_weather",
    ]);
    expect(response.warnings).toMatchObject([{ code: "tool_left_out" }]);
    const [item] = response.output;
    expect(item).toMatchObject({
      type: "function_call",
      call_id: "call_7",
      namespace: "agents",
      name: "get_weather",
    });
    const input = [{ role: "user", content: "Hi" }, item, outputOf("function_call_output")];
    await create(key, { model: "scripted", input, tools });
    expect(lastSent().messages[1]?.tool_calls).toEqual([
      {
        id: "call_7",
        type: "function",
        function: { name: "agents__get_weather", arguments: "{}" },
      },
    ]);
  });

  it("stream their calls under the same name", async () => {
    const { key } = await makeKeyedAccount();
    const called = {
      index: 0,
      id: "c",
      function: { name: "agents__get_weather", arguments: "{}" },
    };
    const body = scripted({ deltas: [{ tool_calls: [called] }] }, { tools });
    const params = body as unknown as OpenAI.Responses.ResponseCreateParamsStreaming;
    const { output } = await openai(key).responses.stream(params).finalResponse();
    expect(output).toMatchObject([{ namespace: "agents", name: "get_weather", call_id: "c" }]);
  });

  it("may be empty, long, or chosen from", async () => {
    const { key } = await makeKeyedAccount();
    await create(key, scripted({ text: "empty" }, { tools: [{ ...agents, tools: [] }] }));
    expect(lastSent()).not.toHaveProperty("tools");
    const name = "n".repeat(60);
    await create(key, scripted({ text: "long" }, { tools: [{ ...agents, name }] }));
    const sentName = lastSent().tools?.[0]?.function.name ?? "";
    expect(sentName).toMatch(/^n{55}_[0-9a-f]{8}$/);
    const { output } = await create(
      key,
      scripted(calls(sentName, "{}"), { tools: [{ ...agents, name }] }),
    );
    expect(output[0]).toMatchObject({ namespace: name, name: "get_weather" });
    const choice = { type: "function", name: "get_weather", namespace: "agents" };
    await create(key, scripted({ text: "chosen" }, { tools, tool_choice: choice }));
    expect(lastSent().tool_choice).toEqual({
      type: "function",
      function: { name: "agents__get_weather" },
    });
  });

  it("are named in stored responses as well", async () => {
    const { key } = await makeKeyedAccount();
    const body = scripted(calls("agents__get_weather", "{}"), { tools, store: true });
    const created = await create(key, body);
    const { json: stored } = await call("GET", `/v1/responses/${created.id}`, { key });
    expect(stored.output).toEqual(created.output);
    const next = {
      ...{ model: "scripted", tools, previous_response_id: created.id },
      input: [outputOf("function_call_output")],
    };
    await create(key, next);
    expect(lastSent().messages.at(-2)?.tool_calls).toMatchObject([
      { id: "call_7", function: { name: "agents__get_weather" } },
    ]);
  });
});

it("turns a custom tool into a function of one text and back", async () => {
  const { key } = await makeKeyedAccount();
  const text = "*** Begin Patch\n*** End Patch";
  const script = calls("apply_patch", JSON.stringify({ input: text }));
  const response = await create(key, scripted(script, { tools: [patch] }));
  expect(lastSent().tools).toMatchObject([
    {
      type: "function",
      function: {
        name: "apply_patch",
        description: expect.stringContaining("start: x"),
        parameters: { required: ["input"] },
      },
    },
  ]);
  const [item] = response.output;
  expect(item).toMatchObject({ type: "custom_tool_call", name: "apply_patch", input: text });
  const bare = await create(key, scripted(calls("apply_patch", "not JSON"), { tools: [patch] }));
  expect(bare.output[0]).toMatchObject({ input: "not JSON" });
  const input = [{ role: "user", content: "Hi" }, item, outputOf("custom_tool_call_output")];
  await create(key, { model: "scripted", input, tools: [patch] });
  expect(lastSent().messages.slice(1)).toMatchObject([
    { tool_calls: [{ id: "call_7", function: { name: "apply_patch" } }] },
    { role: "tool", tool_call_id: "call_7", content: "ok" },
  ]);
});

describe("images that functions return", () => {
  const image_url = "data:image/png;base64,iVBORw0KGgo=";
  const called = { type: "function_call", call_id: "call_7", name: "view_image", arguments: "{}" };
  const shown = [
    { type: "input_text", text: "Attached." },
    { type: "input_image", image_url },
  ];
  const input = [
    { role: "user", content: `${question} script:${JSON.stringify({ isStrict: true })}` },
    called,
    { ...outputOf("function_call_output"), output: shown },
  ];

  it("follow the outputs as the user's, and aren't what is searched", async () => {
    const { key } = await makeKeyedAccount();
    const body = { model: "scripted", input, tools: [search], store: true };
    const response = await create(key, body);
    expect(response.retrieval.query).toContain(question);
    expect(response).not.toHaveProperty("warnings");
    const [, user, , tool, media] = lastSent().messages as { role: string; content: unknown }[];
    expect(user?.content).toContain("<source");
    expect(tool).toMatchObject({
      role: "tool",
      content: [{ text: "Attached." }, { type: "text" }],
    });
    expect(media).toEqual({
      role: "user",
      content: [{ type: "image_url", image_url: { url: image_url } }],
    });
    const { json } = await call("GET", `/v1/responses/${response.id}/input_items`, { key });
    const [output] = json.data;
    expect(output).toMatchObject({
      call_id: "call_7",
      output: [shown[0], { type: "input_image" }],
    });
    const next = { model: "scripted", previous_response_id: response.id, input: "And now?" };
    await create(key, next);
    expect(JSON.stringify(lastSent().messages)).toContain("Attached.");
  });

  it("are named in a warning where the model only quotes", async () => {
    const { key } = await makeKeyedAccount();
    const body = { model: "footnote-extract-1", input, tools: [search] };
    expect((await create(key, body)).warnings).toEqual([
      { code: "field_left_out", message: expect.stringContaining("output of a tool") },
    ]);
  });

  it("keep the positions of the caller's messages in an upstream's error", async () => {
    const { key } = await makeKeyedAccount();
    const error = { message: "messages[5].content is wrong", param: "messages[5].content" };
    const last = { role: "user", content: `script:${JSON.stringify({ status: 400, error })}` };
    const body = {
      model: "scripted",
      input: [...input, { role: "assistant", content: "a" }, last],
    };
    const { status, json } = await call("POST", "/v1/responses", { key, body });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining("[4]")]);
  });
});

it.each([
  ...["web_search_call", "code_interpreter_call", "computer_call_output", "mcp_list_tools"],
  ...["local_shell_call", "shell_call_output", "tool_search_output", "divination_call"],
])("leaves out what a tool did elsewhere, and says so: %s", async (type) => {
  const { key } = await makeKeyedAccount();
  const input = [
    { type, id: "x_1", call_id: "call_8", action: { query: "secret" } },
    { role: "user", content: "Hi" },
  ];
  const { warnings } = await create(key, { model: "scripted", input });
  expect(warnings).toEqual([
    { code: "item_left_out", message: expect.stringContaining(`'${type}'`) },
  ]);
  expect(lastSent().messages).toEqual([{ role: "user", content: "Hi" }]);
});

it("still refuses items that it doesn't know, and calls with something missing", async () => {
  const { key } = await makeKeyedAccount();
  for (const [item, param] of [
    [{ type: "masage", role: "user", content: "Hi" }, "input.0.type"],
    [{ type: "compaction", encrypted_content: "x" }, "input.0.type"],
    [{ type: "function_call", call_id: "c", arguments: "{}" }, "input.0.name"],
    [
      { type: "function_call_output", call_id: "c", output: [{ type: "x" }] },
      "input.0.output.0.type",
    ],
  ] as const) {
    const body = { model: "scripted", input: [item] };
    const { status, json } = await call("POST", "/v1/responses", { key, body });
    expect({ status, param: json.error.param }).toEqual({ status: 400, param });
  }
});

function outputOf(type: string) {
  return { type, call_id: "call_7", output: "ok" };
}
