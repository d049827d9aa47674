import OpenAI from "openai";
import OpenAI4 from "openai-4";
import OpenAI5 from "openai-5";
import OpenAI6 from "openai-6";
import { beforeAll, describe, expect, it } from "vitest";
import { dispatch } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";

type Helpers = OpenAI["chat"]["completions"];
type ToolParams = Parameters<Helpers["runTools"]>[0];

const VERSIONS = [
  { name: "openai 4", Client: OpenAI4 as unknown as typeof OpenAI },
  { name: "openai 5", Client: OpenAI5 as unknown as typeof OpenAI },
  { name: "openai 6", Client: OpenAI6 as unknown as typeof OpenAI },
  { name: "openai 7", Client: OpenAI },
];

const QUESTION = "What are the symptoms of asthma?";
const citations = { enabled: true };
const system = { role: "system" as const, content: "Be brief." };
const userOf = (script: object) => ({
  role: "user" as const,
  content: `${QUESTION} script:${JSON.stringify({ isStrict: true, ...script })}`,
});
const tool = {
  type: "function",
  function: {
    name: "get_weather",
    parse: JSON.parse,
    parameters: { type: "object", properties: { city: { type: "string" } } },
    function: () => "snow",
  },
};

let key = "";

beforeAll(async () => {
  ({ key } = await makeKeyedAccount());
});

describe.each(VERSIONS)("$name at a strict upstream, with citations", ({ name, Client }) => {
  const client = () =>
    new Client({
      apiKey: key,
      baseURL: "http://localhost:3000/v1",
      maxRetries: 0,
      fetch: dispatch,
    });
  const helpersOf = ({ chat, beta }: OpenAI) =>
    name === "openai 4"
      ? (beta as unknown as { chat: OpenAI["chat"] }).chat.completions
      : chat.completions;

  it("takes its own answer back as history, beside a system message", async () => {
    const user = userOf({ text: "Asthma causes wheezing [1]." });
    const ask = (messages: object[]) =>
      client().chat.completions.create({
        model: "scripted",
        messages,
        citations,
      } as never) as Promise<OpenAI.ChatCompletion>;
    const first = await ask([system, user]);
    const second = await ask([system, user, first.choices[0]?.message ?? {}, user]);
    expect(second.choices[0]?.message.content).toBe("Asthma causes wheezing [1].");
  });

  it.each([false, true])("runs tools (streamed: %s)", async (stream) => {
    const user = userOf({ tools: true, text: "It snows." });
    const body = { model: "scripted", messages: [system, user], tools: [tool], citations, stream };
    const runner = helpersOf(client()).runTools(body as unknown as ToolParams);
    expect(await runner.finalContent()).toBe("It snows.");
  });
});
