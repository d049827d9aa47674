import "server-only";

import type { Context } from "@/lib/auth/context";
import { db } from "@/lib/db/client";
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
