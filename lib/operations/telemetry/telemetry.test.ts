import { afterEach, describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { openEmbedder, readEmbeddingSettings, replaceEmbedder } from "@/lib/models/embedding";
import { EnvSchema } from "@/lib/platform/env";
import { call, dispatch } from "@/lib/testing/api";
import { setCalibration } from "@/lib/testing/calibration";
import { type Collector, collect, type SeenSpan, tell } from "@/lib/testing/collector";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { captureLog } from "@/tests/planted-secrets";

const CALLER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
/** As many as a prompt with sources can have. */
const USAGE = { prompt_tokens: 1500, completion_tokens: 5 };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

let ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.reverse()) {
    await end();
  }
  ending = [];
});

async function collecting(options?: Parameters<typeof collect>[0]): Promise<Collector> {
  const collector = await collect(options);
  const end = async () => collector.end();
  ending.push(end);
  return { ...collector, end: () => end().finally(() => ending.splice(ending.indexOf(end), 1)) };
}

async function withEmbedder(): Promise<void> {
  const settings = readEmbeddingSettings(
    EnvSchema.parse({ EMBEDDING_MODEL: "embed", EMBEDDING_BASE_URL: upstream().url }),
  );
  const embedder = settings && (await openEmbedder(settings));
  replaceEmbedder(embedder);
  await setCalibration(embedder?.space ?? "");
  ending.push(async () => replaceEmbedder(undefined));
}

