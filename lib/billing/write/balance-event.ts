import "server-only";

import type { Action } from "@/lib/audit/schema";
import { recordEvent } from "@/lib/audit/write";
import type { Session } from "@/lib/db/client";
import { type Micros, microsToUsd } from "../money";

interface Source {
  accountId: string;
  /** What told of it, such as `stripe`. */
  provider: string;
  /** The checkout it is about; the account where it is about several. */
  targetId: string;
}

/** Records that a payment moved the account's balance, when it did; in the transaction that moved it. */
export async function recordBalanceEvent(
  tx: Session,
  { accountId, provider, targetId }: Source,
  { credited, debited }: { credited: Micros; debited: Micros },
): Promise<void> {
  const movements: [Action, Micros][] = [
    ["funds.added", credited],
    ["funds.refunded", debited],
    ["funds.restored", -debited],
  ];
  for (const [action, micros] of movements) {
    if (micros > 0n) {
      const actor = { kind: "system", job: provider } as const;
      await recordEvent(
        tx,
        { account: { id: accountId }, actor, requestId: null },
        { action, target: { id: targetId }, details: { amount_usd: microsToUsd(micros) } },
      );
    }
  }
}
