import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { script } from "../clients/scenario";
import { type RunningServer, startServer } from "../product";
import {
  ask,
  chat,
  expectMoneyAddsUp,
  handbook,
  LEASE_SECONDS,
  type Outcome,
  prepare,
  readCredits,
  readDemo,
  until,
  upload,
} from "./product";
import { startProxy } from "./proxy";

const CLIENTS = 16;
const POOL = 5;
const STATEMENT_MS = 6000;
const PAUSE_MS = 13_000;
/** Covers connection and statement timeouts and two tries to settle, but not a wait for the database to return. */
const FAST_MS = PAUSE_MS - 500;
const OUTAGE_MS = 3000;
/** Recovery time after the database returns, on the same machine. */
const RECOVERY_MS = 15_000;
const SWEEP_MS = 20_000;

// The product connects through the test's proxy, which simulates pauses and restarts of the server in
// TEST_DATABASE_URL. Backends are terminated on the server itself.
it.runIf(process.env.TEST_DATABASE_URL)(
  "fails fast with retry-after while the database is down, and recovers soon after",
  { timeout: 300_000 },
  async () => {
    const world = await start();
    const { proxy, admin, chatLoad } = world;

    await chatLoad("paused", async () => {
      proxy.pause();
      await sleep(PAUSE_MS);
      proxy.resume();
    });
    await chatLoad("restarted", async () => {
      proxy.cut();
      await sleep(OUTAGE_MS);
      proxy.restore();
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    });
    await chatLoad("its pool exhausted", async () => {
      await admin.query("BEGIN; LOCK TABLE document IN ACCESS EXCLUSIVE MODE");
      const stuck = await Promise.all(
        Array.from({ length: 2 * POOL }, () => world.get("/v1/kb/documents")),
      );
      expectFast("documents under a lock", stuck);
      expect(stuck.every(({ status }) => status === 503)).toBe(true);
      await admin.query("ROLLBACK");
    });

    // A stuck statement only affects its own request.
    await admin.query("BEGIN");
    await admin.query("SELECT id FROM document WHERE id = $1 FOR UPDATE", [world.documentId]);
    const stuck = world.get(`/v1/kb/documents/${world.documentId}`, "DELETE");
    const beside = await Promise.all(Array.from({ length: CLIENTS }, () => world.complete()));
    expect(beside.map(({ status }) => status)).toEqual(beside.map(() => 200));
    expectFast("a stuck statement", [await stuck]);
    expect((await stuck).status).toBe(503);
    await admin.query("ROLLBACK");
    expect((await world.get(`/v1/kb/documents/${world.documentId}`, "DELETE")).status).toBe(200);

    await world.expectNothingHeld();
    await world.server.stop();
    expectMoneyAddsUp(world.options);
  },
);

async function start() {
  const options = await prepare("database", {
    DATABASE_POOL_SIZE: String(POOL),
    DATABASE_TIMEOUT_MS: String(STATEMENT_MS),
  });
  const proxy = await startProxy(new URL(options.databaseUrl));
  onTestFinished(proxy.close);
  const server = await startServer({ ...options, databaseUrl: proxy.url });
  onTestFinished(server.stop);
  const admin = new pg.Client(options.databaseUrl);
  await admin.connect();
  onTestFinished(() => admin.end());
  const { test_key: key } = await readDemo(options);
  const job = await upload(server, key, handbook(1, 2));
  const document = await until("a document", 60_000, async () => {
    const { body } = await ask(`${server.url}/v1/kb/jobs/${job}?wait=5`, key);
    const { status, document_id } = JSON.parse(body);
    return status === "completed" && document_id;
  });
  return {
    ...{ options, proxy, server, admin, documentId: String(document) },
    complete: () => complete(server, key),
    get: (path: string, method = "GET") => ask(server.url + path, key, undefined, method),
    chatLoad: (what: string, fault: () => Promise<void>) =>
      underLoad(what, () => complete(server, key), fault),
    expectNothingHeld: () =>
      until("all holds closed", LEASE_SECONDS * 1000 + SWEEP_MS, async () => {
        return (await readCredits(server, key)).held_usd === "0.000000";
      }),
  };
}

function complete({ url }: RunningServer, key: string): Promise<Outcome> {
  return ask(`${url}/v1/chat/completions`, key, chat(script({ text: "one two" })));
}

/** Clients that send requests continuously before, during and after a fault. */
async function underLoad(
  what: string,
  request: () => Promise<Outcome>,
  fault: () => Promise<void>,
): Promise<void> {
  const outcomes: Outcome[] = [];
  let isOver = false;
  let inARow = 0;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const outcome = await request();
      outcomes.push(outcome);
      inARow = outcome.status === 200 ? inARow + 1 : 0;
      // Retry, but sooner than `retry-after`.
      await sleep(outcome.status === 200 ? 0 : 100);
    }
  });
  await until(`answers before it is ${what}`, RECOVERY_MS, () => inARow > CLIENTS);
  await fault();
  inARow = 0;
  await until(
    `only successful answers after it was ${what}`,
    RECOVERY_MS,
    () => inARow > 5 * CLIENTS,
  );
  isOver = true;
  await Promise.all(clients);
  expectFast(what, outcomes);
  expect([what, outcomes.some(({ status }) => status === 503)]).toEqual([what, true]);
}

/** Every response arrived in time and is a success or the expected error with `retry-after`. */
function expectFast(what: string, outcomes: readonly Outcome[]): void {
  const wrong = outcomes.filter(({ status, code, retryAfter, ms }) => {
    const isExpectedError =
      status === 503 && code === "service_unavailable" && Number(retryAfter) > 0;
    return ms > FAST_MS || (status !== 200 && !isExpectedError);
  });
  expect({ what, wrong }).toEqual({ what, wrong: [] });
}
