import { createOpenAI } from "@ai-sdk/openai";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import {
  Agent,
  tool as agentTool,
  fileSearchTool,
  handoff,
  OpenAIProvider,
  Runner,
} from "@openai/agents";
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  jsonSchema,
  Output,
  readUIMessageStream,
  streamText,
  tool,
  type UIMessage,
} from "ai";
import OpenAI from "openai";
import OpenAI5 from "openai-5";
import OpenAI6 from "openai-6";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { dispatch, openai } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";

const ORIGIN = "http://localhost:3000/v1";
const EXTRACT = "footnote-extract-1";
const question = "What are the symptoms of asthma?";
const second = "Which medicines relieve asthma?";
const search = { type: "file_search" as const, vector_store_ids: ["public_kb"] };
const city = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
  additionalProperties: false,
};

function script(steps: object): string {
  return `script:${JSON.stringify(steps)}`;
}

/** The text and sources of the same request without a client library. */
async function expected(key: string, input = question) {
  const response = await openai(key).responses.create({ model: EXTRACT, input, tools: [search] });
  const { citations } = response as unknown as { citations: { title: string }[] };
  return { text: response.output_text, titles: citations.map(({ title }) => title) };
}

/** The messages of the last request that the scripted upstream got with this text. */
function sentWith(text: string) {
  return upstream().seen.findLast(({ body }) => JSON.stringify(body).includes(text))?.body.messages;
}

describe.each([
  ["openai 5", OpenAI5 as unknown as typeof OpenAI6],
  ["openai 6", OpenAI6],
])("%s", (_name, Client) => {
  const connect = (apiKey: string) =>
    new Client({ apiKey, baseURL: ORIGIN, maxRetries: 0, fetch: dispatch });

  it("creates, streams, parses and continues responses", async () => {
    const { key } = await makeKeyedAccount();
    const client = connect(key);
    const params = { model: EXTRACT, input: question, tools: [search], store: true };
    const { text } = await expected(key);
    const plain = await client.responses.create(params);
    expect(plain.output_text).toBe(text);
    const streamed = await client.responses.stream(params).finalResponse();
    // Version 5 adds `output_text` to plain responses only.
    expect(streamed.output.at(-1)).toMatchObject({ content: [{ text }] });
    const parsed = await client.responses.parse({
      model: "scripted",
      input: script({ text: '{"city":"Bern"}' }),
      text: { format: { type: "json_schema", name: "city", schema: city, strict: true } },
    });
    expect(parsed.output_text).toBe('{"city":"Bern"}');
    const next = { ...params, input: second };
    const byId = await client.responses.create({ ...next, previous_response_id: plain.id });
    const byItems = await client.responses.create({
      ...next,
      input: [
        { role: "user", content: question },
        ...(plain.output as never[]),
        { role: "user", content: second },
      ],
    });
    expect(byItems.output_text).toBe(byId.output_text);
    expect(byId.output_text).toBe((await expected(key, second)).text);
  });

  it("throws typed errors, before and after the first event", async () => {
    const { key } = await makeKeyedAccount();
    const client = connect(key);
    const denied = { ...search, vector_store_ids: ["personal_kb"] };
    await expect(
      client.responses.create({ model: EXTRACT, input: question, tools: [denied] }),
    ).rejects.toMatchObject({ status: 403, code: "insufficient_scope" });
    const broken = script({ text: "one two three four", breakAfter: 2, pieceMs: 5 });
    await expect(
      client.responses.stream({ model: "scripted", input: broken }).finalResponse(),
    ).rejects.toMatchObject({ code: "upstream_error" });
  });
});

