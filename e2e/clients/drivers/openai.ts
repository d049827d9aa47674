import OpenAI from "openai";
import OpenAI4 from "openai-4";
import OpenAI5 from "openai-5";
import OpenAI6 from "openai-6";
import { CITATIONS } from "../scenario";
import {
  type Answer,
  baseURL,
  type Connection,
  type Driver,
  FILE_SEARCH,
  testKey,
  WITH_RESULTS,
} from "./driver";

type Input = OpenAI.Responses.ResponseInputItem[];
type Stock = typeof OpenAI;

/** Version 4 would use a fetch of its own. */
function clientOf(Client: Stock, { key = testKey }: Connection): OpenAI {
  return new Client({ apiKey: key, baseURL, fetch: (url, init) => fetch(url, init) });
}

/** Version 4 has its helpers under `beta`. */
export function helpersOf(client: OpenAI): OpenAI["chat"]["completions"] {
  const { chat } = client.beta as unknown as { chat?: OpenAI["chat"] };
  return chat?.completions ?? client.chat.completions;
}

function chatOf(name: string, Client: Stock): Driver {
  const connect = (connection: Connection) => clientOf(Client, connection);
  const paramsOf = (
    { model, isCited, instructions }: Connection,
    turns: OpenAI.ChatCompletionMessageParam[],
  ) => ({
    model,
    messages: [
      ...(instructions === undefined ? [] : [{ role: "system" as const, content: instructions }]),
      ...turns,
    ],
    ...(isCited && { citations: CITATIONS }),
  });
  return {
    package: name,
    api: "`chat.completions.create()`, `.stream()`",
    ask: async (connection, content) => {
      const params = paramsOf(connection, [{ role: "user", content }]);
      return toChatAnswer(await connect(connection).chat.completions.create(params));
    },
    stream: async (connection, content, { signal, onText }) => {
      const params = {
        ...paramsOf(connection, [{ role: "user", content }]),
        stream_options: { include_usage: true },
      };
      const stream = helpersOf(connect(connection)).stream(params, { signal });
      stream.on("content", (delta) => onText(delta));
      return toChatAnswer(await stream.finalChatCompletion());
    },
    converse: async (connection, questions) => {
      const turns: OpenAI.ChatCompletionMessageParam[] = [];
      for (const content of questions) {
        turns.push({ role: "user", content });
        const params = paramsOf(connection, turns);
        const { choices } = await connect(connection).chat.completions.create(params);
        turns.push(choices[0]?.message ?? { role: "assistant" });
      }
      return turns.flatMap(({ role, content }) => (role === "assistant" ? [String(content)] : []));
    },
  };
}

function toChatAnswer(completion: OpenAI.ChatCompletion): Answer {
  const { choices, usage } = completion;
  return {
    text: choices[0]?.message.content ?? "",
    result: completion,
    usage: usage ? [usage.prompt_tokens, usage.completion_tokens] : null,
  };
}

function driverOf(name: string, Client: Stock): Driver {
  const connect = (connection: Connection) => clientOf(Client, connection);
  const paramsOf = ({ model, isCited, instructions }: Connection, input: string | Input) => ({
    ...{ model, input, instructions: instructions ?? null },
    ...(isCited && { tools: [FILE_SEARCH], include: WITH_RESULTS }),
  });
  return {
    package: name,
    api: "`responses.create()`, `.stream()`",
    ask: async (connection, question) =>
      toAnswer(await connect(connection).responses.create(paramsOf(connection, question))),
    stream: async (connection, question, { signal, onText }) => {
      const params = paramsOf(connection, question);
      const stream = connect(connection).responses.stream(params, { signal });
      for await (const event of stream) {
        if (event.type === "response.output_text.delta") {
          onText(event.delta);
        }
      }
      return toAnswer(await stream.finalResponse());
    },
    converse: async (connection, questions) => {
      const input: Input = [];
      const texts: string[] = [];
      for (const content of questions) {
        input.push({ role: "user", content });
        const response = await connect(connection).responses.create(paramsOf(connection, input));
        input.push(...(response.output as Input));
        texts.push(response.output_text);
      }
      return texts;
    },
  };
}

function toAnswer(response: OpenAI.Responses.Response): Answer {
  const { usage } = response;
  return {
    text: response.output_text,
    result: response,
    usage: usage ? [usage.input_tokens, usage.output_tokens] : null,
  };
}

const OLDER = {
  "openai-4": OpenAI4 as unknown as Stock,
  "openai-5": OpenAI5 as unknown as Stock,
  "openai-6": OpenAI6 as unknown as Stock,
};

export const openaiChats = Object.entries({ ...OLDER, openai: OpenAI }).map(([name, Client]) =>
  chatOf(name, Client),
);
export const openai6 = driverOf("openai-6", OLDER["openai-6"]);
export const openai7 = driverOf("openai", OpenAI);
