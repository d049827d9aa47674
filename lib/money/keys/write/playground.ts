import "server-only";

import { usdToMicros } from "@/lib/money/billing/money";
import { checkRate } from "@/lib/platform/auth/api-key";
import { INTERNAL_KEY, type KeyContext, type MemberContext } from "@/lib/platform/auth/context";
import { ALL_MODELS, type Scope } from "@/lib/platform/auth/schema";
import { query } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { addLogField } from "@/lib/platform/http/log-context";
import { PLAYGROUND_KNOWLEDGE, type PlaygroundPreset } from "../playground";
import { ensurePerson } from "./person";

const SCOPES: readonly Scope[] = ["chat:completions", "kb:search"];

/**
 * Playground requests run as a key, so that they are limited, charged and recorded like any other. The member's key is
 * created on first use, may call every model, has a budget and no secret. Throws rate_limit_exceeded.
 */
export async function playgroundContext(
  ctx: MemberContext,
  preset: PlaygroundPreset,
): Promise<KeyContext> {
  const id = `key_playground_${preset}_${ctx.actor.id}`;
  const knowledgeScopes = PLAYGROUND_KNOWLEDGE[preset];
  const personId = knowledgeScopes.includes("personal_kb")
    ? await ensurePerson(ctx, { kind: "member", reference: ctx.actor.id })
    : null;
  const budgetMicros = usdToMicros(env.PLAYGROUND_BUDGET_USD);
  // Concurrent first requests create one key. A changed setting applies from the next request.
  await query(
    "keys_ensure_playground",
    `INSERT INTO api_key (id, account_id, created_by_id, person_id, name, purpose, mode, prefix, last_four,
                          scopes, knowledge_scopes, models, monthly_budget_micros)
     VALUES ($1, $2, $3, $4, 'Console', 'playground', 'test', 'playground', '', $5, $6, '{}', $7)
     ON CONFLICT (id, account_id) DO UPDATE SET monthly_budget_micros = excluded.monthly_budget_micros
      WHERE api_key.monthly_budget_micros IS DISTINCT FROM excluded.monthly_budget_micros`,
    [id, ctx.account.id, ctx.actor.id, personId, SCOPES, knowledgeScopes, budgetMicros],
  );
  const actor: KeyContext["actor"] = {
    ...INTERNAL_KEY,
    id,
    scopes: SCOPES,
    knowledgeScopes,
    models: [ALL_MODELS],
    personId,
  };
  addLogField({ key_id: id });
  await checkRate({ ...ctx, actor });
  return { ...ctx, actor };
}

/** For an upload to `scope`. */
export function uploadContext(ctx: MemberContext, scope: string): Promise<KeyContext> {
  return playgroundContext(ctx, scope === "personal_kb" ? "personal" : "company");
}
