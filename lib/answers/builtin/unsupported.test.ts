import { describe, expect, it } from "vitest";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";

const PATH = "/v1/chat/completions";
const messages = [{ role: "user", content: "What is asthma?" }];
const model = "footnote-extract-1";
const tools = [{ type: "function", function: { name: "get_weather", parameters: {} } }];
const functions = [{ name: "get_weather" }];
const allowed = (mode: string) => ({ type: "allowed_tools", allowed_tools: { mode, tools } });
const schema = { type: "json_schema", json_schema: { name: "a", schema: { type: "object" } } };
const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA" } };

async function ask(fields: object) {
  const { key, id } = await makeKeyedAccount({ models: [model, "scripted-quoting"] });
  const body = { model, messages, citations: { enabled: true }, ...fields };
  return { ...(await call("POST", PATH, { key, body })), id };
}

describe("the built-in model", () => {
  it.each([
    ["tool_choice", { tools, tool_choice: "required" }],
    ["tool_choice", { tools, tool_choice: allowed("required") }],
    ["tool_choice", { tool_choice: { type: "function", function: { name: "get_weather" } } }],
    ["function_call", { functions, function_call: { name: "get_weather" } }],
    ["response_format", { response_format: schema }],
    ["logprobs", { logprobs: true }],
    ["messages", { messages: [{ role: "user", content: [image] }] }],
  ])("refuses %s by name, unless told to ignore it: %j", async (param, fields) => {
    const refused = await ask(fields);
    expect([refused.status, refused.json.error.code, refused.json.error.param]).toEqual([
      ...[400, "invalid_request", param],
    ]);
    expect(refused.json.error.message).toContain("ignore_unsupported");
    expect(await readMoney(refused.id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    const answered = await ask({ ...fields, ignore_unsupported: true });
    expect(answered.status).toBe(200);
  });

  it.each([
    {},
    { tools: [], tool_choice: "auto" },
    { tools },
    { tools, tool_choice: "auto", parallel_tool_calls: true },
    { tools, tool_choice: null },
    { tools, tool_choice: "none" },
    { tools, tool_choice: allowed("auto") },
    { functions },
    { functions, function_call: "auto" },
    { response_format: { type: "text" }, logprobs: false },
    { temperature: 0.2, seed: 7, top_p: 1, reasoning_effort: "low", user: "u" },
  ])("answers what doesn't depend on it: %j", async (fields) => {
    expect((await ask(fields)).status).toBe(200);
  });

  it("answers with a JSON object if asked to", async () => {
    const { json } = await ask({ response_format: { type: "json_object" } });
    const { answer } = JSON.parse(json.choices[0].message.content);
    expect(answer).toMatch(/asthma[\s\S]*\[\d+\]/i);
    const empty = { enabled: true, min_score: 1, on_empty: "say_so" };
    const none = await ask({ response_format: { type: "json_object" }, citations: empty });
    expect(JSON.parse(none.json.choices[0].message.content)).toEqual({
      answer: "The sources found do not answer this question.",
    });
  });

  it("names the fields of the Responses API there", async () => {
    const { key } = await makeKeyedAccount();
    const respond = (fields: object) =>
      call("POST", "/v1/responses", { key, body: { model, input: "What is asthma?", ...fields } });
    const format = { type: "json_schema", name: "a", schema: { type: "object" } };
    const { json: refused } = await respond({ text: { format } });
    expect(refused.error).toMatchObject({ param: "text.format" });
    expect(refused.error.message).toContain("'text.format' of type 'json_schema'");
    const { json: plain } = await respond({});
    expect(plain.output[0].content[0].text).toContain("Add the `file_search` tool");
    const { json: empty } = await respond({ input: " ", citations: { enabled: true } });
    expect(JSON.stringify(empty)).not.toContain("'messages'");
  });

  it("takes over for a failed model only what it supports", async () => {
    const fallen = await ask({ model: "scripted-quoting" });
    expect([fallen.status, fallen.json.model]).toEqual([200, model]);
    const withTools = await ask({ model: "scripted-quoting", tools });
    expect([withTools.status, withTools.json.error.code]).toEqual([502, "upstream_error"]);
    const ignoring = await ask({ model: "scripted-quoting", tools, ignore_unsupported: true });
    expect([ignoring.status, ignoring.json.model]).toEqual([200, model]);
  });
});
