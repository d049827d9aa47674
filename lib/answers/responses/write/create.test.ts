import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { call, openai } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import type { ResponseObject } from "../response-schema";

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;

const question = "What are the symptoms of asthma?";
const search = { type: "file_search" as const, vector_store_ids: ["public_kb"] };

function cited(extra: object = {}): Params {
  return { model: "footnote-extract-1", input: question, tools: [search], ...extra };
}

function scripted(script: object, extra: object = {}): Params {
  return { model: "scripted", input: `script:${JSON.stringify(script)}`, ...extra };
}

async function create(key: string, params: Params) {
  return (await openai(key).responses.create(params)) as OpenAI.Responses.Response & ResponseObject;
}

/** What the upstream was sent for the request whose input has this text. */
function sentWith(text: string) {
  return upstream().seen.findLast(({ body }) => JSON.stringify(body).includes(text))?.body;
}

describe("plain responses", () => {
  it("answer with the search, the text, and a citation of a file for each marker", async () => {
    const { key } = await makeKeyedAccount();
    const response = await create(key, cited({ include: ["file_search_call.results"] }));
    expect(response).toMatchObject({
      object: "response",
      status: "completed",
      model: "footnote-extract-1",
      store: false,
      tools: [search],
      error: null,
    });
    const [searched, message] = response.output;
    expect(searched).toMatchObject({
      type: "file_search_call",
      status: "completed",
      queries: [question],
    });
    const content = message?.type === "message" ? message.content[0] : undefined;
    const annotations = content?.type === "output_text" ? content.annotations : [];
    const text = [...response.output_text];
    const files = annotations.filter(({ type }) => type === "file_citation");
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const { start_index, end_index, citation_id, index } = file as unknown as Record<
        string,
        number
      >;
      expect(text.slice(start_index, end_index).join("")).toBe(`[${citation_id}]`);
      expect(index).toBe(start_index);
      const source = response.citations?.find(({ id }) => id === citation_id);
      expect(file).toMatchObject({
        file_id: source?.document_id,
        filename: source?.title,
        verdict: "supported",
        quote: { text: expect.any(String) },
        permalink: expect.stringContaining("/documents/"),
      });
    }
  });

  it("repeat a citation as a url_citation when the document has a public address", async () => {
    const { key } = await makeKeyedAccount();
    const response = await create(key, cited());
    const annotations = response.output.flatMap((item) =>
      item.type === "message" ? (item.content[0] as { annotations: object[] }).annotations : [],
    ) as { type: string; url?: string; start_index: number; citation_id: number }[];
    const addresses = annotations.filter(({ type }) => type === "url_citation");
    expect(addresses.length).toBeGreaterThan(0);
    for (const { url, citation_id } of addresses) {
      const source = response.citations?.find(({ id }) => id === citation_id);
      expect(url).toBe(source?.metadata.url);
    }
  });

  it("carry the search's results only when asked, with link and verdict as attributes", async () => {
    const { key } = await makeKeyedAccount();
    const without = await create(key, cited());
    expect(without.output[0]).toMatchObject({ type: "file_search_call", results: null });
    const { output } = await create(key, cited({ include: ["file_search_call.results"] }));
    const results = output[0]?.type === "file_search_call" ? (output[0].results ?? []) : [];
    expect(results[0]).toMatchObject({
      file_id: expect.stringMatching(/^doc_/),
      filename: expect.any(String),
      score: expect.any(Number),
      text: expect.any(String),
      attributes: {
        citation_id: 1,
        scope: "public_kb",
        link: expect.stringContaining("/documents/"),
        verdict: "supported",
      },
    });
    for (const { attributes } of results) {
      expect(Object.keys(attributes ?? {}).length).toBeLessThanOrEqual(16);
    }
  });

  it("give the answer, sources and verification of the same chat completion", async () => {
    const { key } = await makeKeyedAccount();
    const response = await create(key, cited({ tools: [{ ...search, max_num_results: 3 }] }));
    const completion = await openai(key).chat.completions.create({
      model: "footnote-extract-1",
      messages: [{ role: "user", content: question }],
      citations: { enabled: true, sources: ["public_kb"], top_k: 3 },
    } as OpenAI.ChatCompletionCreateParamsNonStreaming);
    const { citations, retrieval, choices, usage } = completion as unknown as {
      citations: unknown;
      retrieval: unknown;
      choices: { message: { content: string; verification: unknown } }[];
      usage: Record<string, unknown>;
    };
    expect(response.output_text).toBe(choices[0]?.message.content);
    expect(response.citations).toEqual(citations);
    expect(response.retrieval).toEqual(retrieval);
    expect(response.verification).toEqual(choices[0]?.message.verification);
    expect(response.usage).toMatchObject({
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      total_tokens: usage.total_tokens,
      cost_usd: usage.cost_usd,
      cost: Number(usage.cost_usd),
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    });
  });

  it("take the tool's bounds and what only citations can say", async () => {
    const { key } = await makeKeyedAccount();
    const tool = { ...search, max_num_results: 2, ranking_options: { score_threshold: 0.1 } };
    const response = await create(key, {
      ...cited({ tools: [tool] }),
      citations: { quotes: false, return: "all", top_k: 40 },
    } as Params);
    expect(response.citations?.length).toBe(2);
    expect(response.output.at(-1)).not.toHaveProperty("content.0.annotations.0.quote");
  });

  it("are billed and recorded under their own path", async () => {
    const { key, id } = await makeKeyedAccount();
    const { response } = await openai(key).responses.create(cited()).withResponse();
    expect(response.headers.get("x-footnote-cost-usd")).toMatch(/^0\.\d{6}$/);
    expect(response.headers.get("x-litellm-response-cost")).toMatch(/^0\.\d{6}$/);
    expect(await lastUsage(id)).toMatchObject({
      endpoint: "/v1/responses",
      kind: "grounded",
      status: 200,
    });
    expect((await readMoney(id)).held).toBe(0n);
  });

  it("send the upstream a chat completion with nothing of their own", async () => {
    const { key } = await makeKeyedAccount();
    await create(
      key,
      scripted(
        { name: "translated" },
        {
          instructions: "Answer in German.",
          tools: [
            { type: "function", name: "get_weather", parameters: { type: "object" }, strict: true },
          ],
          tool_choice: { type: "function", name: "get_weather" },
          parallel_tool_calls: false,
          text: { format: { type: "json_schema", name: "answer", schema: {}, strict: true } },
          reasoning: { effort: "low", summary: "auto" },
          max_output_tokens: 50,
          temperature: 0.5,
          metadata: { ward: "7" },
          include: ["reasoning.encrypted_content"],
          truncation: "auto",
          user: "u1",
        },
      ),
    );
    const { messages, model, ...sent } = sentWith("translated") ?? {};
    expect(messages).toEqual([
      { role: "system", content: "Answer in German." },
      { role: "user", content: expect.stringContaining("script:") },
    ]);
    expect(model).toEqual(expect.any(String));
    expect(sent).toEqual({
      stream: false,
      tools: [
        {
          type: "function",
          function: { name: "get_weather", parameters: { type: "object" }, strict: true },
        },
      ],
      tool_choice: { type: "function", function: { name: "get_weather" } },
      parallel_tool_calls: false,
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", schema: {}, strict: true },
      },
      reasoning_effort: "low",
      max_tokens: 50,
      temperature: 0.5,
      user: "u1",
    });
  });

  it("send one system message and no field that strict upstreams don't know", async () => {
    const { key } = await makeKeyedAccount();
    const first = await create(key, cited());
    await create(key, {
      model: "scripted",
      instructions: "Answer in German.",
      input: [
        { role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
        { role: "user", content: question },
        ...(first.output as OpenAI.Responses.ResponseInputItem[]),
        { type: "reasoning", id: "rs_1", summary: [] },
        { role: "user", content: "a strict question" },
      ],
      tools: [search],
    });
    const sent = sentWith("a strict question")?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["developer", "user", "assistant", "user"]);
    expect(JSON.stringify(sent[0])).toMatch(/Answer in German\..*Be brief\./s);
    expect(sent[2]).toEqual({ role: "assistant", content: first.output_text });
    expect(sent.flatMap((message) => Object.keys(message))).toEqual(
      Array(4).fill(["role", "content"]).flat(),
    );
  });

  it("return function calls, and take their outputs with the history", async () => {
    const { key } = await makeKeyedAccount();
    const client = openai(key);
    const tools = [
      { type: "function" as const, name: "get_weather", parameters: {}, strict: false },
    ];
    const first = await client.responses.create(
      scripted({ tools: true, text: "Sunny." }, { tools }),
    );
    expect(first.output).toMatchObject([
      {
        type: "function_call",
        call_id: "call_1",
        name: "get_weather",
        arguments: '{"city":"Bern"}',
        status: "completed",
      },
    ]);
    const second = await client.responses.create({
      ...scripted({}),
      input: [
        { role: "user", content: `script:${JSON.stringify({ tools: true, text: "Sunny." })}` },
        ...(first.output as OpenAI.Responses.ResponseInputItem[]),
        { type: "function_call_output", call_id: "call_1", output: "sunny" },
      ],
      tools,
    });
    expect(second.output_text).toBe("Sunny.");
    expect(sentWith('"tool_call_id":"call_1"')?.messages.slice(-2)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "call_1",
            type: "function",
            function: { name: "get_weather", arguments: '{"city":"Bern"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "sunny" },
    ]);
  });

  it("parse structured output with the client's helper", async () => {
    const { key } = await makeKeyedAccount();
    const parsed = await openai(key).responses.parse({
      ...scripted({ text: '{"city":"Bern"}' }),
      text: { format: { type: "json_schema", name: "place", schema: {}, strict: true } },
    });
    expect(parsed.output_text).toBe('{"city":"Bern"}');
  });

  it.each([
    ["length", "incomplete", { reason: "max_output_tokens" }],
    ["content_filter", "incomplete", { reason: "content_filter" }],
    ["stop", "completed", null],
  ])("say how an answer ended: %s", async (finish_reason, status, incomplete_details) => {
    const { key } = await makeKeyedAccount();
    const choices = [{ index: 0, finish_reason, message: { role: "assistant", content: "Half" } }];
    const response = await create(key, scripted({ choices }));
    expect(response).toMatchObject({ status, incomplete_details, output: [{ status }] });
  });

  it("have no search without a tool, and answer with a refusal as such", async () => {
    const { key } = await makeKeyedAccount();
    const message = { role: "assistant", content: null, refusal: "I can't." };
    const response = await create(
      key,
      scripted({ choices: [{ index: 0, finish_reason: "stop", message }] }),
    );
    expect(response.output).toMatchObject([
      { type: "message", content: [{ type: "refusal", refusal: "I can't." }] },
    ]);
    expect(response).not.toHaveProperty("citations");
  });
});

