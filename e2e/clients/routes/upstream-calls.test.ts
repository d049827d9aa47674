import { createOpenAI } from "@ai-sdk/openai";
import { type AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { jsonSchema, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { dispatch } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";

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
const CHAT_TOOLS = ["f", "g"].map((name) => ({
  type: "function" as const,
  function: { name, parameters },
}));
const model = "scripted";

async function client() {
  const { key } = await makeKeyedAccount();
  const fetch = (input: string | URL | Request, init?: RequestInit) =>
    dispatch(String(input instanceof Request ? input.url : input), init);
  return { key, fetch: fetch as typeof globalThis.fetch };
}

describe("two calls of an upstream that numbers none are two", () => {
  it.each(["chat", "responses"] as const)("in the AI SDK's %s model", async (kind) => {
    const { key, fetch } = await client();
    const provider = createOpenAI({ apiKey: key, baseURL: "http://localhost:3000/v1", fetch });
    const inputSchema = jsonSchema<object>(parameters);
    const result = streamText({
      model: provider[kind](model),
      prompt: ASKED,
      tools: { f: tool({ inputSchema }), g: tool({ inputSchema }) },
    });
    const made = (await result.toolCalls).map(({ toolCallId, toolName, input }) => [
      toolCallId,
      toolName,
      JSON.stringify(input),
    ]);
    expect(made).toEqual(MADE);
  });

  it("in LangChain", async () => {
    const { key, fetch } = await client();
    const configuration = { baseURL: "http://localhost:3000/v1", fetch };
    const chat = new ChatOpenAI({ model, apiKey: key, configuration }).bindTools(CHAT_TOOLS);
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await chat.stream([new HumanMessage(ASKED)])) {
      whole = whole?.concat(chunk) ?? chunk;
    }
    const made = whole?.tool_calls?.map(({ id, name, args }) => [id, name, JSON.stringify(args)]);
    expect(made).toEqual(MADE);
  });
});
