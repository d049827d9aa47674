import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { call, dispatch } from "@/lib/testing/api";
import { tell } from "@/lib/testing/collector";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { upstream as fakeUpstream } from "@/lib/testing/fake-upstream";
import { reportedUsage } from "@/lib/testing/fake-upstream-usage";

const DASHBOARD = "deploy/grafana/footnote.json";
const TOKEN = "a-token-for-tests-alone";
const ADDRESS = "http://localhost:3000/api/metrics";

let end: (() => Promise<void>) | undefined;
afterEach(async () => {
  await end?.();
  end = undefined;
});

async function open(): Promise<void> {
  end = await tell({ METRICS_TOKEN: TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: undefined });
}

function get(authorization?: string): Promise<Response> {
  return dispatch(ADDRESS, { headers: authorization ? { authorization } : {} });
}

/** The samples by name and sorted labels. */
async function scrape(): Promise<Map<string, number>> {
  const text = await (await get(`Bearer ${TOKEN}`)).text();
  return new Map(
    text
      .split("\n")
      .filter((line) => line && !line.startsWith("#"))
      .map((line) => {
        const at = line.lastIndexOf(" ");
        return [sorted(line.slice(0, at)), Number(line.slice(at + 1))];
      }),
  );
}

function sorted(sample: string): string {
  const [, name = "", labels = ""] = /^([^{]*)(?:\{(.*)\})?$/.exec(sample) ?? [];
  return labels ? `${name}{${labels.split(",").toSorted().join(",")}}` : name;
}

/** Of the cited request. */
function reportedPrompt(): number {
  const isCited = (body: unknown) => /script:.*Asthma is a disease/.test(JSON.stringify(body));
  const cited = fakeUpstream().seen.findLast(({ body }) => isCited(body));
  return reportedUsage("", cited?.body ?? {}).prompt_tokens;
}

function chat(key: string, script: object, extra: object = {}) {
  const messages = [{ role: "user", content: `Asthma? script:${JSON.stringify(script)}` }];
  return call("POST", "/v1/chat/completions", {
    key,
    body: { model: "scripted", messages, ...extra },
  });
}

describe("/api/metrics", { timeout: 60_000 }, () => {
  it("answers 404 if METRICS_TOKEN isn't set, and requires the token if it is", async () => {
    expect((await get(`Bearer ${TOKEN}`)).status).toBe(404);
    await open();
    for (const [authorization, status, code] of [
      [undefined, 401, "missing_api_key"],
      [`Basic ${TOKEN}`, 401, "missing_api_key"],
      ["Bearer another", 403, "invalid_api_key"],
      [`Bearer ${TOKEN}x`, 403, "invalid_api_key"],
    ] as const) {
      const refused = await get(authorization);
      expect(refused.status).toBe(status);
      expect(await refused.json()).toMatchObject({
        error: { code, type: "authentication_error", param: null, message: expect.any(String) },
      });
    }
    const answer = await get(`Bearer ${TOKEN}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0.0.4/);
  });

  it("counts requests, tokens, costs and holds exactly", async () => {
    await open();
    const { key } = await makeKeyedAccount();
    await scrape();
    const before = await scrape();
    for (let count = 0; count < 3; count += 1) {
      await chat(key, { text: "One two." });
    }
    await chat(key, { text: "Asthma is a disease [1]." }, { citations: { enabled: true } });
    await chat(key, { status: 429 }, { max_tokens: 5 });
    await call("GET", "/v1/models");
    const after = await scrape();
    const rise = (sample: string) => (after.get(sample) ?? 0) - (before.get(sample) ?? 0);
    const requests = (method: string, route: string, rest: string) =>
      rise(
        sorted(
          `http_server_request_duration_seconds_count{http_request_method="${method}",http_route="${route}",${rest}}`,
        ),
      );
    const chatRoute = "/v1/chat/completions";
    expect(requests("POST", chatRoute, 'http_response_status_code="200"')).toBe(4);
    expect(
      requests(
        "POST",
        chatRoute,
        'http_response_status_code="429",error_type="rate_limit_exceeded"',
      ),
    ).toBe(1);
    expect(
      requests("GET", "/v1/models", 'http_response_status_code="401",error_type="missing_api_key"'),
    ).toBe(1);
    const model = 'gen_ai_request_model="scripted"';
    expect(
      rise(sorted(`footnote_tokens_total{${model},kind="core",gen_ai_token_type="input"}`)),
    ).toBe(300);
    expect(
      rise(sorted(`footnote_tokens_total{${model},kind="core",gen_ai_token_type="output"}`)),
    ).toBe(6);
    expect(
      rise(sorted(`footnote_tokens_total{${model},kind="grounded",gen_ai_token_type="input"}`)),
    ).toBe(reportedPrompt());
    expect(rise(sorted(`footnote_cost_microdollars_total{${model},kind="core"}`))).toBeGreaterThan(
      0,
    );
    expect(rise('footnote_holds_total{outcome="admitted"}')).toBe(5);
    expect(rise('footnote_holds_total{outcome="charged"}')).toBe(4);
    expect(rise('footnote_holds_total{outcome="not_charged"}')).toBe(1);
    const upstream = (outcome: string) =>
      rise(
        sorted(
          `footnote_upstream_duration_seconds_count{${model},gen_ai_operation_name="chat",outcome="${outcome}"}`,
        ),
      );
    expect(upstream("ok")).toBe(4);
    expect(upstream("rate_limited")).toBeGreaterThan(0);
    expect(rise('footnote_retrieval_duration_seconds_count{outcome="ok",stage="search"}')).toBe(1);
    expect(rise('footnote_retrieval_duration_seconds_count{outcome="ok",stage="words"}')).toBe(1);
    expect(rise("footnote_holds_open")).toBe(0);
    expect(rise("footnote_streams_open")).toBe(0);
  });

  it("contains no account, key or request ids and no caller-supplied paths", async () => {
    await open();
    const { key } = await makeKeyedAccount();
    for (const path of [
      "/v1/planted",
      "/v1/models/planted",
      "/v1/kb/jobs/planted",
      "/api/planted",
    ]) {
      await call("GET", path, { key });
    }
    const text = [...(await scrape()).keys()].join("\n");
    expect(text).toContain("/v1/kb/jobs/{job_id}");
    expect(text).not.toMatch(/planted|acct_|key_0|req_|footnote_test_/);
  });

  it("contains every metric that the dashboard shows", async () => {
    await open();
    const { key } = await makeKeyedAccount();
    await stream(key);
    await ingest(key);
    const samples = await scrape();
    const known = new Set([...samples.keys()].map((sample) => sample.replace(/\{.*/, "")));
    // The embedded database has no pool.
    for (const name of process.env.TEST_DATABASE_URL ? [] : POOL) {
      known.add(name);
    }
    const shown = [...readFileSync(DASHBOARD, "utf8").matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)];
    expect(shown.length).toBeGreaterThan(20);
    const names = shown.flatMap(([, query = ""]) => query.match(METRIC) ?? []);
    expect(names.length).toBeGreaterThan(shown.length - 1);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

const POOL = ["db_client_connection_count", "db_client_connection_pending_requests"];
const METRIC = /\b(?:http_server|footnote|db_client|nodejs|v8js|process)_[a-z0-9_]+/g;

async function stream(key: string): Promise<void> {
  const response = await dispatch("http://localhost:3000/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: "scripted",
      stream: true,
      citations: { enabled: true },
      messages: [{ role: "user", content: "Asthma?" }],
    }),
  });
  expect(await response.text()).toContain("[DONE]");
}

/** Uploads a document and runs its job in this process. */
async function ingest(key: string): Promise<void> {
  const { json } = await call("POST", "/v1/kb/documents", {
    key,
    body: { scope: "customer_kb", text: "Asthma is a disease of the airways." },
  });
  const { processJob } = await import("@/lib/library/documents/write/process-job");
  await processJob(json.job_id);
}
