import "server-only";

import { AppError, insufficientScope } from "@/lib/errors";
import { modelIdsFor } from "@/lib/models/catalogue";
import { formatMicros, parseUsd } from "@/lib/money/billing/money";
import type { KeyActor, KeyContext } from "@/lib/platform/auth/context";
import { ALL_MODELS } from "@/lib/platform/auth/schema";
import type { Session } from "@/lib/platform/db/client";
import type { CreateKey, UpdateKey } from "../schema";

/**
 * The settings of a key that another key creates or changes: null means the creator's own. Throws insufficient_scope for
 * anything wider than the creator. Budget and expiry are checked by `requireRemaining`.
 */
export function narrow<Input extends UpdateKey & Partial<CreateKey>>(
  creator: KeyActor,
  input: Input,
): Input {
  const models = creator.models.includes(ALL_MODELS)
    ? [ALL_MODELS, ...modelIdsFor(creator.models)]
    : modelIdsFor(creator.models);
  const scopes = creator.scopes.filter((scope) => scope !== "keys:write");
  rejectWider("scopes", input.scopes, scopes);
  rejectWider("knowledge_scopes", input.knowledge_scopes, creator.knowledgeScopes);
  rejectWider("models", input.models, models);
  rejectMore("requests_per_minute", input, creator.requestsPerMinute);
  rejectMore("tokens_per_minute", input, creator.tokensPerMinute);
  return {
    ...input,
    ...(input.models === null && { models: [...creator.models] }),
    ...(input.requests_per_minute === null && { requests_per_minute: creator.requestsPerMinute }),
    ...(input.tokens_per_minute === null && { tokens_per_minute: creator.tokensPerMinute }),
  };
}

/** What a new key leaves out is as its creator has it; a budget has no such default. */
export function narrowNew(creator: KeyActor, input: CreateKey) {
  const { models = null, requests_per_minute = null, tokens_per_minute = null } = input;
  const { stores, monthly_budget_usd = null } = input;
  return narrow(creator, {
    ...input,
    ...{ models, requests_per_minute, tokens_per_minute, monthly_budget_usd },
    stores: stores ?? (creator.stores && [...creator.stores]),
  });
}

const KINDS = { scopes: "scope", knowledge_scopes: "knowledge scope", models: "model" };

function rejectWider(
  name: keyof typeof KINDS,
  given: readonly string[] | null | undefined,
  allowed: readonly string[],
): void {
  const wider = given?.findIndex((value) => !allowed.includes(value)) ?? -1;
  if (wider >= 0) {
    throw insufficientScope(
      `This key can't give a key the ${KINDS[name]} '${given?.[wider]}'. Leave it out, or create the key in the console.`,
      `${name}.${wider}`,
    );
  }
}

function rejectMore(
  name: "requests_per_minute" | "tokens_per_minute",
  input: UpdateKey,
  own: number | null,
): void {
  if (own !== null && (input[name] ?? 0) > own) {
    throw insufficientScope(
      `This key's own limit is ${own} ${name.replaceAll("_", " ")}. Choose at most that.`,
      name,
    );
  }
}

interface Remaining {
  /** The key that changes; absent for a new one. */
  id?: string;
  expires_at?: string | null | undefined;
  /** Undefined if it doesn't change. */
  monthly_budget_usd?: string | null | undefined;
}

/**
 * Locks the creator's row, so that keys created or changed at once can't exceed its budget together, and so that it can't
 * be revoked meanwhile. Returns when the creator expires. Throws insufficient_scope, or invalid_api_key if it was revoked.
 */
export async function requireRemaining(
  tx: Session,
  ctx: KeyContext,
  { id = "", expires_at, monthly_budget_usd }: Remaining,
): Promise<Date | null> {
  const [creator] = await tx.query<{ expiresAt: Date | null; budget: bigint | null }>(
    "keys_lock_creator",
    `SELECT expires_at AS "expiresAt", monthly_budget_micros AS budget FROM api_key
      WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL FOR NO KEY UPDATE`,
    [ctx.actor.id, ctx.account.id],
  );
  if (!creator) {
    throw new AppError("invalid_api_key", "The API key was revoked. Use another one.");
  }
  const { expiresAt, budget } = creator;
  if (expiresAt && expires_at && Date.parse(expires_at) > expiresAt.getTime()) {
    throw insufficientScope(
      `This key expires at ${expiresAt.toISOString()}. Choose a time before that, or leave it out.`,
      "expires_at",
    );
  }
  if (budget !== null && monthly_budget_usd !== undefined) {
    const remaining = budget - (await readAllocated(tx, ctx, id));
    if (monthly_budget_usd === null || parseUsd(monthly_budget_usd) > remaining) {
      throw insufficientScope(
        `${formatMicros(remaining > 0n ? remaining : 0n)} of this key's monthly budget is left for keys that it creates. Choose at most that.`,
        "monthly_budget_usd",
      );
    }
  }
  return expiresAt;
}

/**
 * Micro-dollars of the creator's budget that are spent this month, or given to the keys it created, except the one that
 * changes. A key that ended counts with what it spent.
 */
async function readAllocated(
  tx: Session,
  { account, actor }: KeyContext,
  changing: string,
): Promise<bigint> {
  const [row] = await tx.query<{ allocated: bigint }>(
    "keys_read_allocated",
    `SELECT coalesce(sum(greatest(s.spent_micros + s.held_micros,
                       CASE WHEN k.id <> $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
                            THEN k.monthly_budget_micros END)), 0)::bigint AS allocated
       FROM api_key k
       LEFT JOIN key_spend s ON s.key_id = k.id AND s.account_id = k.account_id
                            AND s.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date
      WHERE k.account_id = $2 AND (k.id = $1 OR k.created_by_key_id = $1) AND k.id <> $3`,
    [actor.id, account.id, changing],
  );
  return row?.allocated ?? 0n;
}
