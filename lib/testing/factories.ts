import { newId } from "@/lib/id";
import { usdToMicros } from "@/lib/money/billing/money";
import { credit } from "@/lib/money/billing/write/credit";
import type { Usage } from "@/lib/money/billing/write/settle";
import type { CreateKey } from "@/lib/money/keys/schema";
import { createKey } from "@/lib/money/keys/write/keys";
import type { KeyActor, KeyContext, MemberContext } from "@/lib/platform/auth/context";
import { SCOPES } from "@/lib/platform/auth/schema";
import { signUp } from "@/lib/platform/auth/write/sign-up";
import { db } from "@/lib/platform/db/client";

/** An account with its owner and a 5 dollar grant. */
export async function makeAccount(): Promise<{ id: string; ctx: MemberContext; email: string }> {
  const email = `${newId("member")}@example.org`;
  const member = await signUp({ email, password: "correct horse battery" });
  await credit(member.accountId, {
    kind: "grant",
    amountMicros: usdToMicros(5),
    reference: `grant:test:${member.accountId}`,
    description: "Starting balance",
  });
  return {
    id: member.accountId,
    email,
    ctx: {
      account: { id: member.accountId },
      actor: { kind: "member", id: member.id, email, name: null },
      requestId: newId("request"),
      signal: new AbortController().signal,
    },
  };
}

/** A key with all scopes, public and customer knowledge, and all test models by default. */
export async function makeKey(
  ctx: MemberContext,
  overrides: Partial<CreateKey> = {},
): Promise<{ id: string; secret: string }> {
  const created = await createKey(ctx, {
    name: "test",
    mode: "test",
    scopes: [...SCOPES],
    knowledge_scopes: ["public_kb", "customer_kb"],
    models: [
      "footnote-extract-1",
      "scripted",
      "scripted-small",
      "scripted-slow",
      "vendor/with-fallback",
    ],
    ...overrides,
  });
  return { id: created.key.id, secret: created.secret };
}

/** A new account with a key. */
export async function makeKeyedAccount(overrides: Partial<CreateKey> = {}) {
  const account = await makeAccount();
  const key = await makeKey(account.ctx, overrides);
  return { ...account, key: key.secret, keyId: key.id };
}

/** The key's context, as the gate would create it, for a new request each time. */
export function keyContext(ctx: MemberContext, actor: Partial<KeyActor>): KeyContext {
  return {
    ...ctx,
    requestId: newId("request"),
    actor: {
      kind: "key",
      id: "key_x",
      mode: "test",
      scopes: [],
      knowledgeScopes: [],
      stores: null,
      models: [],
      personId: null,
      queryMode: "last",
      requestsPerMinute: null,
      tokensPerMinute: null,
      ...actor,
    },
  };
}

/** Sets an account's balance with an adjustment, so that it still equals the ledger. */
export async function setBalance(accountId: string, usd: number): Promise<void> {
  const { balanceMicros } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  await credit(accountId, {
    kind: "adjustment",
    amountMicros: usdToMicros(usd) - balanceMicros,
    reference: newId("ledgerEntry"),
  });
}

/** An account's balance and holds, and the sums they must equal. */
export async function readMoney(accountId: string) {
  const account = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  const entries = await db().ledgerEntry.aggregate({
    where: { accountId },
    _sum: { amountMicros: true },
  });
  const open = await db().hold.aggregate({
    where: { accountId, status: "open" },
    _sum: { amountMicros: true },
  });
  return {
    balance: account.balanceMicros,
    held: account.heldMicros,
    ledgerSum: entries._sum.amountMicros ?? 0n,
    openHolds: open._sum.amountMicros ?? 0n,
  };
}

/** Default fields of a usage record. */
export function anyUsage(): Usage {
  return {
    endpoint: "/v1/test",
    model: null,
    kind: "core",
    promptTokens: 1,
    completionTokens: 1,
    passages: null,
    rate: {},
    status: 200,
    warningCodes: [],
    latencyMs: 1,
    firstTokenMs: null,
  };
}

/** An account's latest usage record. */
export function lastUsage(accountId: string) {
  return db().usageRecord.findFirstOrThrow({ where: { accountId }, orderBy: { id: "desc" } });
}
