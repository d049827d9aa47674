import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterEach, expect, it } from "vitest";
import { openReplica, type Replica } from "./replica";

const LIMITS = { maxStalenessMs: 200, checkIntervalMs: 10 };
const { signal } = new AbortController();
let opened: Replica;

afterEach(() => opened.close());

/** A pool whose statements are answered by `answer`; checks ask for the position replayed. */
function open(state: { primary: bigint; replayed: bigint | null; error?: Error }): Replica {
  const query = async ({ text }: { text: string }) => {
    if (state.error) {
      throw state.error;
    }
    return { rows: [text.includes("replay") ? { position: state.replayed } : { found: true }] };
  };
  const client = { query, on: () => {}, off: () => {}, release: () => {} };
  const pool = { query, connect: async () => client, end: async () => {} };
  opened = openReplica(pool as unknown as pg.Pool, async () => state.primary, LIMITS);
  return opened;
}

const find = () => opened.query(signal, "find", "SELECT true AS found");

async function findAfterChecks(ms = 60) {
  await find();
  await sleep(ms);
  return find();
}

it("answers once it has replayed what the primary had written", async () => {
  open({ primary: 7n, replayed: 7n });
  expect(await find()).toBeNull();
  expect(await findAfterChecks()).toEqual([{ found: true }]);
});

it("doesn't answer before it reached the primary's position", async () => {
  const state = { primary: 7n, replayed: 6n };
  open(state);
  expect(await findAfterChecks()).toBeNull();
  state.replayed = 7n;
  expect(await findAfterChecks()).toEqual([{ found: true }]);
});

it("answers while it is a little behind a busy primary", async () => {
  const state = { primary: 7n, replayed: 7n };
  open(state);
  await findAfterChecks();
  state.primary = 9n;
  state.replayed = 8n;
  expect(await find()).toEqual([{ found: true }]);
});

it("doesn't answer when it stays behind for too long", async () => {
  const state = { primary: 7n, replayed: 7n };
  open(state);
  expect(await findAfterChecks()).not.toBeNull();
  state.primary = 9n;
  expect(await findAfterChecks(400)).toBeNull();
});

it("doesn't answer once it was promoted", async () => {
  const state: { primary: bigint; replayed: bigint | null } = { primary: 7n, replayed: 7n };
  open(state);
  expect(await findAfterChecks()).not.toBeNull();
  state.replayed = null;
  expect(await findAfterChecks()).toBeNull();
});

it("leaves a failed statement to the primary, and answers again when it is back", async () => {
  const state: { primary: bigint; replayed: bigint; error?: Error } = { primary: 7n, replayed: 7n };
  open(state);
  expect(await findAfterChecks()).not.toBeNull();
  state.error = new Error("canceling statement due to conflict with recovery");
  expect(await find()).toBeNull();
  delete state.error;
  expect(await findAfterChecks()).toEqual([{ found: true }]);
});

it("throws the signal's reason instead of asking the primary", async () => {
  open({ primary: 7n, replayed: 7n });
  await findAfterChecks();
  const aborted = AbortSignal.abort(new Error("the client left"));
  await expect(opened.query(aborted, "find", "SELECT 1")).rejects.toThrow("the client left");
});
