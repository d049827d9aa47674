import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Chat } from "@ai-sdk/react";
import {
  convertToModelMessages,
  DefaultChatTransport,
  generateText,
  type LanguageModel,
  streamText,
  type ToolSet,
  type UIMessage,
} from "ai";
import { CITATIONS } from "../scenario";
import { baseURL, type Connection, type Driver, testKey } from "./driver";

interface Call {
  model: LanguageModel;
  tools?: ToolSet;
  instructions?: string;
  providerOptions?: { openai: { store: boolean; include: string[] } };
}

function driverOf(name: string, api: string, callOf: (connection: Connection) => Call): Driver {
  return {
    package: name,
    api,
    ask: async (connection, prompt) => {
      const result = await generateText({ ...callOf(connection), prompt });
      return toAnswer(result.text, result, result.usage);
    },
    stream: async (connection, prompt, { signal, onText }) => {
      const failures: unknown[] = [];
      const result = streamText({
        ...callOf(connection),
        ...{ prompt, abortSignal: signal, onError: ({ error }) => void failures.push(error) },
      });
      for await (const piece of result.textStream) {
        onText(piece);
      }
      if (failures.length > 0) {
        throw failures[0];
      }
      const [text, steps, usage] = [await result.text, await result.steps, await result.usage];
      return toAnswer(text, steps, usage);
    },
    converse: (connection, questions) => converse(() => callOf(connection), questions),
  };
}

/** `Chat` is what useChat renders. Its transport is answered as the route of an app would. */
async function converse(call: () => Call, questions: readonly string[]): Promise<string[]> {
  const respond: typeof fetch = async (_url, init) => {
    const { messages } = JSON.parse(String(init?.body)) as { messages: UIMessage[] };
    const result = streamText({ ...call(), messages: await convertToModelMessages(messages) });
    return result.toUIMessageStreamResponse({ sendSources: true });
  };
  const failures: Error[] = [];
  const chat = new Chat<UIMessage>({
    transport: new DefaultChatTransport({ api: "http://app.example/api/chat", fetch: respond }),
    onError: (error) => failures.push(error),
  });
  for (const text of questions) {
    await chat.sendMessage({ text });
  }
  if (failures[0]) {
    throw failures[0];
  }
  return chat.messages.filter(({ role }) => role === "assistant").map(textOf);
}

function textOf({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function toAnswer(
  text: string,
  result: unknown,
  { inputTokens, outputTokens }: { inputTokens?: number; outputTokens?: number },
) {
  const usage: [number, number] = [inputTokens ?? 0, outputTokens ?? 0];
  return { text, result, usage };
}

export const aiSdkResponses = driverOf(
  "@ai-sdk/openai",
  "default provider, `useChat`",
  ({ model, key = testKey, isCited, instructions }) => {
    const provider = createOpenAI({ baseURL, apiKey: key });
    const file_search = provider.tools.fileSearch({ vectorStoreIds: ["public_kb"] });
    return {
      model: provider(model),
      ...(isCited && { tools: { file_search } }),
      ...(instructions !== undefined && { instructions }),
      providerOptions: { openai: { store: false, include: ["file_search_call.results"] } },
    };
  },
);

/** Drops unknown fields, so a custom fetch adds ours. */
export const aiSdkChat = driverOf(
  "@ai-sdk/openai",
  "`.chat()`, `useChat`",
  ({ model, key = testKey, isCited, instructions }) => ({
    model: createOpenAI({
      ...{ baseURL, apiKey: key },
      fetch: (url, init) => {
        const body = {
          ...JSON.parse(String(init?.body)),
          ...(isCited && { citations: CITATIONS }),
        };
        return fetch(url, { ...init, body: JSON.stringify(body) });
      },
    }).chat(model),
    ...(instructions !== undefined && { instructions }),
  }),
);

export const aiSdkCompatible = driverOf(
  "@ai-sdk/openai-compatible",
  "`chatModel`, `useChat`",
  ({ model, key = testKey, isCited, instructions }) => ({
    model: createOpenAICompatible({
      ...{ name: "footnote", baseURL, apiKey: key, includeUsage: true },
      transformRequestBody: (body) => ({ ...body, ...(isCited && { citations: CITATIONS }) }),
    }).chatModel(model),
    ...(instructions !== undefined && { instructions }),
  }),
);
