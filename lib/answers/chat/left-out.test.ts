import { describe, expect, it } from "vitest";
import { call, openai } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { leaveOutTools, warningsOfFields } from "./left-out";

const PATH = "/v1/chat/completions";
const question = "What are the symptoms of asthma?";
const search = { type: "file_search", vector_store_ids: ["public_kb"] };
const weather = { type: "function", function: { name: "get_weather", parameters: {} } };

function scripted(script: object, extra: object = {}) {
  const messages = [{ role: "user", content: `${question} script:${JSON.stringify(script)}` }];
  return { model: "scripted", messages, ...extra };
}

async function create(key: string, body: object) {
  const { status, json } = await call("POST", PATH, { key, body });
  expect({ status, error: json.error?.message }).toEqual({ status: 200, error: undefined });
  return json;
}

function lastSent(): Record<string, unknown> {
  return upstream().seen.at(-1)?.body ?? {};
}

function codesOf({ warnings = [] }: { warnings?: { code: string }[] }): string[] {
  return warnings.map(({ code }) => code);
}

async function streamed(key: string, body: object) {
  const stream = await openai(key).chat.completions.create({ ...body, stream: true } as never);
  const chunks: Record<string, unknown>[] = [];
  for await (const chunk of stream as unknown as AsyncIterable<Record<string, unknown>>) {
    chunks.push(chunk);
  }
  return chunks;
}

describe("a file_search tool", () => {
  it("searches as citations would, and isn't sent", async () => {
    const { key } = await makeKeyedAccount();
    const ranking_options = { score_threshold: 0.1 };
    const tool = { ...search, max_num_results: 2, ranking_options };
    const answer = await create(key, scripted({ text: "ok" }, { tools: [tool, weather] }));
    expect(lastSent().tools).toEqual([weather]);
    const citations = { enabled: true, sources: ["public_kb"], top_k: 2, min_score: 0.1 };
    const same = await create(key, scripted({ text: "ok" }, { citations }));
    expect(answer.citations).toHaveLength(2);
    expect(answer.citations).toEqual(same.citations);
    expect(answer).not.toHaveProperty("warnings");
  });

  it("gives way to citations, and to a choice without it", async () => {
    const { key } = await makeKeyedAccount();
    const tools = [{ ...search, max_num_results: 2 }];
    const citations = { top_k: 1 };
    expect((await create(key, scripted({}, { tools, citations }))).citations).toHaveLength(1);
    const off = { enabled: false };
    expect(await create(key, scripted({}, { tools, citations: off }))).not.toHaveProperty(
      "citations",
    );
    const none = await create(key, scripted({}, { tools, tool_choice: "none" }));
    expect(none).not.toHaveProperty("citations");
    expect(lastSent()).not.toHaveProperty("tool_choice");
    const forced = await create(key, scripted({}, { tools, tool_choice: { type: "file_search" } }));
    expect(forced.citations).toHaveLength(2);
    await create(key, scripted({}, { tools: [...tools, weather], tool_choice: "required" }));
    expect(lastSent().tool_choice).toBe("auto");
  });

  it("works with the built-in model, and is answered by name when it is wrong", async () => {
    const { key } = await makeKeyedAccount();
    const messages = [{ role: "user", content: question }];
    const body = { model: "footnote-extract-1", messages };
    expect((await create(key, { ...body, tools: [search] })).citations.length).toBeGreaterThan(0);
    const refused: [object[], number, string][] = [
      [[{ type: "file_search" }], 400, "tools.0.vector_store_ids"],
      [[{ ...search, max_num_results: 51 }], 400, "tools.0.max_num_results"],
      [
        [search, { ...search, filters: { type: "eq", key: "title", value: "x" } }],
        400,
        "tools.1.filters",
      ],
      [[{ ...search, vector_store_ids: ["vs_1"] }], 403, "tools.0.vector_store_ids"],
    ];
    for (const [tools, expected, param] of refused) {
      const { status, json } = await call("POST", PATH, { key, body: { ...body, tools } });
      expect({ status, param: json.error.param }).toEqual({ status: expected, param });
    }
  });
});

