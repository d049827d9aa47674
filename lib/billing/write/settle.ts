import "server-only";

import pRetry from "p-retry";
import { BATCH_TIMEOUT_MS, Batcher } from "@/lib/db/batcher";
import { type Query, queryWithin } from "@/lib/db/client";
import { newId } from "@/lib/id";
import { processSingleton } from "@/lib/singleton";
import { DATABASE, inSpan } from "@/lib/tracing";
import type { Micros } from "../money";
import type { UsageDetails } from "../schema";
import { ASYNC_COMMIT, waitForWalFlush } from "./async-commit";
import type { Hold } from "./place-hold";
import { recordSettlementMetrics } from "./settlement-metrics";

/** What a usage record keeps of a request. Never a message's or a passage's text. */
export interface Usage {
  endpoint: string;
  model: string | null;
  kind: "core" | "grounded" | "search" | "ingest";
  promptTokens: number;
  completionTokens: number;
  /** Null when retrieval did not run. */
  passages: number | null;
  /** The rate this was billed at, as it stood then. */
  rate: unknown;
  status: number;
  warningCodes: string[];
  latencyMs: number;
  firstTokenMs: number | null;
  details?: UsageDetails;
}

interface Settlement {
  hold: string;
  /** Micro-dollars, as text: JSON's numbers end before money does. */
  cost: string;
  entry: string;
  usage: Usage;
}

/** A settlement counts once however often it runs, and one whose answer was lost tells what it charged. */
const TRIES = { retries: 5, minTimeout: 50, maxRetryTime: 3000 };

const settlements = processSingleton(
  "settlements",
  () => new Batcher<Settlement, Micros | null>(settleTogether),
);

/**
 * Closes a hold with what the request cost and records its usage, once: a repeated call changes nothing and
 * tells what the first one charged; one after the hold was swept is charged from the free balance. Returns the
 * micro-dollars charged, once they are on disk. Tried again when the database fails for a moment. Requests of one
 * account that end while such a statement is in flight share the next one.
 */
export async function settle(
  hold: Pick<Hold, "id" | "accountId"> & { costMicros: Micros },
  usage: Usage,
): Promise<Micros> {
  const settlement = {
    hold: hold.id,
    cost: String(hold.costMicros),
    entry: newId("ledgerEntry"),
    usage,
  };
  const settleDurably = async () => {
    const charged = await settlements.run(hold.accountId, settlement);
    await waitForWalFlush();
    return charged;
  };
  const settled = await inSpan("settlement", DATABASE, () => pRetry(settleDurably, TRIES));
  const charged = settled ?? 0n;
  recordSettlementMetrics(usage, charged);
  return charged;
}

async function settleTogether(
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

/** As `settle`, as part of the caller's transaction. */
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
