import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { fakeVector } from "@/lib/testing/fake-embeddings";
import { upstream } from "@/lib/testing/fake-upstream";
import { createUpstreamEmbedder, type EmbeddingUpstream } from "./embeddings";

let made = 0;

function model(script: object, settings: Partial<EmbeddingUpstream> = {}) {
  made += 1;
  const name = `vendor-embed-${made}`;
  const embedTexts = createUpstreamEmbedder({
    baseUrl: upstream().url,
    apiKey: "sk-of-this-model",
    model: `embed script:${JSON.stringify({ name, ...script })}`,
    dimensions: undefined,
    timeoutMs: 5000,
    ...settings,
  });
  const signal = new AbortController().signal;
  return {
    patient: (texts: string[], stop = signal) =>
      embedTexts(texts, { signal: stop, isUrgent: false }),
    urgent: (text: string, stop = signal) => embedTexts([text], { signal: stop, isUrgent: true }),
    seen: () => upstream().seen.filter(({ body }) => body.model?.includes(`"${name}"`)),
  };
}

function expected(...texts: string[]) {
  return texts.map((text) => [...fakeVector(text)]);
}

describe("an upstream embedding model", () => {
  it("returns a vector for each text, as base64 on the wire", async () => {
    const { patient, seen } = model({});
    expect(await patient(["heart attack", "broken leg"])).toEqual(
      expected("heart attack", "broken leg"),
    );
    expect(seen()).toMatchObject([
      { path: "/v1/embeddings", body: { encoding_format: "base64" }, concurrency: 1 },
    ]);
    expect(seen()[0]?.body).not.toHaveProperty("dimensions");
  });

  it("is sent the dimensions when they are set", async () => {
    const { urgent, seen } = model({}, { dimensions: 48 });
    expect((await urgent("heart"))[0]).toHaveLength(48);
    expect(seen()[0]?.body.dimensions).toBe(48);
  });

  it.each([
    ["in another order", { isReversed: true }],
    ["without indexes", { noIndex: true }],
    ["as floats", { noBase64: true }],
  ])("may answer %s", async (_, script) => {
    const { patient } = model(script);
    const vectors = await patient(["heart attack", "broken leg", "stroke"]);
    expect(vectors).toEqual(expected("heart attack", "broken leg", "stroke"));
  });

  it("is asked only for floats once it has rejected base64", async () => {
    const { urgent, seen } = model({ refusesBase64: true });
    expect(await urgent("heart")).toEqual(expected("heart"));
    await urgent("heart");
    expect(seen().map(({ body }) => body.encoding_format)).toEqual(["base64", "float", "float"]);
  });
});