describe("tools that an upstream would run", () => {
  it.each([
    ["web_search", { type: "web_search" }],
    ["mcp", { type: "mcp", server_url: "https://example.org" }],
    ["divination", { type: "divination" }],
    ["google_search", { google_search: {} }],
  ])("are left out with a warning, plain and streamed: %s", async (name, tool) => {
    const { key } = await makeKeyedAccount();
    const body = scripted({ text: "ok" }, { tools: [tool, weather], tool_choice: "auto" });
    const { warnings } = await create(key, body);
    expect(warnings).toEqual([
      { code: "tool_left_out", message: expect.stringContaining(`'${name}'`) },
    ]);
    expect(lastSent().tools).toEqual([weather]);
    const chunks = await streamed(key, body);
    expect(chunks.filter((chunk) => "warnings" in chunk)).toEqual([
      expect.objectContaining({
        warnings,
        choices: [expect.objectContaining({ finish_reason: "stop" })],
      }),
    ]);
    await create(key, scripted({ text: "ok" }, { tools: [tool], tool_choice: "auto" }));
    expect(lastSent()).not.toHaveProperty("tools");
    expect(lastSent()).not.toHaveProperty("tool_choice");
  });

  it("are refused when a choice forces them, and sent to a model that allows them", () => {
    const request = { model: "m", messages: [], tools: [{ type: "web_search" }] };
    const allowed = { mode: "required", tools: [{ type: "web_search" }] };
    const choices = [
      "required",
      { type: "web_search" },
      { type: "allowed_tools", allowed_tools: allowed },
    ];
    for (const tool_choice of choices) {
      expect(() => leaveOutTools({ ...request, tool_choice }, [])).toThrow("'web_search'");
      const sent = leaveOutTools({ ...request, tool_choice }, ["tools.web_search"]);
      expect(sent).toEqual({ request: { ...request, tool_choice }, warnings: [] });
    }
  });
});

it("says that the built-in model calls none of the tools it is offered", async () => {
  const { key } = await makeKeyedAccount();
  const messages = [{ role: "user", content: question }];
  const body = { model: "footnote-extract-1", messages, tools: [weather] };
  expect(codesOf(await create(key, body))).toEqual(["tool_left_out"]);
  expect(codesOf(await create(key, { ...body, tool_choice: "none" }))).toEqual([]);
});

it("says what the built-in model ignores as a fallback, plain and streamed", async () => {
  const { key } = await makeKeyedAccount({ models: ["scripted-quoting"] });
  const messages = [{ role: "user", content: question }];
  const asked = { tools: [weather], tool_choice: "required", logprobs: true };
  const body = { model: "scripted-quoting", messages, ...asked, ignore_unsupported: true };
  const { warnings, model } = await create(key, body);
  expect(model).toBe("footnote-extract-1");
  expect(warnings).toEqual([
    { code: "tool_left_out", message: expect.stringContaining("calls no tools") },
    { code: "field_left_out", message: expect.stringContaining("log probabilities") },
  ]);
  const chunks = await streamed(key, body);
  expect(chunks.filter((chunk) => "warnings" in chunk)).toMatchObject([{ warnings }]);
});

describe("fields that ask in vain", () => {
  it.each([
    ...["citation", "Citations", "CITATIONS", "citation_options", "citationOptions"],
    ...["citaitons", "ciations", "return_citations", "extra_body", "search_results"],
    ...["source_types", "min_score", "on_unsupported", "vector_store_ids"],
  ])("are named with citations: %s", (field) => {
    const request = { model: "m", messages: [], [field]: { enabled: true } };
    expect(warningsOfFields(request, [])).toEqual([
      { code: "field_unknown", message: expect.stringMatching(`'${field}'.*'citations'`) },
    ]);
  });

  it.each([
    ...["temperature", "top_k", "tools", "functions", "seed", "stop", "user", "reasoning_effort"],
    ...["chat_template_kwargs", "repetition_penalty", "logit_bias", "max_tokens", "metadata"],
    ...["presence_penalty", "response_format", "parallel_tool_calls", "max_completion_tokens"],
  ])("aren't suspected in what models know: %s", (field) => {
    expect(warningsOfFields({ model: "m", messages: [], [field]: 1 }, [])).toEqual([]);
  });

  it("are named when a model doesn't get them, unless they ask for nothing", async () => {
    const { key } = await makeKeyedAccount();
    const body = scripted({ text: "ok" }, { web_search_options: {}, citation: { enabled: true } });
    expect(codesOf(await create(key, body))).toEqual(["field_left_out", "field_unknown"]);
    const nothing = { service_tier: "auto", modalities: ["text"], audio: null };
    expect(await create(key, scripted({ text: "ok" }, nothing))).not.toHaveProperty("warnings");
  });
});

