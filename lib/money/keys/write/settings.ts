import "server-only";

import { isDeepStrictEqual } from "node:util";
import { invalidRequest } from "@/lib/errors";
import { listModels } from "@/lib/models/catalogue";
import { parseUsd } from "@/lib/money/billing/money";
import { recordEvent } from "@/lib/platform/audit/write";
import type { KeyManager } from "@/lib/platform/auth/context";
import { ALL_MODELS } from "@/lib/platform/auth/schema";
import type { Session } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import type { KeySettings, UpdateKey } from "../schema";

/** The columns that may change. */
export function changeable(input: KeySettings) {
  return {
    name: input.name,
    models: input.models ?? [],
    query_mode: input.query_mode ?? "last",
    monthly_budget_micros: input.monthly_budget_usd ? parseUsd(input.monthly_budget_usd) : null,
    requests_per_minute: input.requests_per_minute ?? null,
    tokens_per_minute: input.tokens_per_minute ?? null,
  };
}

type Changeable = ReturnType<typeof changeable>;

/** The columns to write: those of the settings that were given. */
function givenChanges(input: UpdateKey): Partial<Changeable> {
  const all = changeable({ name: "", ...input });
  const isGiven: Record<keyof Changeable, boolean> = {
    name: input.name !== undefined,
    models: input.models !== undefined,
    query_mode: input.query_mode !== undefined,
    monthly_budget_micros: input.monthly_budget_usd !== undefined,
    requests_per_minute: input.requests_per_minute !== undefined,
    tokens_per_minute: input.tokens_per_minute !== undefined,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([column]) => isGiven[column as keyof Changeable]),
  );
}

/** Writes only if something changed. Returns false if the key is revoked. */
export async function changeKey(
  tx: Session,
  ctx: KeyManager,
  { id, input }: { id: string; input: UpdateKey },
): Promise<boolean> {
  const [before] = await tx.query<Changeable>(
    "keys_lock",
    `SELECT name, models, query_mode, monthly_budget_micros, requests_per_minute, tokens_per_minute FROM api_key
      WHERE id = $1 AND account_id = $2 AND purpose = 'api' AND revoked_at IS NULL FOR UPDATE`,
    [id, ctx.account.id],
  );
  if (!before) {
    return false;
  }
  const after = { ...before, ...givenChanges(input) };
  const changed = (Object.keys(after) as (keyof Changeable)[]).filter(
    (column) => !isDeepStrictEqual(before[column], after[column]),
  );
  if (changed.length > 0) {
    await tx.query(
      "keys_change",
      `UPDATE api_key SET name = $2, models = $3, query_mode = $4, monthly_budget_micros = $5,
                          requests_per_minute = $6, tokens_per_minute = $7 WHERE id = $1 AND account_id = $8`,
      [id, ...Object.values(after), ctx.account.id],
    );
    const target = { id, name: after.name };
    await recordEvent(tx, ctx, { action: "key.changed", target, details: { changed } });
  }
  return true;
}

export function rejectUnknownModels({ models }: UpdateKey): void {
  const known = [ALL_MODELS, ...listModels().map((model) => model.id)];
  const unknown = (models ?? []).findIndex((model) => !known.includes(model));
  if (unknown >= 0) {
    throw invalidRequest(
      "There is no such model. Choose models from the list.",
      `models.${unknown}`,
    );
  }
}

/** A key's limits may be lower than the server's, never higher. */
export function rejectHighLimits(input: UpdateKey): void {
  const limits = [
    ["requests_per_minute", env.REQUESTS_PER_MINUTE],
    ["tokens_per_minute", env.TOKENS_PER_MINUTE],
  ] as const;
  for (const [name, limit] of limits) {
    if ((input[name] ?? 0) > limit) {
      throw invalidRequest(
        `Choose at most ${limit.toLocaleString("en-US")} per minute, or leave it empty.`,
        name,
      );
    }
  }
}
