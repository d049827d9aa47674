import { describe, expect, it } from "vitest";
import { newSettings } from "@/components/playground/settings";
import { readLink } from "@/components/playground/shared-settings";
import { playgroundLink } from "./playground-link";

function curl(path: string, body: string): string {
  return `curl http://localhost:3000${path} \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`;
}

describe("playgroundLink", () => {
  it("carries the last question and the settings of a chat completion", () => {
    const body = {
      model: "footnote-extract-1",
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Hi" },
        { role: "user", content: "Wie viel µg?" },
      ],
      citations: { enabled: true, top_k: 5 },
    };
    const link = playgroundLink(curl("/v1/chat/completions", JSON.stringify(body, null, 2)));
    expect(link).toMatch(/^\/playground#try=/);
    const fragment = link?.slice(link.indexOf("#")) ?? "";
    const defaults = newSettings("another");
    expect(readLink(fragment, defaults)).toEqual({
      question: "Wie viel µg?",
      settings: { ...defaults, model: "footnote-extract-1", enabled: true, top_k: "5" },
      rival: null,
    });
  });

  it.each([
    `completion = client.chat.completions.create(
    model="footnote-extract-1",
    messages=[{"role": "user", "content": "What are the signs of a stroke?"}],
    extra_body={"citations": {"enabled": True, "top_k": 5}},
)`,
    `const question = {
  model: "footnote-extract-1",
  messages: [{ role: "user" as const, content: "What are the signs of a stroke?" }],
  citations: { enabled: true, top_k: 5 },
};
const completion = await client.chat.completions.create(question);`,
  ])("reads a call of OpenAI's client", (code) => {
    const link = playgroundLink(code);
    expect(readLink(link?.slice(link.indexOf("#")) ?? "", newSettings("another"))).toMatchObject({
      question: "What are the signs of a stroke?",
      settings: { model: "footnote-extract-1", enabled: true, top_k: "5" },
    });
  });

  it.each([
    curl("/v1/kb/search", '{"query": "x"}'),
    curl("/v1/chat/completions", '{"messages": [{"role": "user", "content": [1]}]}'),
    curl("/v1/chat/completions", "{…}"),
    'client.chat.completions.create(messages=messages, extra_body={"citations": {"enabled": True}})',
    'client.responses.create(input="x")',
    "",
  ])("is null for %j", (code) => {
    expect(playgroundLink(code)).toBeNull();
  });
});
