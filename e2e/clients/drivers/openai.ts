import OpenAI from "openai";
import OpenAI6 from "openai-6";
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

function driverOf(name: string, Client: typeof OpenAI): Driver {
  const connect = ({ key = testKey }: Connection) => new Client({ apiKey: key, baseURL });
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

export const openai6 = driverOf("openai-6", OpenAI6 as unknown as typeof OpenAI);
export const openai7 = driverOf("openai", OpenAI);