describe("options that a model doesn't get", () => {
  const cache_control = { type: "ephemeral", ttl: "1h" };
  const text = { type: "text", text: "Hi" };

  it.each<[string, object, string[]]>([
    [
      "a part",
      { messages: [{ role: "user", content: [{ ...text, cache_control }] }] },
      ["cache_control"],
    ],
    [
      "a message",
      { messages: [{ role: "user", content: "Hi", cache_control }] },
      ["cache_control"],
    ],
    ["a tool", { messages: [], tools: [{ type: "function", cache_control }] }, ["cache_control"]],
    [
      "parts, each once",
      { messages: [1, 2].map(() => ({ role: "user", content: [{ ...text, a: 1 }] })) },
      ["a"],
    ],
    ["a plain message", { messages: [{ role: "user", content: [text] }] }, []],
  ])("are named: those of %s", (_, request, names) => {
    expect(warningsOfFields({ model: "m", ...request } as never, [])).toEqual(
      names.map((name) => ({
        code: "field_left_out",
        message: expect.stringContaining(`'${name}'`),
      })),
    );
    expect(warningsOfFields({ model: "m", ...request } as never, ["cache_control"])).toHaveLength(
      names.includes("a") ? 1 : 0,
    );
  });
});

describe("an answer in JSON", () => {
  const text = '{"answer":"Wheezing [1]. It lasts a week [99]."}';
  const citations = { enabled: true, return: "cited", on_unsupported: "strip" };

  it.each([
    ["that was asked for", text, { response_format: { type: "json_object" } }],
    ["of the model's own accord", text, {}],
    ["in a code block", `\`\`\`json\n${text}\n\`\`\``, {}],
    ["that is a list", `[${text}]`, {}],
  ])(
    "%s is checked, stays as it is, and says which options that leaves without effect",
    async (_how, answer, asked) => {
      const { key } = await makeKeyedAccount();
      const body = scripted({ text: answer }, { citations, ...asked });
      const plain = await create(key, body);
      const [{ message }] = plain.choices;
      expect(message.content).toBe(answer);
      expect(message.annotations).toMatchObject([
        { url_citation: { citation_id: 1, path: expect.stringMatching(/\.answer$/) } },
      ]);
      expect(message.verification).toMatchObject({ sentences: 2, cited: 1 });
      expect(plain.citations).toMatchObject([{ id: 1, metadata: { cited: true } }]);
      expect(plain.warnings).toEqual([
        {
          code: "json_unchanged",
          message: expect.stringMatching(/: 'citations.on_unsupported'\.$/),
        },
      ]);
      const chunks = await streamed(key, body);
      expect(chunks.filter((chunk) => "warnings" in chunk)).toMatchObject([
        { warnings: plain.warnings },
      ]);
    },
  );

  it.each(['{"cut off', "Wheezing [1]."])(
    "that was asked for and is none isn't checked: %s",
    async (answer) => {
      const { key } = await makeKeyedAccount();
      const asked = { citations, response_format: { type: "json_object" } };
      const { choices, warnings } = await create(key, scripted({ text: answer }, asked));
      expect(choices[0].message.content).toBe(answer);
      expect([choices[0].message.annotations, choices[0].message.verification]).toEqual([
        undefined,
        undefined,
      ]);
      expect(warnings).toMatchObject([{ code: "json_not_cited" }]);
    },
  );

  it.each(["Wheezing [1].", "[1]", "[5, 10]", '{"a": 1} says it [1].', '{"cut off'])(
    "isn't %s",
    async (answer) => {
      const { key } = await makeKeyedAccount();
      const { choices, warnings } = await create(key, scripted({ text: answer }, { citations }));
      expect(choices[0].message.verification).toBeDefined();
      expect(warnings).toBeUndefined();
    },
  );

  it("without sources needs no warning", async () => {
    const { key } = await makeKeyedAccount();
    const response_format = { type: "json_object" };
    expect(await create(key, scripted({ text }, { response_format }))).not.toHaveProperty(
      "warnings",
    );
  });
});

it("answers a conversation of thousands of messages, and refuses one beyond every session", async () => {
  const { key } = await makeKeyedAccount();
  const turns = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content: "m",
    }));
  await create(key, { model: "scripted", messages: turns(3001) });
  expect((lastSent().messages as unknown[]).length).toBe(3001);
  const body = { model: "scripted", messages: turns(10_001) };
  const { status, json } = await call("POST", PATH, { key, body });
  expect(status).toBe(400);
  expect(json.error.message).toContain("at most 10000 messages");
});

it("searches for the last question in words when the last message is a picture", async () => {
  const { key } = await makeKeyedAccount();
  const url = "data:image/png;base64,iVBORw0KGgo=";
  const messages = [
    { role: "user", content: question },
    { role: "assistant", content: "Send a picture." },
    { role: "user", content: [{ type: "image_url", image_url: { url } }] },
  ];
  const ask = (query: string) =>
    create(key, { model: "scripted", messages, citations: { enabled: true, query } });
  const { retrieval, warnings } = await ask("conversation");
  expect(retrieval).toMatchObject({ query: question, method: "rules" });
  expect(warnings).toBeUndefined();
  expect(codesOf(await ask("last"))).toEqual(["invalid_request"]);
});