describe("rejected responses", () => {
  const call1 = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
  const output1 = { type: "function_call_output", call_id: "c1", output: "x" };
  const user = { role: "user", content: "Hello" };
  const image = { type: "input_image", image_url: "https://example.org/a.png" };

  it.each<[string, object, number, string, string]>([
    [
      "two searches with different filters",
      { tools: [search, { ...search, filters: { type: "eq", key: "title", value: "x" } }] },
      400,
      "tools.1.filters",
      "different filters",
    ],
    [
      "a filter on an attribute that no document has",
      { tools: [{ ...search, filters: { type: "eq", key: "a", value: 1 } }] },
      400,
      "tools.0.filters.key",
      "has an attribute 'a'",
    ],
    [
      "weights of the search",
      {
        tools: [
          {
            ...search,
            ranking_options: { hybrid_search: { text_weight: 1, embedding_weight: 1 } },
          },
        ],
      },
      400,
      "tools.0.ranking_options.hybrid_search",
      "hybrid_search",
    ],
    [
      "the tool web_search, when it must be called",
      { tools: [{ type: "web_search" }], tool_choice: "required" },
      400,
      "tool_choice",
      "'web_search' can't be run here",
    ],
    [
      "a required call without tools",
      { tool_choice: "required" },
      400,
      "tool_choice",
      "no tool to call",
    ],
    ["a tool without a type", { tools: [{}] }, 400, "tools.0.type", "function, custom"],
    [
      "a function without a name in a namespace",
      { tools: [{ type: "namespace", name: "n", tools: [{ type: "function" }] }] },
      400,
      "tools.0.tools.0.name",
      "the function's name",
    ],
    [
      "51 results",
      { tools: [{ ...search, max_num_results: 51 }] },
      400,
      "tools.0.max_num_results",
      "1 to 50",
    ],
    [
      "a threshold of 2",
      { tools: [{ ...search, ranking_options: { score_threshold: 2 } }] },
      400,
      "tools.0.ranking_options.score_threshold",
      "0 to 1",
    ],
    [
      "an unknown vector store",
      { tools: [{ ...search, vector_store_ids: ["vs_1"] }] },
      403,
      "tools.0.vector_store_ids",
      "no vector store 'vs_1'",
    ],
    [
      "no vector store",
      { tools: [{ ...search, vector_store_ids: [] }] },
      403,
      "tools.0.vector_store_ids",
      "empty",
    ],
    [
      "a search that isn't there",
      { tool_choice: { type: "file_search" } },
      400,
      "tool_choice",
      "file_search",
    ],
    [
      "a function that isn't there",
      { tool_choice: { type: "function", name: "f" } },
      400,
      "tool_choice",
      "'f'",
    ],
    [
      "an unknown choice",
      { tool_choice: "always" },
      400,
      "tool_choice",
      `expected "none", "auto", "required" or an object of type function, custom, file_search or allowed_tools. `,
    ],
    ["a choice of another tool", { tool_choice: { type: "mcp" } }, 400, "tool_choice.type", "mcp"],
    ["background", { background: true }, 400, "background", "background"],
    ["a conversation", { conversation: "conv_1" }, 400, "conversation", "previous_response_id"],
    ["messages", { messages: [user] }, 400, "messages", "input"],
    ["several answers", { n: 2 }, 400, "n", "one answer"],
    ["log probabilities", { top_logprobs: 3 }, 400, "top_logprobs", "log probabilities"],
    [
      "an unknown include",
      { include: ["message.output_text.logprobs"] },
      400,
      "include.0",
      "log probabilities",
    ],
    [
      "an unknown format",
      { text: { format: { type: "grammar" } } },
      400,
      "text.format.type",
      "grammar",
    ],
    ["no input", { input: undefined }, 400, "input", "text or a list"],
    ["an empty list", { input: [] }, 400, "input", "nothing to answer"],
    ["an unknown item", { input: [user, { type: "telepathy" }] }, 400, "input.1.type", "telepathy"],
    [
      "an unknown part",
      { input: [{ role: "user", content: [{ type: "video" }] }] },
      400,
      "input.0.content.0.type",
      "video",
    ],
    [
      "an uploaded file",
      { input: [{ role: "user", content: [{ type: "input_file", file_id: "file-1" }] }] },
      400,
      "input.0.content.0.file_id",
      "send the data itself",
    ],
    [
      "an address of a file",
      {
        input: [{ role: "user", content: [{ type: "input_file", file_url: "https://a.example" }] }],
      },
      400,
      "input.0.content.0.file_url",
      "'file_data'",
    ],
    [
      "an uploaded image",
      { input: [{ role: "user", content: [{ type: "input_image", file_id: "file-1" }] }] },
      400,
      "input.0.content.0.file_id",
      "send the data itself",
    ],
    [
      "an image of the model's",
      { input: [{ role: "assistant", content: [image] }] },
      400,
      "input.0.content.0.type",
      "text only",
    ],
    [
      "an output without a call",
      { input: [user, output1] },
      400,
      "input.1.call_id",
      "waits for an output",
    ],
    [
      "two outputs of a call",
      { input: [user, call1, output1, output1] },
      400,
      "input.3.call_id",
      "waits for an output",
    ],
    ["a call without an output", { input: [user, call1] }, 400, "input.1", "has no output"],
    [
      "two calls with one id",
      { input: [user, call1, call1, output1] },
      400,
      "input.2.call_id",
      "two function calls",
    ],
    [
      "a video as an output",
      { input: [user, call1, { ...output1, output: [{ type: "input_video" }] }] },
      400,
      "input.2.output.0.type",
      "input_video",
    ],
    ["10,001 items", { input: Array(10_001).fill(user) }, 400, "input", "at most 10000"],
    [
      "a reference to an item that isn't stored",
      { input: [{ type: "item_reference", id: "msg_1" }] },
      404,
      "input.0.id",
      "msg_1",
    ],
    [
      "a previous response that isn't stored",
      { previous_response_id: "resp_1" },
      404,
      "previous_response_id",
      "there is none with this id, or it is gone",
    ],
    [
      "an empty id of a previous response",
      { previous_response_id: "" },
      404,
      "previous_response_id",
      "there is none with this id, or it is gone",
    ],
    ["a foreign model", { model: "nope" }, 400, "model", "not on this key's list"],
  ])("say what is wrong with %s", async (_name, extra, status, param, words) => {
    const { key, id } = await makeKeyedAccount();
    const body = { model: "scripted", input: "Hello", ...extra };
    const answer = await call("POST", "/v1/responses", { key, body });
    expect(answer.json).toMatchObject({
      error: { param, message: expect.stringContaining(words) },
    });
    expect(answer.status).toBe(status);
    expect((await readMoney(id)).held).toBe(0n);
  });

  it("name their own field when the balance doesn't cover the longest answer", async () => {
    const { key, id } = await makeKeyedAccount();
    await setBalance(id, 0.0004);
    const { status, json } = await call("POST", "/v1/responses", { key, body: cited() });
    expect(status).toBe(402);
    expect(json.error.message).toMatch(/lower max_output_tokens to \d+ or less/);
  });

  it("are the only thing to create: nothing compacts them or counts their tokens", async () => {
    const { key } = await makeKeyedAccount();
    for (const path of ["compact", "input_tokens"]) {
      const { status, json } = await call("POST", `/v1/responses/${path}`, { key, body: {} });
      expect(status).toBe(404);
      expect(json.error.message).toContain(`There is no /v1/responses/${path}.`);
    }
  });

  it("reject a vector store the key may not read", async () => {
    const { key } = await makeKeyedAccount();
    const body = cited({ tools: [{ ...search, vector_store_ids: ["personal_kb"] }] });
    const { status, json } = await call("POST", "/v1/responses", { key, body });
    expect({ status, json }).toMatchObject({
      status: 403,
      json: { error: { code: "insufficient_scope", param: "tools.0.vector_store_ids" } },
    });
  });

  it("name the fields of the request in errors of the upstream", async () => {
    const { key, id } = await makeKeyedAccount();
    const error = {
      message: "bad image",
      type: "invalid_request_error",
      param: "messages[0].content",
    };
    const { status, json } = await call("POST", "/v1/responses", {
      key,
      body: scripted({ status: 400, error }),
    });
    expect({ status, json }).toMatchObject({ status: 400, json: { error: { param: "input" } } });
    expect((await readMoney(id)).held).toBe(0n);
  });

  it("pass images and files on as chat completions have them", async () => {
    const { key } = await makeKeyedAccount();
    await create(key, {
      model: "scripted",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "pictures of a rash" },
            { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "low" },
            {
              type: "input_file",
              file_data: "data:application/pdf;base64,AAAA",
              filename: "a.pdf",
            },
          ],
        },
      ],
    });
    expect(sentWith("pictures of a rash")?.messages[0]?.content).toEqual([
      { type: "text", text: "pictures of a rash" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } },
      { type: "file", file: { file_data: "data:application/pdf;base64,AAAA", filename: "a.pdf" } },
    ]);
  });

  it("reject a body of more than 4 MB, and answer one of almost 4 MB", async () => {
    const { key, id } = await makeKeyedAccount();
    const tooLong = await call("POST", "/v1/responses", {
      key,
      body: { model: "scripted", input: "x".repeat(4 * 1024 * 1024) },
    });
    expect(tooLong.json.error.code).toBe("payload_too_large");
    const url = `data:image/png;base64,${"A".repeat(3_900_000)}`;
    const content = [
      { type: "input_image", image_url: url },
      { type: "input_text", text: "Hi" },
    ];
    const long = await call("POST", "/v1/responses", {
      key,
      body: { model: "scripted", input: [{ role: "user", content }] },
    });
    expect([200, 400, 402]).toContain(long.status);
    expect((await readMoney(id)).held).toBe(0n);
  });
});
