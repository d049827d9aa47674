import pg from "pg";
import { afterEach } from "vitest";
import { processSingleton } from "@/lib/singleton";
import { startFakeUpstream } from "./fake-upstream";

const breakers = processSingleton("circuit breakers", () => new Map<string, unknown>());

// All tests of a worker share an upstream, so scripted failures mustn't open the circuit breaker for the next test.
afterEach(() => breakers.clear());

/** Rates whose costs show which model was billed. */
const PRICED = {
  core: { input: 0.1, output: 0.7, cached_input: 0.013 },
  grounded: { input: 0.3, output: 0.9, cached_input: 0 },
};
const DEAR = { core: { input: 11, output: 17 }, grounded: { input: 13, output: 19 } };

/** Nothing listens there. */
const REFUSING = { base_url: "http://127.0.0.1:1/v1" };

// Runs before each test file, but only acts before the first: the environment must be set before any
// product module reads it.
await processSingleton("test environment", prepare);

async function prepare(): Promise<void> {
  // `npm test` sets it to an empty string, which some clients refuse as a URL as soon as they are imported.
  if (!process.env.OPENAI_BASE_URL) {
    delete process.env.OPENAI_BASE_URL;
  }
  const upstream = await startFakeUpstream();
  Object.assign(process.env, {
    LOG_LEVEL: "silent",
    DATA_DIR: "memory:",
    APP_URL: "http://localhost:3000",
    NEXTAUTH_SECRET: "a-secret-for-tests-alone-0123456789",
    NEXTAUTH_URL: "http://localhost:3000",
    MODELS: JSON.stringify([
      { id: "footnote-extract-1" },
      {
        id: "scripted",
        upstream: { base_url: upstream.url },
        upstream_model: "upstream-model",
        retries: 1,
      },
      {
        id: "scripted-small",
        upstream: { base_url: upstream.url },
        context_length: 60,
        retries: 0,
      },
      { id: "scripted-slow", upstream: { base_url: upstream.url }, timeout_ms: 300, retries: 0 },
      { id: "scripted-refusing", upstream: REFUSING, retries: 1 },
      { id: "scripted-quoting", upstream: REFUSING, retries: 0, fallback: "footnote-extract-1" },
      {
        id: "scripted-replaced",
        upstream: { base_url: upstream.url },
        upstream_model: "first-model",
        timeout_ms: 300,
        retries: 0,
        fallback: "scripted",
      },
      { id: "vendor/with-fallback", upstream: REFUSING, retries: 0, fallback: "scripted" },
      {
        id: "scripted-priced",
        upstream: { base_url: upstream.url },
        upstream_model: "priced-model",
        retries: 0,
        rates: PRICED,
        fallback: "scripted-dear",
      },
      {
        id: "scripted-dear",
        upstream: { base_url: upstream.url },
        upstream_model: "dear-model",
        retries: 0,
        limit_field: "max_completion_tokens",
        rates: DEAR,
        image_tokens: 1000,
        file_tokens: 2000,
        allow_fields: ["service_tier", "best_of"],
      },
    ]),
  });
  if (process.env.TEST_DATABASE_URL) {
    process.env.DATABASE_URL = await createDatabase(process.env.TEST_DATABASE_URL);
  }
  const { migrate } = await import("@/lib/platform/db/migrate");
  await migrate();
  const { loadPublicSample } = await import("../../prisma/seed");
  await loadPublicSample(() => {});
}

async function createDatabase(server: string): Promise<string> {
  const name = `${process.env.FOOTNOTE_TEST_RUN}${process.pid}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE "${name}"`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