async function ask(key: string, body: object, headers: object = {}): Promise<string> {
  const response = await dispatch("http://localhost:3000/v1/chat/completions", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${key}`,
      ...headers,
    },
    body: JSON.stringify({ model: "scripted", ...body }),
  });
  return response.text();
}

/** The names of a span and its ancestors, outermost first. */
function pathOf(span: SeenSpan, spans: readonly SeenSpan[]): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? `${pathOf(parent, spans)} > ${span.name}` : span.name;
}

describe("a trace", { timeout: 60_000 }, () => {
  it("of a cited, streamed completion covers every step under the caller's span, without any text", async () => {
    await withEmbedder();
    const collector = await collecting();
    const { key, email } = await makeKeyedAccount();
    const word = `plantedword${newId("chunk")}`;
    const text = `Asthma is a ${word} disease [1].`;
    const script = JSON.stringify({ text, name: word, usage: USAGE });
    const streamed = await ask(
      key,
      {
        stream: true,
        citations: { enabled: true },
        messages: [{ role: "user", content: `Asthma ${word}? script:${script}` }],
      },
      {
        traceparent: TRACEPARENT,
        tracestate: "planted=tracestate",
        baggage: "planted=baggage",
      },
    );
    expect(streamed).toContain("[DONE]");
    await collector.end();
    const { spans } = collector;
    const root = "POST /v1/chat/completions";
    const search = `${root} > retrieval search`;
    expect(spans.map((span) => pathOf(span, spans)).toSorted()).toEqual(
      [
        root,
        `${root} > hold`,
        search,
        `${search} > retrieval statistics`,
        `${search} > retrieval selection`,
        `${search} > retrieval embedding`,
        `${search} > retrieval embedding > embeddings embed`,
        `${search} > retrieval words`,
        `${search} > retrieval vectors`,
        `${search} > retrieval fusion`,
        `${search} > retrieval passages`,
        `${root} > chat upstream-model`,
        `${root} > verification`,
        `${root} > settlement`,
      ].toSorted(),
    );
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([CALLER.traceId]));
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(named(root)).toMatchObject({
      parentSpanId: CALLER.spanId,
      kind: 2,
      status: 0,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/v1/chat/completions",
        "http.response.status_code": 200,
        "gen_ai.request.model": "scripted",
        "footnote.kind": "grounded",
        "gen_ai.usage.input_tokens": USAGE.prompt_tokens,
      },
    });
    const asked = named("chat upstream-model");
    expect(asked).toMatchObject({ kind: 3, events: ["first byte"] });
    const seen = upstream().seen.filter(({ body }) => JSON.stringify(body).includes(word));
    const of = (path: string) => seen.find((request) => request.path.endsWith(path));
    expect(of("/chat/completions")?.traceparent).toBe(`00-${CALLER.traceId}-${asked?.spanId}-01`);
    expect(of("/embeddings")?.traceparent).toContain(CALLER.traceId);
    const exported = collector.bodies.join("\n");
    for (const secret of [word, key, key.slice(-12), email, "tracestate", "baggage"]) {
      expect(exported).not.toContain(secret);
    }
    expect([...collector.metrics]).toEqual(
      expect.arrayContaining([
        "http.server.request.duration",
        "footnote.first_token.duration",
        "footnote.tokens",
        "footnote.cost.microdollars",
        "footnote.upstream.duration",
        "footnote.retrieval.duration",
        "footnote.holds",
        "nodejs.eventloop.delay.p99",
      ]),
    );
  });

  it("records a failed request's error code, and starts at the root without a caller's trace", async () => {
    const collector = await collecting();
    const { key } = await makeKeyedAccount();
    const content = `script:${JSON.stringify({ status: 500, echoes: true })} plantedmessage`;
    await ask(key, { messages: [{ role: "user", content }] });
    await call("GET", "/v1/models/plantedmodel", { key });
    await collector.end();
    const [failed] = collector.spans.filter(({ name }) => name === "POST /v1/chat/completions");
    expect(failed).toMatchObject({ status: 2, attributes: { "error.type": "upstream_error" } });
    expect(failed?.parentSpanId ?? "").toBe("");
    const tries = collector.spans.filter(({ name }) => name === "chat upstream-model");
    expect(tries.map(({ attributes }) => attributes["footnote.outcome"])).toEqual([
      "failed",
      "failed",
    ]);
    expect(collector.spans.map(({ name }) => name)).toContain("GET /v1/models/{model}");
    expect(collector.bodies.join("\n")).not.toMatch(/planted/);
  });

  it("doesn't delay or fail requests when the collector hangs or is unreachable", async () => {
    const { key } = await makeKeyedAccount();
    const body = { messages: [{ role: "user", content: "Hello" }] };
    const hanging = await collecting({ hangs: true });
    for (let count = 0; count < 5; count += 1) {
      expect(await ask(key, body)).toContain("Hello from upstream.");
    }
    await hanging.end();
    expect(hanging.bodies.length).toBeGreaterThan(0);
    const log = captureLog();
    const end = await tell({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
      METRICS_TOKEN: undefined,
    });
    expect(await ask(key, body)).toContain("Hello from upstream.");
    await end();
    log.end();
    expect(log.lines.filter((line) => line.includes("not delivered")).length).toBeLessThan(2);
  });
});

describe("the log line of a request", { timeout: 60_000 }, () => {
  it("is written once, with every field that is known at the end of a stream", async () => {
    const { key, keyId, id: accountId } = await makeKeyedAccount();
    const log = captureLog();
    const script = JSON.stringify({ text: "Asthma is a disease [1].", usage: USAGE });
    await ask(key, {
      stream: true,
      citations: { enabled: true },
      messages: [{ role: "user", content: `What is asthma? script:${script}` }],
    });
    log.end();
    const lines = log.lines.map((line) => JSON.parse(line)).filter((line) => line.request_id);
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.any(String),
        request_id: expect.stringMatching(/^req_/),
        account_id: accountId,
        key_id: keyId,
        method: "POST",
        route: "/v1/chat/completions",
        path: "/v1/chat/completions",
        status: 200,
        duration_ms: expect.any(Number),
        model: "scripted",
        is_stream: true,
        kind: "grounded",
        ...USAGE,
        cost_micros: expect.any(Number),
        first_token_ms: expect.any(Number),
        passages: expect.any(Number),
        retrieval_ms: expect.any(Number),
        upstream_attempts: 1,
        msg: "request",
      },
    ]);
    expect(lines[0].cost_micros).toBeGreaterThan(0);
    expect(lines[0].passages).toBeGreaterThan(0);
  });

  it("counts upstream attempts and includes the error code", async () => {
    const { key } = await makeKeyedAccount();
    const log = captureLog();
    const content = `script:${JSON.stringify({ status: 500 })}`;
    await ask(key, { messages: [{ role: "user", content }] });
    log.end();
    const lines = log.lines.map((line) => JSON.parse(line)).filter((line) => line.request_id);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      status: 502,
      code: "upstream_error",
      upstream_attempts: 2,
      cost_micros: 0,
      level: 50,
    });
  });

  it("reports a client that disconnects in the middle of a stream", async () => {
    const { key } = await makeKeyedAccount();
    const log = captureLog();
    const client = new AbortController();
    const script = JSON.stringify({ text: "One two three four.", pieceMs: 50 });
    const response = await dispatch("http://localhost:3000/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: "scripted",
        stream: true,
        messages: [{ role: "user", content: `script:${script}` }],
      }),
      signal: client.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    client.abort();
    await reader?.read().catch(() => {});
    const own = () =>
      log.lines.map((line) => JSON.parse(line)).filter(({ method }) => method === "POST");
    await expect.poll(own, { timeout: 10_000 }).toHaveLength(1);
    log.end();
    expect(own()[0]).toMatchObject({
      status: 499,
      client_gone: true,
      msg: "client disconnected",
      model: "scripted",
      completion_tokens: expect.any(Number),
    });
  });

  it("omits a path that could contain a secret", async () => {
    const { key } = await makeKeyedAccount();
    const log = captureLog();
    for (const path of [`/v1/${key}`, `/v1/kb/jobs/${key}`, `/v1/models/${key}`]) {
      await call("GET", path, { key });
    }
    log.end();
    const lines = log.lines.map((line) => JSON.parse(line)).filter((line) => line.request_id);
    expect(lines.map(({ route, path }) => ({ route, path }))).toEqual([
      { route: "/v1/{path}" },
      { route: "/v1/kb/jobs/{job_id}" },
      { route: "/v1/models/{model}" },
    ]);
    expect(log.lines.join("\n")).not.toContain(key);
  });
});
