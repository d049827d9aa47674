import "server-only";

import type { ErrorCode } from "@/lib/errors";
import { ASYNC_COMMIT, BATCH_TIMEOUT_MS, Batcher } from "@/lib/platform/db/batcher";
import { queryWithin } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";
import type { Micros } from "../money";

/** How long a hold outlives its process, which renews it while the request runs. */
export const REQUEST_LEASE_SECONDS = env.HOLD_LEASE_SECONDS;

export interface HoldRequest {
  id: string;
  keyId: string;
  amountMicros: Micros;
}

export type HoldRefusal = Extract<
  ErrorCode,
  "invalid_api_key" | "insufficient_balance" | "balance_reserved" | "key_budget_exceeded"
>;

interface HoldOutcome {
  outcome: "admitted" | HoldRefusal;
  balance: Micros | null;
  /** The most that a refused request could have reserved. */
  remaining: Micros | null;
}

interface Settlement {
  hold: string;
  /** Micro-dollars, as text: they may exceed the integers of JSON. */
  cost: string;
  entry: string;
  usage: object;
}

type Item = { hold: HoldRequest } | { settlement: Settlement };
type Outcome = HoldOutcome & { charged: Micros | null };

/** Holds and settlements both lock the account's row: in one statement, they don't wait for each other. */
const batches = processSingleton("holds and settlements", () => new Batcher<Item, Outcome>(run));

/** Checks a hold's key, balance and budget, and places it. */
export function requestHold(accountId: string, hold: HoldRequest): Promise<HoldOutcome> {
  return batches.run(accountId, { hold });
}

/** Commits a settlement, without waiting for the disk. Returns the charge; null if the hold doesn't exist anymore. */
export async function commitSettlement(
  accountId: string,
  settlement: Settlement,
): Promise<Micros | null> {
  const { charged } = await batches.run(accountId, { settlement });
  return charged;
}

const SETTLED =
  "SELECT charged, NULL::text AS outcome, NULL::bigint AS balance, NULL::bigint AS remaining";
const HELD = "SELECT NULL::bigint AS charged, outcome, balance, remaining";

/** Settlements come first, so that holds can use what they free. */
async function run(accountId: string, items: readonly Item[]): Promise<Outcome[]> {
  const settlements = items.flatMap((item) => ("settlement" in item ? [item.settlement] : []));
  const holds = items.flatMap((item) => ("hold" in item ? [item.hold] : []));
  const rows = await runBoth(accountId, settlements, holds);
  const outcomes = { settlement: rows.values(), hold: rows.slice(settlements.length).values() };
  return items.flatMap(
    (item) => outcomes["settlement" in item ? "settlement" : "hold"].next().value ?? [],
  );
}

function runBoth(
  accountId: string,
  settlements: readonly Settlement[],
  holds: readonly HoldRequest[],
): Promise<(Outcome & Record<string, unknown>)[]> {
  const settled = JSON.stringify(settlements);
  const held = [
    holds.map(({ id }) => id),
    holds.map(({ keyId }) => keyId),
    holds.map(({ amountMicros }) => amountMicros),
    holds.map(() => REQUEST_LEASE_SECONDS),
  ];
  if (holds.length === 0) {
    const text = `${SETTLED} FROM ${ASYNC_COMMIT}, settle_holds($1, $2) AS charged`;
    return queryWithin(BATCH_TIMEOUT_MS, "billing_settle", text, [accountId, settled]);
  }
  if (settlements.length === 0) {
    const text = `${HELD} FROM ${ASYNC_COMMIT}, place_holds($1, $2, $3, $4, $5)`;
    return queryWithin(BATCH_TIMEOUT_MS, "billing_place_holds", text, [accountId, ...held]);
  }
  const text = `${SETTLED} FROM ${ASYNC_COMMIT}, settle_holds($1, $2) AS charged
    UNION ALL ${HELD} FROM place_holds($1, $3, $4, $5, $6)`;
  return queryWithin(BATCH_TIMEOUT_MS, "billing_settle_and_place_holds", text, [
    accountId,
    settled,
    ...held,
  ]);
}