describe("a failing embedding model", () => {
  it.each([
    { status: 408 },
    { status: 409 },
    { status: 429 },
    { status: 503 },
    { status: 200, body: "breaks" },
  ])("is retried after %o", async (failure) => {
    const { patient, seen } = model({ failures: 1, failure });
    expect(await patient(["heart"])).toEqual(expected("heart"));
    expect(seen()).toHaveLength(2);
  });

  it("is retried only after the pause it asks for", async () => {
    const failure = { status: 429, headers: { "retry-after": "1" } };
    const { patient } = model({ failures: 1, failure });
    const start = performance.now();
    await patient(["heart"]);
    // The pause, plus at least a quarter of a second of backoff.
    expect(performance.now() - start).toBeGreaterThan(1200);
  });

  it("isn't retried when the pause it asks for is too long", async () => {
    const { patient, seen } = model({ status: 429, headers: { "retry-after": "3600" } });
    await expect(patient(["heart"])).rejects.toThrow("returned status 429");
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const dated = model({ status: 503, headers: { "retry-after": inAnHour } });
    await expect(dated.patient(["heart"])).rejects.toThrow("returned status 503");
    expect([seen().length, dated.seen().length]).toEqual([1, 1]);
  });

  it.each([400, 401, 403, 404])("isn't retried after %i", async (status) => {
    const { patient, seen } = model({ status, after: 1 });
    await patient(["first"]);
    await expect(patient(["heart"])).rejects.toThrow(`returned status ${status}`);
    expect(seen()).toHaveLength(2);
  });

  it("isn't retried when it says that retrying won't help", async () => {
    const { patient, seen } = model({ status: 429, headers: { "x-should-retry": "false" } });
    await expect(patient(["heart"])).rejects.toThrow("returned status 429");
    expect(seen()).toHaveLength(1);
  });

  it("is retried at most once for an urgent call, and not if it asks for a pause", async () => {
    const failing = model({ status: 500 });
    await expect(failing.urgent("heart")).rejects.toThrow("returned status 500");
    const busy = model({ status: 429, headers: { "retry-after": "2" } });
    await expect(busy.urgent("heart")).rejects.toThrow("returned status 429");
    expect([failing.seen().length, busy.seen().length]).toEqual([2, 1]);
  });

  it("is reported as slow or unreachable", async () => {
    const slow = model({ delayMs: 2000 }, { timeoutMs: 100 });
    await expect(slow.urgent("heart")).rejects.toThrow("did not answer within 100 ms");
    expect(slow.seen()).toHaveLength(2);
    const halfway = { status: 503, body: "stalls" };
    const stalling = model({ failures: 2, failure: halfway }, { timeoutMs: 200 });
    await expect(stalling.urgent("heart")).rejects.toThrow("returned status 503");
    const gone = model({}, { baseUrl: "http://127.0.0.1:1/v1" });
    await expect(gone.urgent("heart")).rejects.toThrow("could not be reached");
  });

  const zeros = { object: "embedding", embedding: [0, 0] };
  const nan = Buffer.from(new Float32Array(2).fill(Number.NaN).buffer).toString("base64");
  it.each([
    ["data that isn't a list", { data: {} }, "data is wrong"],
    ["too few vectors", { data: [{ ...zeros, index: 0 }] }, "1 vectors for 2 texts"],
    ["too many vectors", { data: [zeros, zeros, zeros] }, "3 vectors for 2 texts"],
    ["a duplicate index", { item: { index: 1 } }, "indexes"],
    ["an index out of range", { data: [zeros, { ...zeros, index: 2 }] }, "indexes"],
    ["an index that isn't a number", { item: { index: "0" } }, "data.0.index"],
    ["text for a number", { item: { embedding: ["a"] } }, "data.0.embedding.0"],
    ["NaN", { item: { embedding: nan } }, "data.0.embedding.0"],
    ["a truncated number", { item: { embedding: "AAAA" } }, "data.0.embedding is wrong"],
    ["null for a vector", { item: { embedding: null } }, "data.0.embedding is wrong"],
  ])("is rejected for %s, without a retry", async (_, script, reason) => {
    const { patient, seen } = model(script);
    await expect(patient(["heart", "leg"])).rejects.toThrow(reason);
    expect(seen()).toHaveLength(1);
  });

  it("stops calls and pauses when the signal aborts", async () => {
    const slow = model({ delayMs: 5000 });
    const stop = new AbortController();
    const answer = slow.patient(["heart"], stop.signal);
    await vi.waitFor(() => expect(slow.seen()).toHaveLength(1));
    stop.abort(new Error("no longer wanted"));
    await expect(answer).rejects.toThrow("no longer wanted");
    await vi.waitFor(() => expect(slow.seen()[0]?.isAborted).toBe(true));

    const busy = model({ status: 429, headers: { "retry-after": "30" } });
    const pausing = busy.patient(["heart"], AbortSignal.timeout(300));
    await expect(pausing).rejects.toMatchObject({ name: "TimeoutError" });
    expect([slow.seen().length, busy.seen().length]).toEqual([1, 1]);
  });

  it("never leaks texts, keys or the upstream's message into an error", async () => {
    const words = "secret-passage of sk-of-this-model";
    const scripts = [
      { status: 400, error: { message: words, code: words, type: words, param: words } },
      { status: 401, error: words },
      { data: words },
      { item: { index: words } },
      { item: { [words]: words, embedding: [words] } },
      { failures: 2, failure: { status: 200, body: "breaks" } },
    ];
    for (const script of scripts) {
      const error: unknown = await model(script)
        .urgent("secret-passage")
        .catch((thrown) => thrown);
      // In this test, the model id contains the script.
      const text = inspect(error, { depth: 9 }).replace(/script:\{.*\}/s, "");
      expect(error).toBeInstanceOf(Error);
      expect(text).not.toMatch(/secret-passage|sk-of/);
    }
  });
});
