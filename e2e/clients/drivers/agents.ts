import { Agent as MastraAgent } from "@mastra/core/agent";
import { Agent, fileSearchTool, OpenAIProvider, Runner } from "@openai/agents";
import OpenAI from "openai";
import { baseURL, type Connection, type Driver, testKey } from "./driver";

export function runnerOf({ key = testKey }: Connection): Runner {
  const openAIClient = new OpenAI({ apiKey: key, baseURL });
  const modelProvider = new OpenAIProvider({ openAIClient });
  return new Runner({ modelProvider, tracingDisabled: true });
}

function agentOf({ model, isCited, instructions = "" }: Connection) {
  return new Agent({
    ...{ name: "Librarian", instructions, model },
    tools: isCited ? [fileSearchTool("public_kb", { includeSearchResults: true })] : [],
  });
}

type Run = Awaited<ReturnType<typeof run>>;

function run(connection: Connection, question: string) {
  return runnerOf(connection).run(agentOf(connection), question);
}

function usageOf({ rawResponses }: Pick<Run, "rawResponses">): [number, number] | null {
  const usage = rawResponses.at(-1)?.usage;
  return usage ? [usage.inputTokens, usage.outputTokens] : null;
}

export const openaiAgents: Driver = {
  package: "@openai/agents",
  api: "`fileSearchTool`, `result.history`",
  ask: async (connection, question) => {
    const result = await run(connection, question);
    const { newItems, rawResponses } = result;
    return {
      ...{ text: String(result.finalOutput), result: { newItems, rawResponses } },
      usage: usageOf(result),
    };
  },
  stream: async (connection, question, { signal, onText }) => {
    const result = await runnerOf(connection).run(agentOf(connection), question, {
      ...{ stream: true, signal },
    });
    for await (const piece of result.toTextStream()) {
      onText(piece);
    }
    await result.completed;
    const { newItems, rawResponses } = result;
    return {
      ...{ text: String(result.finalOutput), result: { newItems, rawResponses } },
      usage: usageOf(result),
    };
  },
  converse: async (connection, questions) => {
    const texts: string[] = [];
    let history: Run["history"] = [];
    for (const content of questions) {
      const result = await runnerOf(connection).run(agentOf(connection), [
        ...history,
        { role: "user", content },
      ]);
      texts.push(String(result.finalOutput));
      history = result.history;
    }
    return texts;
  },
};

/** Has no way to send `citations`, so it asks for a preset. */
function mastraOf({ model, key = testKey, isCited, instructions = "" }: Connection): MastraAgent {
  const modelId = isCited ? `${model}:cited` : model;
  return new MastraAgent({
    ...{ id: "librarian", name: "Librarian", instructions },
    model: { providerId: "footnote", modelId, url: baseURL, apiKey: key, api: "responses" },
  });
}

export const mastra: Driver = {
  package: "@mastra/core",
  api: "`Agent` with a preset",
  ask: async (connection, question) => {
    const result = await mastraOf(connection).generate(question);
    const { inputTokens = 0, outputTokens = 0 } = result.usage;
    return { text: result.text, result, usage: [inputTokens, outputTokens] };
  },
  stream: async (connection, question, { signal, onText }) => {
    const result = await mastraOf(connection).stream(question, { abortSignal: signal });
    for await (const piece of result.textStream) {
      onText(piece);
    }
    const { inputTokens = 0, outputTokens = 0 } = await result.usage;
    const [text, steps] = [await result.text, await result.steps];
    return { text, result: steps, usage: [inputTokens, outputTokens] };
  },
  converse: async (connection, questions) => {
    const agent = mastraOf(connection);
    const messages: Parameters<MastraAgent["generate"]>[0] & unknown[] = [];
    const texts: string[] = [];
    for (const content of questions) {
      messages.push({ role: "user", content } as never);
      const { text } = await agent.generate(messages);
      messages.push({ role: "assistant", content: text } as never);
      texts.push(text);
    }
    return texts;
  },
};
