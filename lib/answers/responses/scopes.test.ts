import { describe, expect, it } from "vitest";
import { call, openai } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { makeKeyPair } from "@/lib/testing/stored-answer";

const QUESTION = { role: "user", content: "And then?" };
const ASKED = { model: "scripted", input: "And then?", store: true };
const tools = [{ type: "file_search", vector_store_ids: ["customer_kb"] }];

/** An account with a key that reads everything of the company, and one that reads nothing. */
async function makeKeys() {
  const { ctx } = await makeAccount();
  const company = await makeKeyPair(ctx, { knowledge_scopes: ["public_kb", "customer_kb"] });
  const { secret: blind } = await makeKeyPair(ctx, { knowledge_scopes: [] });
  return { company, blind };
}

async function post(key: string, body: object, path = "/v1/responses"): Promise<string> {
  const { status, json } = await call("POST", path, { key, body });
  expect({ status, error: json.error ?? null }).toEqual({ status: 200, error: null });
  return json.id;
}

/** Every way to reach a stored answer, one after the other; `status` is expected of each. */
async function expectOfAll(status: number, key: string, id: string) {
  const suffix = id.replace(/^(resp_|chatcmpl-)/, "");
  const [response, completion] = [`resp_${suffix}`, `chatcmpl-${suffix}`];
  const reference = { type: "item_reference", id: `msg_${suffix}` };
  const attempts: [string, string, object?][] = [
    ["GET", `/v1/chat/completions/${completion}`],
    ["GET", `/v1/chat/completions/${completion}/messages`],
    ["POST", `/v1/chat/completions/${completion}`, { metadata: { a: "b" } }],
    ["POST", "/v1/responses", { ...ASKED, input: [reference, QUESTION] }],
    ...(id.startsWith("resp_")
      ? ([
          ["GET", `/v1/responses/${response}`],
          ["GET", `/v1/responses/${response}/input_items`],
          ["POST", "/v1/responses", { ...ASKED, previous_response_id: response }],
          ["DELETE", `/v1/responses/${response}`],
        ] as [string, string, object?][])
      : ([["DELETE", `/v1/chat/completions/${completion}`]] as [string, string][])),
  ];
  for (const [method, path, body] of attempts) {
    const answered = await call(method, path, { key, body });
    expect([method, path, answered.status]).toEqual([method, path, status]);
  }
}

describe("a stored answer that repeats earlier ones", () => {
  it("is hidden from keys without the scopes of each, however far back", async () => {
    const { company, blind } = await makeKeys();
    const { secret } = company;
    const first = await post(secret, { ...ASKED, tools });
    const second = await post(secret, { ...ASKED, previous_response_id: first });
    const third = await post(secret, { ...ASKED, previous_response_id: second });
    const stream = openai(secret).responses.stream({ ...ASKED, previous_response_id: third });
    const { id: streamed } = await stream.finalResponse();
    for (const id of [second, third, streamed]) {
      await expectOfAll(404, blind, id);
      await expectOfAll(200, secret, id);
    }
  });

  it("is hidden when it refers to an item of one", async () => {
    const { company, blind } = await makeKeys();
    const first = await post(company.secret, { ...ASKED, tools });
    const reference = { type: "item_reference", id: first.replace("resp_", "msg_") };
    const second = await post(company.secret, { ...ASKED, input: [reference, QUESTION] });
    await expectOfAll(404, blind, second);
    await expectOfAll(200, company.secret, second);
  });

  it.each([
    ["an answer", [QUESTION, { role: "assistant", content: "From our files." }, QUESTION]],
    [
      "a call and its output",
      [
        QUESTION,
        { type: "function_call", call_id: "c", name: "find", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: "From our files." },
      ],
    ],
  ])("is hidden when its input holds %s, which may come from any", async (_name, input) => {
    const { company, blind } = await makeKeys();
    const id = await post(company.secret, { ...ASKED, input });
    await expectOfAll(404, blind, id);
  });

  it.each([
    ["an answer", [QUESTION, { role: "assistant", content: "From our files." }, QUESTION]],
    [
      "the output of a tool",
      [
        QUESTION,
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c", content: "From our files." },
      ],
    ],
  ])("is hidden when a chat completion's messages hold %s", async (_name, messages) => {
    const { company, blind } = await makeKeys();
    const body = { model: "scripted", messages, store: true };
    const id = await post(company.secret, body, "/v1/chat/completions");
    await expectOfAll(404, blind, id);
    await expectOfAll(200, company.secret, id);
  });

  it("can be read by every key when the caller wrote all of it and nothing was searched", async () => {
    const { company, blind } = await makeKeys();
    const input = [{ role: "developer", content: "Be brief." }, QUESTION];
    await expectOfAll(200, blind, await post(company.secret, { ...ASKED, input }));
    const body = { model: "scripted", messages: input, store: true };
    await expectOfAll(200, blind, await post(company.secret, body, "/v1/chat/completions"));
  });
});
