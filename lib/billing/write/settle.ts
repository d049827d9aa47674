import "server-only";

import { type Query, query } from "@/lib/db";
import { newId } from "@/lib/id";
import type { Micros } from "../money";

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
}

/**
 * Closes a hold with what the request cost and records its usage, once: a repeated call changes
 * nothing, and one after the hold was swept is charged from the free balance. Returns the micro-dollars charged. `run` is the query of a
 * transaction that the charge is to be part of.
 */
export async function settle(
  hold: { id: string; costMicros: Micros },
  usage: Usage,
  run: Query = query,
): Promise<Micros> {
  const [row] = await run<{ charged: bigint | null }>(
    "billing_settle",
    "SELECT settle_request($1, $2, $3, $4) AS charged",
    [hold.id, hold.costMicros, newId("ledgerEntry"), JSON.stringify(usage)],
  );
  return row?.charged ?? 0n;
}
