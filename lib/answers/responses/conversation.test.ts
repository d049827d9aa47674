import { describe, expect, it } from "vitest";
import { toMessages } from "./conversation";
import type { InputItem } from "./schema";

const user = (content: string): InputItem => ({ type: "message", role: "user", content });
const hook = (content: string): InputItem => ({ type: "message", role: "developer", content });
const said = (content: string): InputItem => ({ type: "message", role: "assistant", content });
const call = (id: string, more: object = {}): InputItem => ({
  ...{ type: "function_call", call_id: id, name: `f_${id}`, arguments: "{}", ...more },
});
const output = (id: string, text = `out_${id}`): InputItem => ({
  ...{ type: "function_call_output", call_id: id, output: text },
});

/** Who speaks, and what: "user hi", "assistant +a +b", "tool a out_a". */
function linesOf(items: InputItem[]): string[] {
  return toMessages(items, [], () => null).map(({ role, content, tool_calls, tool_call_id }) =>
    [
      role,
      tool_call_id,
      content,
      ...((tool_calls ?? []) as { id: string }[]).map(({ id }) => `+${id}`),
    ]
      .filter((part) => part !== undefined && part !== null)
      .join(" "),
  );
}

describe("the outputs of calls", () => {
  it.each<[string, InputItem[], string[]]>([
    [
      "after a developer's message",
      [user("w"), call("a"), hook("h"), output("a")],
      ["user w", "assistant +a", "tool a out_a", "developer h"],
    ],
    [
      "after several messages, which keep their order",
      [call("a"), hook("1"), user("2"), hook("3"), output("a"), said("x")],
      ["assistant +a", "tool a out_a", "developer 1", "user 2", "developer 3", "assistant x"],
    ],
    [
      "before its call",
      [output("a"), user("w"), call("a")],
      ["user w", "assistant +a", "tool a out_a"],
    ],
    [
      "in another order than the calls, with words between",
      [call("a"), call("b"), output("b"), user("w"), output("a")],
      ["assistant +a +b", "tool a out_a", "tool b out_b", "user w"],
    ],
    [
      "of two turns, each behind its own call",
      [call("a"), output("a"), call("b"), hook("h"), output("b")],
      ["assistant +a", "tool a out_a", "assistant +b", "tool b out_b", "developer h"],
    ],
    [
      "of models that count their calls from 0 in each turn",
      [call("a"), output("a", "first"), user("w"), call("a"), output("a", "second")],
      ["assistant +a", "tool a first", "user w", "assistant +a", "tool a second"],
    ],
    [
      "with the model's words between",
      [call("a"), said("x"), output("a"), said("y")],
      ["assistant x +a", "tool a out_a", "assistant y"],
    ],
  ])("stand behind them: %s", (_name, items, lines) => {
    expect(linesOf(items)).toEqual(lines);
  });

  it("are required, once for each call", () => {
    expect(() => linesOf([user("w"), call("a"), hook("h")])).toThrow("'a' has no output");
    expect(() => linesOf([call("a"), call("b"), output("b")])).toThrow("'a' has no output");
    expect(() => linesOf([user("w"), output("a")])).toThrow("No function call 'a' waits");
    expect(() => linesOf([call("a"), output("a"), output("a")])).toThrow("No function call 'a'");
  });
});

it("names the calls of a namespace as their tool is named, also of text tools", () => {
  const custom: InputItem = {
    ...{ type: "custom_tool_call", call_id: "b", name: "patch", input: "x\ny" },
  };
  const outputs: InputItem[] = [
    output("a"),
    { type: "custom_tool_call_output", call_id: "b", output: "done" },
  ];
  const [message] = toMessages(
    [call("a", { namespace: "crm" }), custom, ...outputs],
    [],
    () => null,
  );
  expect(message).toMatchObject({
    tool_calls: [
      { id: "a", function: { name: "crm__f_a" } },
      { id: "b", function: { name: "patch", arguments: '{"input":"x\\ny"}' } },
    ],
  });
});

it("keeps a conversation of 10,000 items, and continues what was stored without changing it", () => {
  const items = Array.from({ length: 2000 }, (_, at) => [
    user(`u${at}`),
    call(`c${at}`),
    call(`d${at}`),
    output(`d${at}`),
    output(`c${at}`),
  ]).flat();
  expect(linesOf(items)).toHaveLength(8000);
  const calls = Array.from({ length: 5000 }, (_, at) => call(`c${at}`));
  const outputs = calls.map((_, at) => output(`c${at}`));
  expect(linesOf([...calls, ...outputs.toReversed()])).toHaveLength(5001);
  const stored = { role: "assistant" as const, content: "One." };
  const [message] = toMessages([said("Two.")], [stored], () => null);
  expect(message?.content).toBe("One.\n\nTwo.");
  expect(stored.content).toBe("One.");
});
