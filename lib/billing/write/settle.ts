import "server-only";

import pRetry from "p-retry";
import { BATCH_TIMEOUT_MS, Batcher } from "@/lib/db/batcher";
import { type Query, queryWithin } from "@/lib/db/client";
import { addLogField } from "@/lib/http/log-context";
import { newId } from "@/lib/id";
import { metrics } from "@/lib/metrics";
import { processSingleton } from "@/lib/singleton";
import { DATABASE, inSpan } from "@/lib/tracing";
import type { Micros } from "../money";
import type { UsageDetails } from "../schema";

/** The usage record of a request. Never a message's or a passage's text. */
export interface Usage {
  endpoint: string;
  model: string | null;
  kind: "core" | "grounded" | "search" | "ingest";
  promptTokens: number;
  completionTokens: number;
  /** Null when retrieval did not run. */
  passages: number | null;
  /** The rate this was billed at. */
  rate: unknown;
  status: number;
  warningCodes: string[];
  latencyMs: number;
  firstTokenMs: number | null;
  details?: UsageDetails;
}

interface Settlement {
  hold: string;
  /** Micro-dollars, as text: they may exceed the integers of JSON. */
  cost: string;
  entry: string;
  usage: Usage;
}

/** Settling is idempotent, so a settlement whose answer was lost is repeated. */
const RETRIES = { retries: 5, minTimeout: 50, maxRetryTime: 3000 };

/**
 * Part of a statement that moves money: it commits without waiting for the disk, and so releases the account's row
 * sooner. `waitForWalFlush` waits for the disk.
 */
export const ASYNC_COMMIT =
  "(SELECT set_config('synchronous_commit', 'off', true)) AS commit (mode)";

const settlements = processSingleton(
  "settlements",
  () => new Batcher<Settlement, Micros | null>(settleBatch),
);
const flushes = processSingleton("WAL flushes", () => new Batcher<null, null>(flush));

/**
 * Closes a hold with the cost of its request and records the usage, exactly once: a repeated call changes nothing and
 * returns the first charge; after the hold was swept, the charge comes from the free balance. Returns the micro-dollars
 * charged, once they are on disk. Retries while the database fails.
 */
export async function settle(
  hold: { id: string; accountId: string; costMicros: Micros },
  usage: Usage,
): Promise<Micros> {
  const cost = String(hold.costMicros);
  const settlement = { hold: hold.id, cost, entry: newId("ledgerEntry"), usage };
  const settleDurably = async () => {
    const charged = await settlements.run(hold.accountId, settlement);
    await waitForWalFlush();
    return charged;
  };
  const charged =
    (await inSpan("settlement", DATABASE, () => pRetry(settleDurably, RETRIES))) ?? 0n;
  addLogField({
    model: usage.model,
    kind: usage.kind,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cost_micros: Number(charged),
    passages: usage.passages,
    first_token_ms: usage.firstTokenMs,
    ...(usage.warningCodes.length > 0 && { warnings: usage.warningCodes }),
  });
  countSettled(usage, charged);
  return charged;
}

async function settleBatch(
  accountId: string,
  items: readonly Settlement[],
): Promise<(Micros | null)[]> {
  const rows = await queryWithin<{ charged: bigint | null }>(
    BATCH_TIMEOUT_MS,
    "billing_settle",
    `SELECT charged FROM ${ASYNC_COMMIT}, settle_holds($1, $2) AS charged`,
    [accountId, JSON.stringify(items)],
  );
  return rows.map(({ charged }) => charged);
}

/**
 * Resolves when everything this process committed before is on disk, and on its synchronous standbys: the log is
 * written in order, so one small synchronous commit covers all earlier ones.
 */
export async function waitForWalFlush(): Promise<void> {
  await flushes.run("flush", null);
}

async function flush(_key: string, items: readonly null[]): Promise<null[]> {
  await queryWithin(
    BATCH_TIMEOUT_MS,
    "billing_flush_wal",
    "SELECT pg_logical_emit_message(true, 'footnote', '')",
  );
  return [...items];
}

/** As `settle`, in the caller's transaction. */
export async function settleWithin(
  run: Query,
  hold: { id: string; costMicros: Micros },
  usage: Usage,
): Promise<Micros> {
  const [row] = await run<{ charged: bigint | null }>(
    "billing_settle_within",
    "SELECT settle_hold($1, $2, $3, $4) AS charged",
    [hold.id, hold.costMicros, newId("ledgerEntry"), JSON.stringify(usage)],
  );
  return row?.charged ?? 0n;
}

/** Adds a settlement to the metrics. A job calls only this, because it has no log line. */
export function countSettled(usage: Usage, charged: Micros): void {
  const recorded = metrics();
  if (!recorded) {
    return;
  }
  const attributes = {
    kind: usage.kind,
    ...(usage.model && { "gen_ai.request.model": usage.model }),
  };
  recorded.holds.add(1, { outcome: charged > 0n ? "charged" : "not_charged" });
  if (charged > 0n) {
    recorded.cost.add(Number(charged), attributes);
    recorded.tokens.add(usage.promptTokens, { ...attributes, "gen_ai.token.type": "input" });
    recorded.tokens.add(usage.completionTokens, { ...attributes, "gen_ai.token.type": "output" });
  }
  if (usage.firstTokenMs !== null) {
    recorded.firstToken.record(usage.firstTokenMs / 1000, attributes);
  }
}
