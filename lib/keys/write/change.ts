import "server-only";

import { isDeepStrictEqual } from "node:util";
import { recordEvent } from "@/lib/audit/write";
import type { MemberContext } from "@/lib/auth/context";
import { parseUsd } from "@/lib/billing/money";
import type { Session } from "@/lib/db/client";
import type { UpdateKey } from "../schema";

/** The columns of a key that may change, as the input has them. */
export function changeable(input: UpdateKey) {
  return {
    name: input.name,
    models: input.models ?? [],
    monthly_budget_micros: input.monthly_budget_usd ? parseUsd(input.monthly_budget_usd) : null,
    requests_per_minute: input.requests_per_minute ?? null,
    tokens_per_minute: input.tokens_per_minute ?? null,
  };
}

type Changeable = ReturnType<typeof changeable>;

/** Writes what changed of a key; an input that changes nothing writes nothing. False: the key is revoked. */
export async function changeKey(
  tx: Session,
  ctx: MemberContext,
  { id, input }: { id: string; input: UpdateKey },
): Promise<boolean> {
  const after = changeable(input);
  const [before] = await tx.query<Changeable>(
    "keys_lock",
    `SELECT name, models, monthly_budget_micros, requests_per_minute, tokens_per_minute FROM api_key
      WHERE id = $1 AND account_id = $2 AND purpose = 'api' AND revoked_at IS NULL FOR UPDATE`,
    [id, ctx.account.id],
  );
  if (!before) {
    return false;
  }
  const changed = (Object.keys(after) as (keyof Changeable)[]).filter(
    (column) => !isDeepStrictEqual(before[column], after[column]),
  );
  if (changed.length > 0) {
    await tx.query(
      "keys_change",
      `UPDATE api_key SET name = $2, models = $3, monthly_budget_micros = $4, requests_per_minute = $5,
                          tokens_per_minute = $6 WHERE id = $1 AND account_id = $7`,
      [id, ...Object.values(after), ctx.account.id],
    );
    const target = { id, name: input.name };
    await recordEvent(tx, ctx, { action: "key.changed", target, details: { changed } });
  }
  return true;
}
