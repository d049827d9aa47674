import "server-only";

import type { Context } from "@/lib/auth/context";
import { db, query } from "@/lib/db/client";
import { microsToUsd } from "../money";
import type { Credits } from "../schema";

/** The account's balance, what of it is held, and what is left for new requests. */
export async function getCredits(ctx: Context): Promise<Credits> {
  const account = await db().account.findFirstOrThrow({
    where: { id: ctx.account.id },
    select: { balanceMicros: true, heldMicros: true, updatedAt: true },
  });
  return {
    object: "billing.credits",
    currency: "usd",
    balance_usd: microsToUsd(account.balanceMicros),
    held_usd: microsToUsd(account.heldMicros),
    available_usd: microsToUsd(account.balanceMicros - account.heldMicros),
    updated_at: account.updatedAt.toISOString(),
  };
}

/** Open holds of all accounts. */
export async function countOpenHolds(): Promise<number> {
  const [row] = await query<{ count: number }>(
    "billing_count_open_holds",
    "SELECT count(*)::int AS count FROM hold WHERE status = 'open'",
  );
  return row?.count ?? 0;
}
