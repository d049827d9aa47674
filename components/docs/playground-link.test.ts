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
    curl("/v1/kb/search", '{"query": "x"}'),
    curl("/v1/chat/completions", '{"messages": [{"role": "user", "content": [1]}]}'),
    curl("/v1/chat/completions", "{…}"),
    'client.chat.completions.create(messages=[{"role": "user", "content": "x"}])',
    "",
  ])("is null for %j", (code) => {
    expect(playgroundLink(code)).toBeNull();
  });
});
