import "server-only";

import type { MemberContext } from "@/lib/auth/context";
import { displayOf, hashSecret, mintSecret } from "@/lib/auth/secret";
import { parseUsd } from "@/lib/billing/money";
import { db } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { listModels } from "@/lib/models/catalogue";
import { getKey } from "./read";
import type { CreatedKey, CreateKey, Key } from "./schema";

/** Makes a key. The answer holds its secret, which is stored nowhere and never shown again. */
export async function createKey(ctx: MemberContext, input: CreateKey): Promise<CreatedKey> {
  const models = input.models ?? [];
  const known = listModels().map((model) => model.id);
  const unknown = models.findIndex((model) => !known.includes(model));
  if (unknown >= 0) {
    throw new AppError("invalid_request", "There is no such model. Choose models from the list.", {
      param: `models.${unknown}`,
    });
  }
  const secret = mintSecret(input.mode);
  const id = newId("key");
  await db().apiKey.create({
    data: {
      id,
      accountId: ctx.account.id,
      createdById: ctx.actor.id,
      personId: await personFor(ctx, input),
      name: input.name,
      mode: input.mode,
      hash: hashSecret(secret),
      ...displayOf(secret),
      scopes: input.scopes,
      knowledgeScopes: input.knowledge_scopes ?? [],
      models,
      expiresAt: input.expires_at ? new Date(input.expires_at) : null,
      monthlyBudgetMicros: input.monthly_budget_usd ? parseUsd(input.monthly_budget_usd) : null,
    },
    select: { id: true },
  });
  return { key: await getKey(ctx, id), secret };
}

/** Ends a key at once and for good; ending it twice changes nothing. Throws not_found. */
export async function revokeKey(ctx: MemberContext, id: string): Promise<Key> {
  await db().apiKey.updateMany({
    where: { id, accountId: ctx.account.id, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  return getKey(ctx, id);
}

/** The one person a key with personal_kb is bound to: the caller's own reference, or the member. */
async function personFor(ctx: MemberContext, input: CreateKey): Promise<string | null> {
  if (!input.knowledge_scopes?.includes("personal_kb")) {
    return null;
  }
  const identity = {
    accountId: ctx.account.id,
    kind: input.person ? "external" : "member",
    reference: input.person ?? ctx.actor.id,
  };
  const person = await db().person.upsert({
    where: { accountId_kind_reference: identity },
    create: { id: newId("person"), ...identity },
    update: {},
    select: { id: true },
  });
  return person.id;
}
