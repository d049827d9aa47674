import { describe, expect, it } from "vitest";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";

const SYSTEM = { role: "system", content: "You are a careful ward assistant. ".repeat(80) };
const FIRST = { role: "user", content: "What are the signs of a stroke?" };
const ANSWERED = { role: "assistant", content: "A face that droops [1]." };
const SECOND = { role: "user", content: "What are the symptoms of asthma?" };

type Messages = { role: string; content: string }[];

/** What the upstream receives for a request. */
async function sent(key: string, messages: object[], extra: object = {}): Promise<Messages> {
  const body = { model: "scripted", messages, citations: { enabled: true }, ...extra };
  const { status, json } = await call("POST", "/v1/chat/completions", { key, body });
  expect([status, json.citations?.length > 0]).toEqual([200, true]);
  return upstream().seen.at(-1)?.body.messages ?? [];
}

/** How much of a prompt an upstream has cached after another. */
function sharedLength(one: string, other: string): number {
  const at = [...one].findIndex((char, index) => char !== other[index]);
  return at < 0 ? one.length : at;
}

describe("the prompt of a conversation", () => {
  it("is the same, byte for byte, for the same request", async () => {
    const { key } = await makeKeyedAccount();
    await sent(key, [SYSTEM, FIRST], { seed: 5 });
    const once = JSON.stringify(upstream().seen.at(-1)?.body);
    await sent(key, [SYSTEM, FIRST], { seed: 5 });
    expect(JSON.stringify(upstream().seen.at(-1)?.body)).toBe(once);
  });

  it.each([
    ["a later turn", [SYSTEM, FIRST, ANSWERED, SECOND]],
    ["a turn after one without an answer", [SYSTEM, FIRST, SECOND]],
    ["another question", [SYSTEM, SECOND]],
    [
      "a question that refers to an earlier one",
      [SYSTEM, FIRST, ANSWERED, { role: "user", content: "And how is it treated?" }],
    ],
  ])("begins with the same rules and the caller's own text in %s", async (_what, messages) => {
    const { key } = await makeKeyedAccount();
    const first = await sent(key, [SYSTEM, FIRST]);
    const later = await sent(key, messages, { citations: { enabled: true, min_score: 0 } });
    expect(later[0]).toEqual(first[0]);
    expect(first[0]?.content.length).toBeGreaterThan(SYSTEM.content.length);
    expect(later.slice(1, -1)).toEqual(messages.slice(1, -1));
    expect(later.at(-1)?.content).toMatch(/^Sources, with the nonce \d{9}:\n/);
    const system = JSON.stringify(first.slice(0, 1)).length;
    expect(sharedLength(JSON.stringify(first), JSON.stringify(later))).toBeGreaterThanOrEqual(
      system - 1,
    );
  });

  it("shares a whole turn with the one after it, up to the new sources", async () => {
    const { key } = await makeKeyedAccount();
    const second = await sent(key, [SYSTEM, FIRST, ANSWERED, SECOND]);
    const third = await sent(key, [SYSTEM, FIRST, ANSWERED, SECOND, ANSWERED, FIRST]);
    expect(third.slice(0, 3)).toEqual(second.slice(0, 3));
    expect(third.at(-1)?.content).toContain('<source id="1"');
    expect(
      third
        .slice(1, -1)
        .map(({ content }) => content)
        .join(),
    ).not.toContain("<source");
  });

  it("keeps its sources where they are while the model calls tools", async () => {
    const { key } = await makeKeyedAccount();
    const asked = await sent(key, [SYSTEM, FIRST]);
    const called = {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
    };
    const output = { role: "tool", tool_call_id: "c1", content: "done" };
    const after = await sent(key, [SYSTEM, FIRST, called, output, called, output]);
    expect(after).toEqual([...asked, called, output, called, output]);
  });
});
