import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { upstream } from "@/lib/testing/fake-upstream";
import { createUpstreamReranker, type RerankUpstream } from "./rerank";

const TEXTS = ["A broken leg.", "Heart attack and stroke.", "A heart murmur."];

let made = 0;

function model(script: object = {}, settings: Partial<RerankUpstream> = {}) {
  made += 1;
  const name = `vendor-rerank-${made}`;
  const score = createUpstreamReranker({
    url: upstream().url.replace("/v1", `/${name}/rerank`),
    apiKey: "sk-of-this-reranker",
    model: "reranker",
    ...settings,
  });
  const query = `heart attack script:${JSON.stringify({ name, ...script })}`;
  const signal = new AbortController().signal;
  return {
    score: (stop = signal, timeoutMs = 5000) => score(query, TEXTS, { signal: stop, timeoutMs }),
    seen: () => upstream().seen.filter(({ path }) => path.includes(`/${name}/`)),
  };
}

describe("a reranker", () => {
  it("with a model is asked in the shape of Cohere and Jina", async () => {
    const { score, seen } = model();
    expect(await score()).toEqual([0, 2, 1]);
    expect(seen()).toMatchObject([
      {
        authorization: "Bearer sk-of-this-reranker",
        body: { model: "reranker", documents: TEXTS, top_n: 3 },
      },
    ]);
    expect(seen()[0]?.body).not.toHaveProperty("texts");
  });

  it("without a model is asked in TEI's shape", async () => {
    const { score, seen } = model({}, { model: undefined, apiKey: undefined });
    expect(await score()).toEqual([0, 2, 1]);
    expect(seen()).toMatchObject([
      { authorization: undefined, body: { texts: TEXTS, truncate: true } },
    ]);
    expect(seen()[0]?.body).not.toHaveProperty("model");
  });

  it("may leave texts without a score", async () => {
    const { score } = model({ answer: { results: [{ index: 2, relevance_score: -3.5 }] } });
    expect(await score()).toEqual([null, null, -3.5]);
  });

  it.each([
    ["nothing", []],
    ["another object", { data: "none" }],
    ["text", "first"],
    ["an index out of range", [{ index: 3, score: 1 }]],
    ["a negative index", [{ index: -1, score: 1 }]],
    ["a fraction of an index", [{ index: 0.5, score: 1 }]],
    ["a duplicate index", [0, 1].map((score) => ({ index: 1, score }))],
    ["a score that isn't a number", { results: [{ index: 1, relevance_score: "0.9" }] }],
    ["no score", { results: [{ index: 1 }] }],
    ["null for a score", [{ index: 0, score: null }]],
    ["more than it may", [{ index: 0, score: 1, text: "x".repeat(3_000_000) }]],
  ])("is rejected for returning %s", async (_, answer) => {
    const { score, seen } = model({ answer });
    await expect(score()).rejects.toThrow();
    expect(seen()).toHaveLength(1);
  });

  it("is rejected when it is late, and isn't asked again after several failures", async () => {
    const late = model({ delayMs: 5000 });
    await expect(late.score(undefined, 50)).rejects.toMatchObject({ name: "TimeoutError" });
    await vi.waitFor(() => expect(late.seen()[0]?.isAborted).toBe(true));
    const failing = model({ status: 500 });
    for (let tries = 0; tries < 20; tries += 1) {
      await expect(failing.score()).rejects.toThrow();
    }
    expect(failing.seen().length).toBeLessThan(20);
  });

  it("stops when the caller does, which says nothing about the reranker", async () => {
    const slow = model({ delayMs: 5000 });
    const stop = new AbortController();
    const answer = slow.score(stop.signal);
    await vi.waitFor(() => expect(slow.seen()).toHaveLength(1));
    stop.abort(new Error("no longer wanted"));
    await expect(answer).rejects.toThrow("no longer wanted");
  });

  it("never leaks texts or the key into an error", async () => {
    const words = "Heart attack and stroke. sk-of-this-reranker";
    for (const script of [
      { answer: { results: words } },
      { status: 422, error: { code: words, type: words } },
    ]) {
      const error: unknown = await model(script)
        .score()
        .catch((thrown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(String(error)).not.toMatch(/stroke|sk-of/);
      expect(inspect(error, { depth: 0 })).not.toMatch(/sk-of/);
    }
  });
});
