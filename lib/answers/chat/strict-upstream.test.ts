import type OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import { openai } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";

type Helpers = OpenAI["chat"]["completions"];
type ToolParams = Parameters<Helpers["runTools"]>[0];

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

describe("a strict upstream, with citations", () => {
  it("takes its own answer back as history, beside a system message", async () => {
    const user = userOf({ text: "Asthma causes wheezing [1]." });
    const ask = (messages: object[]) =>
      openai(key).chat.completions.create({
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
    const runner = openai(key).chat.completions.runTools(body as unknown as ToolParams);
    expect(await runner.finalContent()).toBe("It snows.");
  });
});