describe("the AI SDK's default provider", () => {
  const connect = (apiKey: string) =>
    createOpenAI({ apiKey, baseURL: ORIGIN, fetch: dispatch as typeof fetch });

  it("returns the answer and its sources, plain and streamed", async () => {
    const { key } = await makeKeyedAccount();
    const provider = connect(key);
    const { text, titles } = await expected(key);
    const ask = {
      model: provider(EXTRACT),
      prompt: question,
      tools: { file_search: provider.tools.fileSearch({ vectorStoreIds: ["public_kb"] }) },
    };
    const plain = await generateText(ask);
    expect(plain.text).toBe(text);
    expect(plain.finishReason).toBe("stop");
    expect(plain.sources.length).toBeGreaterThan(0);
    for (const { title } of plain.sources) {
      expect(titles).toContain(title);
    }
    const streamed = streamText(ask);
    expect(await streamed.text).toBe(text);
    expect((await streamed.sources).map(({ title }) => title)).toEqual(
      plain.sources.map(({ title }) => title),
    );
  });

  it.each([true, false, undefined])("has two turns of useChat with store: %s", async (store) => {
    const { key } = await makeKeyedAccount();
    const provider = connect(key);
    const ask = (prompt: UIMessage[]) =>
      convertToModelMessages(prompt).then((messages) =>
        streamText({
          model: provider("scripted"),
          messages,
          ...(store !== undefined && { providerOptions: { openai: { store } } }),
        }),
      );
    const user = (id: string, text: string): UIMessage => ({
      id,
      role: "user",
      parts: [{ type: "text", text }],
    });
    const opening = user("1", script({ text: `An answer with store ${store}.` }));
    let answer: UIMessage | undefined;
    const first = await ask([opening]);
    for await (const message of readUIMessageStream({ stream: first.toUIMessageStream() })) {
      answer = message;
    }
    const history = answer ? [opening, answer, user("2", `and after store ${store}`)] : [];
    expect(await (await ask(history)).text).toBe("Hello from upstream.");
    expect(sentWith(`and after store ${store}`)).toMatchObject([
      { role: "user" },
      { role: "assistant", content: `An answer with store ${store}.` },
      { role: "user", content: `and after store ${store}` },
    ]);
  });

  it("has two turns by default, and says what to do when it refers to another key's items", async () => {
    const { key } = await makeKeyedAccount();
    const prompt = script({ text: "The first of two turns." });
    const { response } = await generateText({ model: connect(key)("scripted"), prompt });
    const messages = [
      { role: "user" as const, content: prompt },
      ...response.messages,
      { role: "user" as const, content: "And now?" },
    ];
    await generateText({ model: connect(key)("scripted"), messages });
    expect(sentWith("And now?")?.[1]).toEqual({
      role: "assistant",
      content: "The first of two turns.",
    });
    const { key: other } = await makeKeyedAccount();
    const model = connect(other)("scripted");
    await expect(generateText({ model, messages, maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 404,
      message: expect.stringContaining("providerOptions.openai.store"),
    });
  });

  it("runs tools, and parses output", async () => {
    const { key } = await makeKeyedAccount();
    const provider = connect(key);
    const get_weather = tool({
      description: "The weather",
      inputSchema: jsonSchema<{ city: string }>(city),
      execute: async () => "snow",
    });
    const { text, steps } = await generateText({
      model: provider("scripted"),
      prompt: script({ tools: true, text: "It snows." }),
      tools: { get_weather },
      stopWhen: isStepCount(3),
    });
    expect({ text, steps: steps.length }).toEqual({ text: "It snows.", steps: 2 });
    const { output } = await generateText({
      model: provider("scripted"),
      prompt: script({ text: '{"city":"Bern"}' }),
      output: Output.object({ schema: jsonSchema<{ city: string }>(city) }),
    });
    expect(output).toEqual({ city: "Bern" });
  });

  it("settles when aborted", async () => {
    const { key, id } = await makeKeyedAccount();
    const abort = new AbortController();
    const { textStream } = streamText({
      model: connect(key)("scripted"),
      prompt: script({ text: "word ".repeat(400).trim(), pieceMs: 5 }),
      abortSignal: abort.signal,
    });
    let count = 0;
    for await (const _ of textStream) {
      count += 1;
      if (count === 20) {
        abort.abort();
      }
    }
    await expect.poll(async () => (await readMoney(id)).held, { timeout: 15_000 }).toBe(0n);
    expect((await lastUsage(id)).status).toBe(499);
  });
});

describe("OpenAI's Agents SDK", () => {
  const connect = (apiKey: string) =>
    new Runner({
      modelProvider: new OpenAIProvider({
        openAIClient: new OpenAI({ apiKey, baseURL: ORIGIN, maxRetries: 0, fetch: dispatch }),
      }),
      tracingDisabled: true,
    });

  it("answers from fileSearchTool over two turns", async () => {
    const { key } = await makeKeyedAccount();
    const runner = connect(key);
    const agent = new Agent({
      name: "Librarian",
      instructions: "Answer from the sources.",
      model: EXTRACT,
      tools: [fileSearchTool("public_kb", { maxNumResults: 8, includeSearchResults: true })],
    });
    const first = await runner.run(agent, question);
    expect(first.finalOutput).toBe((await expected(key)).text);
    const next = await runner.run(agent, [...first.history, { role: "user", content: second }]);
    expect(next.finalOutput).toBe((await expected(key, second)).text);
    const streamed = await runner.run(agent, question, { stream: true });
    await streamed.completed;
    expect(streamed.finalOutput).toBe(first.finalOutput);
  });

  it.each([
    ["stored", { modelSettings: { store: true } }],
    ["unstored", {}],
  ])("continues a response by its id: %s", async (_name, settings) => {
    const { key } = await makeKeyedAccount();
    const runner = connect(key);
    const agent = new Agent({ name: "Poet", model: "scripted", ...settings });
    const first = await runner.run(agent, script({ text: "A stored verse." }));
    await runner.run(agent, "and another verse", {
      previousResponseId: first.lastResponseId ?? "",
    });
    expect(sentWith("and another verse")?.slice(-2)).toMatchObject([
      { role: "assistant", content: "A stored verse." },
      { role: "user" },
    ]);
  });

  it("runs functions and hands over to another agent", async () => {
    const { key } = await makeKeyedAccount();
    const runner = connect(key);
    const seen: string[] = [];
    const get_weather = agentTool({
      name: "get_weather",
      description: "The weather",
      parameters: z.object({ city: z.string() }),
      execute: async ({ city: place }) => {
        seen.push(place);
        return "snow";
      },
    });
    const agent = new Agent({ name: "Forecaster", model: "scripted", tools: [get_weather] });
    const { finalOutput } = await runner.run(agent, script({ tools: true, text: "It snows." }));
    expect({ finalOutput, seen }).toEqual({ finalOutput: "It snows.", seen: ["Bern"] });
    const specialist = new Agent({ name: "Specialist", model: "scripted" });
    const triage = new Agent({
      name: "Triage",
      model: "scripted",
      handoffs: [handoff(specialist, { toolNameOverride: "get_weather" })],
    });
    const handed = await runner.run(triage, script({ tools: true, text: "Handed over." }));
    expect(handed.lastAgent?.name).toBe("Specialist");
    expect(handed.finalOutput).toBe("Handed over.");
  });
});

describe("LangChain with useResponsesApi", () => {
  const connect = (apiKey: string, model: string) =>
    new ChatOpenAI({
      model,
      apiKey,
      useResponsesApi: true,
      maxRetries: 0,
      configuration: { baseURL: ORIGIN, fetch: dispatch as typeof fetch },
    });

  it("answers with file_search, plain, streamed and over two turns", async () => {
    const { key } = await makeKeyedAccount();
    const model = connect(key, EXTRACT).bindTools([search]);
    const { text } = await expected(key);
    const first = await model.invoke(question);
    expect(first.text).toBe(text);
    let streamed = "";
    for await (const chunk of await model.stream(question)) {
      streamed += chunk.text;
    }
    expect(streamed).toBe(text);
    const continued = await connect(key, "scripted").invoke("after the answer of LangChain", {
      previous_response_id: String(first.response_metadata.id),
    });
    expect(continued.text).toBe("Hello from upstream.");
    expect(sentWith("after the answer of LangChain")).toMatchObject([
      { role: "user", content: question },
      { role: "assistant", content: text },
      { role: "user" },
    ]);
    const next = await model.invoke([
      new HumanMessage(question),
      new AIMessage(first),
      new HumanMessage(second),
    ]);
    expect(next.text).toBe((await expected(key, second)).text);
  });
});
