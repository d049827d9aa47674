import {
  AIMessage,
  type AIMessageChunk,
  HumanMessage,
  SystemMessage,
} from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import type { ChatMessage } from "@llamaindex/core/llms";
import { OpenAI as LlamaOpenAI } from "@llamaindex/openai";
import { chat, type StreamChunk } from "@tanstack/ai";
import { createOpenaiChat } from "@tanstack/ai-openai";
import { fileSearchTool } from "@tanstack/ai-openai/tools";
import { CITATIONS } from "../scenario";
import {
  type Answer,
  baseURL,
  type Connection,
  type Driver,
  FILE_SEARCH,
  type Listening,
  testKey,
  WITH_RESULTS,
} from "./driver";

type ConnectLangchain = (connection: Connection) => Pick<ChatOpenAI, "invoke" | "stream">;

const connectResponses: ConnectLangchain = ({ model, key = testKey, isCited }) => {
  const chatModel = new ChatOpenAI({
    ...{ model, apiKey: key, useResponsesApi: true, maxRetries: 1 },
    ...(isCited && { modelKwargs: { include: WITH_RESULTS } }),
    configuration: { baseURL },
  });
  return isCited ? chatModel.bindTools([FILE_SEARCH]) : chatModel;
};

const connectChat: ConnectLangchain = ({ model, key = testKey, isCited }) =>
  new ChatOpenAI({
    ...{ model, apiKey: key, maxRetries: 1, __includeRawResponse: true },
    ...(isCited && { modelKwargs: { citations: CITATIONS } }),
    configuration: { baseURL },
  });

function systemOf({ instructions }: Connection): SystemMessage[] {
  return instructions === undefined ? [] : [new SystemMessage(instructions)];
}

function ofLangchain(message: AIMessageChunk): Answer {
  const { usage_metadata: usage } = message;
  return {
    ...{ text: message.text, result: message },
    usage: usage ? [usage.input_tokens, usage.output_tokens] : null,
  };
}

function langchainDriver(api: string, connect: ConnectLangchain): Driver {
  return {
    package: "@langchain/openai",
    api,
    ask: async (connection, question) =>
      ofLangchain(
        await connect(connection).invoke([...systemOf(connection), new HumanMessage(question)]),
      ),
    stream: async (connection, question, { signal, onText }) => {
      const chunks: AIMessageChunk[] = [];
      for await (const chunk of await connect(connection).stream(question, { signal })) {
        if (chunk.text) {
          onText(chunk.text);
        }
        chunks.push(chunk);
      }
      return ofLangchain(chunks.reduce((before, chunk) => before.concat(chunk)));
    },
    converse: async (connection, questions) => {
      const messages: (SystemMessage | HumanMessage | AIMessage)[] = systemOf(connection);
      for (const question of questions) {
        messages.push(new HumanMessage(question));
        messages.push(await connect(connection).invoke(messages));
      }
      return messages.filter((message) => AIMessage.isInstance(message)).map(({ text }) => text);
    },
  };
}

export const langchainResponses = langchainDriver("`useResponsesApi`", connectResponses);
export const langchainChat = langchainDriver("`invoke()`, `stream()`", connectChat);

function llamaOf({ model, key = testKey, isCited }: Connection): LlamaOpenAI {
  return new LlamaOpenAI({
    ...{ model, apiKey: key, baseURL, maxRetries: 2 },
    additionalChatOptions: {
      stream_options: { include_usage: true },
      ...(isCited && { citations: CITATIONS }),
    } as never,
  });
}

function llamaMessages({ instructions }: Connection): ChatMessage[] {
  return instructions === undefined ? [] : [{ role: "system", content: instructions }];
}

interface RawCompletion {
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

function ofLlama(text: string, result: unknown, raw: unknown): Answer {
  const { usage } = (raw ?? {}) as RawCompletion;
  return { text, result, usage: usage ? [usage.prompt_tokens, usage.completion_tokens] : null };
}

export const llamaIndex: Driver = {
  package: "@llamaindex/openai",
  api: "`chat()`",
  canStop: false,
  ask: async (connection, content) => {
    const messages = [...llamaMessages(connection), { role: "user" as const, content }];
    const result = await llamaOf({ ...connection }).chat({ messages });
    return ofLlama(String(result.message.content), result, result.raw);
  },
  stream: async (connection, content, { signal, onText }) => {
    const messages = [{ role: "user" as const, content }];
    const chunks: unknown[] = [];
    let text = "";
    let raw: unknown = null;
    for await (const chunk of await llamaOf(connection).chat({ messages, stream: true })) {
      chunks.push(chunk);
      text += chunk.delta;
      raw = (chunk.raw as RawCompletion | null)?.usage ? chunk.raw : raw;
      onText(chunk.delta);
      // It has no signal, so its caller can only leave the loop.
      if (signal.aborted) {
        break;
      }
    }
    return ofLlama(text, chunks, raw);
  },
  converse: async (connection, questions) => {
    const messages = llamaMessages(connection);
    for (const content of questions) {
      messages.push({ role: "user", content });
      messages.push((await llamaOf(connection).chat({ messages })).message);
    }
    return messages.flatMap(({ role, content }) => (role === "assistant" ? [String(content)] : []));
  },
};

async function askTanstack(
  { model, key = testKey, isCited, instructions }: Connection,
  messages: readonly { role: "user" | "assistant"; content: string }[],
  { signal, onText }: Partial<Listening> = {},
): Promise<Answer> {
  const abortController = new AbortController();
  signal?.addEventListener("abort", () => abortController.abort());
  const chunks: StreamChunk[] = [];
  let text = "";
  const stream = chat({
    adapter: createOpenaiChat(model as "gpt-4o", key, { baseURL }),
    messages: [...messages],
    abortController,
    ...(instructions !== undefined && { systemPrompts: [instructions] }),
    ...(isCited && {
      tools: [fileSearchTool(FILE_SEARCH)],
      modelOptions: { include: WITH_RESULTS } as never,
    }),
  });
  for await (const chunk of stream as AsyncIterable<StreamChunk>) {
    chunks.push(chunk);
    if (chunk.type === "TEXT_MESSAGE_CONTENT") {
      text += chunk.delta;
      onText?.(chunk.delta);
    }
    if (chunk.type === "RUN_ERROR") {
      throw Object.assign(new Error(chunk.message), chunk);
    }
  }
  const [usage] = chunks.flatMap((chunk) =>
    chunk.type === "RUN_FINISHED" && chunk.usage && "promptTokens" in chunk.usage
      ? [chunk.usage]
      : [],
  );
  return {
    ...{ text, result: chunks },
    usage: usage ? [usage.promptTokens, usage.completionTokens] : null,
  };
}

export const tanstack: Driver = {
  package: "@tanstack/ai-openai",
  api: "`createOpenaiChat`, `fileSearchTool`",
  ask: (connection, content) => askTanstack(connection, [{ role: "user", content }]),
  stream: (connection, content, listening) =>
    askTanstack(connection, [{ role: "user", content }], listening),
  converse: async (connection, questions) => {
    const messages: { role: "user" | "assistant"; content: string }[] = [];
    for (const content of questions) {
      messages.push({ role: "user", content });
      const { text } = await askTanstack(connection, messages);
      messages.push({ role: "assistant", content: text });
    }
    return messages.flatMap(({ role, content }) => (role === "assistant" ? [content] : []));
  },
};
