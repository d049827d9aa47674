import { setTimeout as sleep } from "node:timers/promises";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { Citation } from "@/lib/answers/citations/schema";
import type { CompletionChunk } from "@/lib/models/schema";
import { execute } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { dispatch, openai } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";

const question = "What are the symptoms of asthma?";

function body(extra: object): OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming {
  return {
    model: "footnote-extract-1",
    messages: [{ role: "user", content: question }],
    stream: true,
    ...extra,
  } as OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
}

async function collect(key: string, extra: object): Promise<CompletionChunk[]> {
  const chunks: CompletionChunk[] = [];
  for await (const chunk of await openai(key).chat.completions.create(body(extra))) {
    chunks.push(chunk as CompletionChunk);
  }
  return chunks;
}

function textOf(chunks: CompletionChunk[]): string {
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
}

function scripted(script: object): object {
  return {
    model: "scripted",
    messages: [{ role: "user", content: `script:${JSON.stringify(script)}` }],
  };
}

function withoutCited(citations: readonly Citation[]) {
  return citations.map(({ metadata: { cited, ...metadata }, ...rest }) => {
    expect(typeof cited).toBe("boolean");
    return { ...rest, metadata };
  });
}

describe("streamed chat completions", () => {
  it("carry role and citations on the first chunk and repeat the citations on the finish chunk", async () => {
    const { key } = await makeKeyedAccount();
    const chunks = await collect(key, { citations: { enabled: true } });
    const plain = await openai(key).chat.completions.create({
      ...body({ citations: { enabled: true } }),
      stream: false,
    });
    const finish = chunks.at(-1);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: "assistant", content: "" });
    expect(finish?.choices[0]?.finish_reason).toBe("stop");
    expect(finish?.citations).toEqual((plain as unknown as CompletionChunk).citations);
    // Identical except for fields that are only known at the end.
    expect(chunks[0]?.citations).toEqual(withoutCited(finish?.citations as Citation[]));
    expect(textOf(chunks)).toBe(plain.choices[0]?.message.content);
    expect(chunks.slice(1, -1).filter((chunk) => "citations" in chunk)).toEqual([]);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it("carry annotations exactly once, on the finish chunk, identical to the plain answer", async () => {
    const { key } = await makeKeyedAccount();
    const chunks = await collect(key, { citations: { enabled: true } });
    const annotated = chunks.filter(({ choices }) => choices[0]?.delta.annotations);
    expect(annotated).toEqual([chunks.at(-1)]);
    const text = [...textOf(chunks)];
    const annotations = annotated[0]?.choices[0]?.delta.annotations as {
      url_citation: { start_index: number; end_index: number; url: string; citation_id: number };
    }[];
    expect(annotations.length).toBeGreaterThan(0);
    for (const { url_citation: at } of annotations) {
      expect(text.slice(at.start_index, at.end_index).join("")).toBe(`[${at.citation_id}]`);
      expect(at.url).toMatch(/^https/);
    }
  });

  it("have no chunk with empty choices except for the requested usage chunk", async () => {
    const { key } = await makeKeyedAccount();
    const without = await collect(key, scripted({ text: "One two." }));
    expect(without.filter(({ choices }) => choices.length === 0)).toEqual([]);
    const chunks = await collect(key, {
      ...scripted({ text: "One two." }),
      stream_options: { include_usage: true },
    });
    expect(chunks.filter(({ choices }) => choices.length === 0)).toEqual([chunks.at(-1)]);
    expect(chunks.at(-1)?.usage).toMatchObject({
      prompt_tokens: 100,
      completion_tokens: 2,
      total_tokens: 102,
      cost_usd: expect.stringMatching(/^0\.\d{6}$/),
      cost: Number(chunks.at(-1)?.usage?.cost_usd),
    });
  });

  it("are plain server-sent events that end with [DONE], without named events", async () => {
    const { key } = await makeKeyedAccount();
    const response = await dispatch("http://localhost:3000/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body({})),
    });
    const text = await response.text();
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(text).toMatch(/^data: \{.*\n\ndata: /);
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(text).not.toMatch(/^event:/m);
  });

  it("pass tool calls through", async () => {
    const { key } = await makeKeyedAccount();
    const chunks = await collect(key, scripted({ tools: true }));
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])).toMatchObject([
      { id: "call_1", function: { name: "get_weather" } },
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
  });

  it("return an HTTP error and are free when the upstream fails before its first byte", async () => {
    const { key, id } = await makeKeyedAccount();
    await expect(collect(key, scripted({ status: 401 }))).rejects.toMatchObject({
      status: 502,
      code: "upstream_error",
    });
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("end with one error event and are free when the upstream breaks off", async () => {
    const { key, id } = await makeKeyedAccount();
    const received: string[] = [];
    const run = async () => {
      const stream = await openai(key).chat.completions.create(
        body(scripted({ text: "one two three four", breakAfter: 2, pieceMs: 5 })),
      );
      for await (const chunk of stream) {
        received.push(chunk.choices[0]?.delta.content ?? "");
      }
    };
    await expect(run()).rejects.toMatchObject({ code: "upstream_error" });
    expect(received.join("")).toBe("one two ");
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    expect(await lastUsage(id)).toMatchObject({ status: 502, costMicros: 0n });
  });

  it("read the upstream on when the client disconnects, and bill what it reports", async () => {
    const { key, id } = await makeKeyedAccount();
    const text = "word ".repeat(400).trim();
    const stream = await openai(key).chat.completions.create(
      body(scripted({ text, pieceMs: 5, name: "hang-up" })),
    );
    let count = 0;
    for await (const _ of stream) {
      count += 1;
      if (count === 20) {
        break;
      }
    }
    const seen = () =>
      upstream().seen.findLast(({ body: sent }) => JSON.stringify(sent).includes("hang-up"));
    await expect.poll(async () => (await readMoney(id)).held, { timeout: 15_000 }).toBe(0n);
    expect(seen()).toMatchObject({ isOpen: false, isAborted: false });
    const usage = await lastUsage(id);
    expect([usage.status, usage.completionTokens]).toEqual([499, 400]);
    expect(usage.costMicros).toBeGreaterThan(0n);
  });

  it("bill a disconnect for what was generated when no usage comes in time, even after an earlier report", async () => {
    const { HOLD_LEASE_SECONDS: lease } = env;
    env.HOLD_LEASE_SECONDS = 0.05;
    const { key, id } = await makeKeyedAccount();
    const earlyUsage = { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 };
    const stream = await openai(key).chat.completions.create(
      body(scripted({ text: "word ".repeat(400).trim(), pieceMs: 5, earlyUsage })),
    );
    const chunks = stream[Symbol.asyncIterator]();
    for (let count = 0; count < 20; count += 1) {
      await chunks.next();
    }
    await chunks.return?.();
    await expect.poll(async () => (await readMoney(id)).held).toBe(0n);
    env.HOLD_LEASE_SECONDS = lease;
    const { completionTokens } = await lastUsage(id);
    expect(completionTokens).toBeGreaterThanOrEqual(15);
    expect(completionTokens).toBeLessThan(200);
  });

  it("bill refusals, reasoning and calls as generated text when the upstream reports no usage", async () => {
    const { key, id } = await makeKeyedAccount();
    const spent = async (script: object) => {
      await collect(key, scripted({ text: "word ".repeat(50).trim(), noUsage: true, ...script }));
      return (await lastUsage(id)).completionTokens;
    };
    expect(await spent({})).toBe(50);
    expect(
      await spent({ delta: { content: undefined, reasoning_content: "think " } }),
    ).toBeGreaterThanOrEqual(50);
    const calls = [{ index: 0, function: { arguments: "abc " } }];
    expect(await spent({ delta: { content: null, tool_calls: calls } })).toBeLessThan(150);
  });

  it("are settled before the finish chunk, so disconnecting there doesn't avoid the charge", async () => {
    const { key, id } = await makeKeyedAccount();
    const usage = { prompt_tokens: 100, completion_tokens: 5000 };
    for await (const chunk of await openai(key).chat.completions.create(
      body(scripted({ text: "Hi.", usage })),
    )) {
      if (chunk.choices[0]?.finish_reason) {
        break;
      }
    }
    expect(await lastUsage(id)).toMatchObject({ status: 200, completionTokens: 5000 });
  });

  it("release the hold when settling fails temporarily", async () => {
    const { key, id } = await makeKeyedAccount();
    await execute("ALTER TABLE usage_record RENAME TO usage_record_away");
    const back = sleep(70).then(() =>
      execute("ALTER TABLE usage_record_away RENAME TO usage_record"),
    );
    await collect(key, scripted({ text: "One two." }));
    await back;
    expect(await readMoney(id)).toMatchObject({ held: 0n });
    expect(await lastUsage(id)).toMatchObject({ status: 200, completionTokens: 2 });
  });

  it("store nothing that can be read when the settlement fails", async () => {
    const { key, id } = await makeKeyedAccount();
    await execute("ALTER TABLE usage_record RENAME TO usage_record_away");
    const asked = openai(key).chat.completions.create({
      ...body(scripted({ text: "One two." })),
      stream: false,
      store: true,
    });
    await expect(asked).rejects.toMatchObject({ status: 500 });
    await execute("ALTER TABLE usage_record_away RENAME TO usage_record");
    expect((await openai(key).chat.completions.list()).data).toEqual([]);
    const usage = await openai(key).chat.completions.create({
      ...body(scripted({ text: "One two." })),
      stream: false,
      store: true,
    });
    expect((await openai(key).chat.completions.list()).data.map((one) => one.id)).toEqual([
      usage.id,
    ]);
    expect((await lastUsage(id)).costMicros).toBeGreaterThan(0n);
  });

  it("end after a disconnect even if they are never read or canceled", async () => {
    const { key, id } = await makeKeyedAccount();
    const client = new AbortController();
    const response = await dispatch("http://localhost:3000/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body(scripted({ text: "a b c", pieceMs: 20 }))),
      signal: client.signal,
    });
    expect(response.status).toBe(200);
    client.abort();
    await expect.poll(async () => (await readMoney(id)).held).toBe(0n);
  });

  it("settle when canceled before they are read", async () => {
    const { key, id } = await makeKeyedAccount();
    const response = await dispatch("http://localhost:3000/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body(scripted({ text: "a b c", pieceMs: 20 }))),
    });
    await sleep(10);
    await response.body?.cancel();
    await expect.poll(async () => (await readMoney(id)).held).toBe(0n);
  });
});
