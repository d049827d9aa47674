import "server-only";

import type { Attributes } from "@opentelemetry/api";
import pRetry from "p-retry";
import { newId } from "@/lib/id";
import { BATCH_TIMEOUT_MS, Batcher } from "@/lib/platform/db/batcher";
import { type Query, queryWithin, type Session, transaction } from "@/lib/platform/db/client";
import { asSystem } from "@/lib/platform/db/tenant-context";
import { addLogField } from "@/lib/platform/http/log-context";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics";
import { DATABASE, inSpan } from "@/lib/platform/tracing";
import { processSingleton } from "@/lib/singleton";
import type { Micros } from "../money";
import type { UsageDetails } from "../schema";
import { commitSettlement } from "./account-batch";
import { type Hold, restoreHold } from "./hold";

/** The usage record of a request. Never a message's or a passage's text. */
export interface Usage {
  endpoint: string;
  model: string | null;
  kind: "core" | "grounded" | "search" | "verification" | "embedding" | "ingest";
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
  /** What upstreams bill and the caller doesn't pay, in micro-dollars; as text, like amounts of settlements. */
  unbilledMicros?: string;
  details?: UsageDetails;
}

type SettledHold = Hold & { costMicros: Micros };

/**
 * Settling is idempotent, so a settlement whose answer was lost is repeated, at least once: a failure that was in fact
 * committed would be charged for.
 */
const RETRIES = { retries: 5, minTimeout: 50, maxRetryTime: 1.5 * BATCH_TIMEOUT_MS };
/** Two minutes in all. */
const CONFIRM_RETRIES = { retries: 8, minTimeout: 1000, maxTimeout: 30_000, unref: true };

const flushes = processSingleton("WAL flushes", () => new Batcher<null, null>(flush));

/**
 * Closes a hold with the cost of its request and records the usage, exactly once: a repeated call changes nothing and
 * returns the first charge; after the hold was swept, the charge comes from the free balance. Returns the micro-dollars
 * charged, once they are on disk. Retries while the database fails. What was committed is never reported as a failure:
 * the caller would repeat the request and pay twice.
 */
export async function settle(hold: SettledHold, usage: Usage): Promise<Micros> {
  const cost = String(hold.costMicros);
  const settlement = { hold: hold.id, cost, entry: newId("ledgerEntry"), usage };
  const commit = async () => {
    const run = () => commitSettlement(hold.accountId, settlement);
    return (await run()) ?? ((await restoreHold(hold)) ? run() : null);
  };
  const charged = await inSpan("settlement", DATABASE, async () => {
    const committed = await pRetry(commit, RETRIES);
    await waitForWalFlush().catch((cause: unknown) => {
      log.warn({ err: cause, request_id: hold.id }, "settlement committed but not yet on disk");
      void confirm(hold.id, commit);
    });
    return committed;
  });
  report(hold, usage, charged);
  return charged ?? 0n;
}

/** Repeats a settlement until it is on disk: a server that crashed before may have lost it. */
function confirm(requestId: string, commit: () => Promise<unknown>): Promise<void> {
  const attempt = () => commit().then(waitForWalFlush);
  return pRetry(attempt, CONFIRM_RETRIES).catch((cause: unknown) =>
    log.error({ err: cause, request_id: requestId }, "settlement not confirmed on disk"),
  );
}

/**
 * As `settle`, with `work` in the same transaction: both happen or neither. Slower, because the account is locked until
 * the disk has it. `work` may run again after a commit whose answer was lost.
 */
export async function settleWith(
  hold: SettledHold,
  usage: Usage,
  work: (tx: Session) => Promise<void>,
): Promise<Micros> {
  const commit = () =>
    asSystem(() =>
      transaction(async (tx) => {
        await work(tx);
        return settleWithin(tx.query, hold, usage);
      }),
    );
  const charged = await inSpan("settlement", DATABASE, () => pRetry(commit, RETRIES));
  report(hold, usage, charged);
  return charged;
}

/** `charged` is null for a hold that doesn't exist anymore. */
function report(hold: SettledHold, usage: Usage, charged: Micros | null): void {
  addLogField({
    model: usage.model,
    kind: usage.kind,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cost_micros: Number(charged ?? 0n),
    passages: usage.passages,
    first_token_ms: usage.firstTokenMs,
    ...(usage.warningCodes.length > 0 && { warnings: usage.warningCodes }),
  });
  countSettled(usage, charged ?? 0n);
  const uncovered = charged === null ? 0n : hold.costMicros - charged;
  if (uncovered > 0n) {
    metrics()?.shortfall.add(Number(uncovered), labelsOf(usage));
  }
  const shortfall = uncovered + unbilledOf(usage);
  if (shortfall > 0n) {
    log.warn(
      { request_id: hold.id, model: usage.model, shortfall_micros: Number(shortfall) },
      "an upstream bills more than the request was charged",
    );
  }
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
  const attributes = labelsOf(usage);
  recorded.holds.add(1, { outcome: charged > 0n ? "charged" : "not_charged" });
  if (charged > 0n) {
    recorded.cost.add(Number(charged), attributes);
    recorded.tokens.add(usage.promptTokens, { ...attributes, "gen_ai.token.type": "input" });
    recorded.tokens.add(usage.completionTokens, { ...attributes, "gen_ai.token.type": "output" });
  }
  const unbilled = unbilledOf(usage);
  if (unbilled > 0n) {
    recorded.shortfall.add(Number(unbilled), attributes);
  }
  if (usage.firstTokenMs !== null) {
    recorded.firstToken.record(usage.firstTokenMs / 1000, attributes);
  }
}

function unbilledOf({ unbilledMicros = "0" }: Usage): Micros {
  return BigInt(unbilledMicros);
}

function labelsOf({ kind, model }: Usage): Attributes {
  return { kind, ...(model && { "gen_ai.request.model": model }) };
}
