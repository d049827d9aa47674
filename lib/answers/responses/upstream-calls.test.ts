import { describe, expect, it } from "vitest";
import { call, openai } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";

const SIGNED = { google: { thought_signature: "c2lnbmVk" } };
/** As Gemini's OpenAI endpoint sends them: whole, without an index, and signed. */
const CALLS = [
  { id: "k0", type: "function", function: { name: "f", arguments: "{}" }, extra_content: SIGNED },
  { id: "k1", type: "function", function: { name: "g", arguments: '{"a":1}' } },
];
const SCRIPT = {
  chunks: [
    ...CALLS.map((made) => ({ index: 0, delta: { role: "assistant", tool_calls: [made] } })),
    { index: 0, delta: {}, finish_reason: "STOP" },
  ],
  choices: [{ message: { content: null, tool_calls: CALLS }, finish_reason: "STOP" }],
};
const ASKED = `script:${JSON.stringify(SCRIPT)}`;
const MADE = [
  ["k0", "f", "{}"],
  ["k1", "g", '{"a":1}'],
];
const parameters = { type: "object", properties: {} } as const;
const TOOLS = ["f", "g"].map((name) => ({
  type: "function" as const,
  name,
  parameters,
  strict: false,
}));
const CHAT_TOOLS = TOOLS.map(({ name }) => ({
  type: "function" as const,
  function: { name, parameters },
}));

const model = "scripted";
const messages = [{ role: "user" as const, content: ASKED }];

describe("two calls of an upstream that numbers none are two", () => {
  it("in openai's stream helper", async () => {
    const { key } = await makeKeyedAccount();
    const stream = openai(key).chat.completions.stream({ model, messages, tools: CHAT_TOOLS });
    const [choice] = (await stream.finalChatCompletion()).choices;
    expect(choice?.finish_reason).toBe("tool_calls");
    const made = choice?.message.tool_calls?.map((one) =>
      one.type === "function" ? [one.id, one.function.name, one.function.arguments] : [],
    );
    expect(made).toEqual(MADE);
  });

  it("in openai's responses, streamed as plain, with what the provider added", async () => {
    const { key } = await makeKeyedAccount();
    const body = { model, input: ASKED, tools: TOOLS };
    const plain = await openai(key).responses.create(body);
    const streamed = await openai(key).responses.stream(body).finalResponse();
    for (const { output } of [plain, streamed]) {
      const calls = output.flatMap((item) => (item.type === "function_call" ? item : []));
      expect(calls.map((one) => [one.call_id, one.name, one.arguments])).toEqual(MADE);
      expect(calls.map((one) => Reflect.get(one, "extra_content"))).toEqual([SIGNED, undefined]);
    }
  });
});

describe("what a provider added to a call", () => {
  const outputs = MADE.map(([call_id]) => ({
    type: "function_call_output" as const,
    call_id,
    output: "done",
  }));

  /** The calls as the upstream gets them back. */
  function returned() {
    const sent = upstream().seen.at(-1)?.body.messages ?? [];
    return sent.flatMap((message) => ("tool_calls" in message ? message.tool_calls : []));
  }

  it.each([false, true])("goes back to it with the items, streamed: %s", async (isStream) => {
    const { key } = await makeKeyedAccount();
    const body = { model, input: ASKED, tools: TOOLS };
    const { output } = isStream
      ? await openai(key).responses.stream(body).finalResponse()
      : await openai(key).responses.create(body);
    const asked = { role: "user", content: ASKED };
    await call("POST", "/v1/responses", {
      key,
      body: { model, input: [asked, ...output, ...outputs], tools: TOOLS },
    });
    expect(returned()).toEqual(CALLS);
  });

  it.each([false, true])(
    "goes back to it with a stored response, streamed: %s",
    async (isStream) => {
      const { key } = await makeKeyedAccount();
      const body = { model, input: ASKED, tools: TOOLS, store: true };
      const { id } = isStream
        ? await openai(key).responses.stream(body).finalResponse()
        : await openai(key).responses.create(body);
      const next = { model, previous_response_id: id, input: outputs, tools: TOOLS };
      const { status } = await call("POST", "/v1/responses", { key, body: next });
      expect(status).toBe(200);
      expect(returned()).toMatchObject(CALLS);
    },
  );
});
