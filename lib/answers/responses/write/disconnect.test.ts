import { describe, expect, it } from "vitest";
import * as z from "zod";
import { processSingleton } from "@/lib/singleton";
import { dispatch } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { EventBody } from "../events";

const openStreams = processSingleton("open streams", () => new Map<string, number>());

const question = "What are the symptoms of asthma?";
const cited = {
  tools: [{ type: "file_search", vector_store_ids: ["public_kb"] }],
  citations: { query: { text: question }, min_score: 0 },
};
const weather = { tools: [{ type: "function", name: "get_weather", parameters: {} }] };

const slow = { text: `Asthma makes people wheeze [1]. ${"word ".repeat(60).trim()}`, pieceMs: 2 };
const refusing = { ...slow, delta: { content: null, refusal: "No. " } };
const breaking = { text: "one two three four", breakAfter: 2, pieceMs: 2 };

interface Row {
  script: object;
  extra?: object;
  /** Of the usage record. What has ended can't be interrupted any more. */
  statuses: number[];
}

const midway: Row = { script: slow, extra: cited, statuses: [499] };
const ending: Row = { ...midway, statuses: [200, 499] };
const failing: Row = { script: breaking, extra: cited, statuses: [502] };

const custom: Row = {
  script: { tools: true },
  extra: { tools: [{ type: "custom", name: "get_weather" }] },
  statuses: [200, 499],
};

/** By the event at which the client leaves. */
const ROWS: Record<string, Row> = {
  "response.created": midway,
  "response.in_progress": midway,
  "response.output_item.added": midway,
  "response.file_search_call.in_progress": midway,
  "response.file_search_call.searching": midway,
  "response.file_search_call.completed": midway,
  "response.output_item.done": ending,
  "response.content_part.added": midway,
  "response.output_text.delta": midway,
  "response.refusal.delta": { script: refusing, statuses: [499] },
  "response.function_call_arguments.delta": {
    script: { tools: true },
    extra: weather,
    statuses: [200, 499],
  },
  "response.function_call_arguments.done": {
    script: { tools: true },
    extra: weather,
    statuses: [200, 499],
  },
  "response.custom_tool_call_input.delta": custom,
  "response.custom_tool_call_input.done": custom,
  "response.refusal.done": { script: refusing, statuses: [200, 499] },
  "response.output_text.annotation.added": ending,
  "response.output_text.done": ending,
  "response.content_part.done": ending,
  "response.completed": ending,
  "response.incomplete": { ...ending, script: { ...slow, finish: "length" } },
  "response.failed": failing,
  error: failing,
};

/** Reads a stream up to an event's name, then leaves. Returns whether the event came. */
async function leaveAt(type: string, response: Response): Promise<boolean> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    text += decoder.decode(next.value, { stream: true });
    if (text.includes(`event: ${type}\n`)) {
      await reader?.cancel();
      return true;
    }
  }
  return false;
}

describe("a client that leaves a stream of events", () => {
  it("is tested at every type of event", () => {
    const types = EventBody.options.flatMap(({ shape: { type } }) =>
      type instanceof z.ZodEnum ? type.options : [type.value],
    );
    expect(Object.keys(ROWS).sort()).toEqual([...types].sort());
  });

  it.each(Object.entries(ROWS))("leaves nothing open at %s", async (type, row) => {
    const { key, id } = await makeKeyedAccount();
    const name = `leaves-at-${type}`;
    const response = await dispatch("http://localhost:3000/v1/responses", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "scripted",
        input: `script:${JSON.stringify({ ...row.script, name })}`,
        ...row.extra,
        stream: true,
      }),
    });
    expect(await leaveAt(type, response)).toBe(true);
    await expect.poll(async () => (await lastUsage(id).catch(() => null))?.status).toBeDefined();
    const usage = await lastUsage(id);
    expect(usage.status).toBeOneOf(row.statuses);
    expect(usage.costMicros > 0n).toBe(usage.status !== 502);

    const money = await readMoney(id);
    expect(money).toMatchObject({ held: 0n, openHolds: 0n, ledgerSum: money.balance });
    expect(money.balance).toBe(5_000_000n - usage.costMicros);
    await expect.poll(() => openStreams.get(id)).toBeUndefined();
    const mine = upstream().seen.filter(({ body }) => JSON.stringify(body).includes(name));
    expect(mine).toHaveLength(1);
    await expect.poll(() => mine.some(({ isOpen }) => isOpen)).toBe(false);
  });
});
