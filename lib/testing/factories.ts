import type { KeyActor, KeyContext, MemberContext } from "@/lib/auth/context";
import { SCOPES } from "@/lib/auth/schema";
import { signUp } from "@/lib/auth/write/sign-up";
import { usdToMicros } from "@/lib/billing/money";
import { credit } from "@/lib/billing/write/credit";
import type { Usage } from "@/lib/billing/write/settle";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/id";
import type { CreateKey } from "@/lib/keys/schema";
import { createKey } from "@/lib/keys/write/keys";

/** An account with its owner, who starts with 5 dollars. */
export async function makeAccount(): Promise<{ id: string; ctx: MemberContext; email: string }> {
  const email = `${newId("member")}@example.org`;
  const member = await signUp({ email, password: "correct horse battery" });
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

/** A key of an account; every scope, public and customer knowledge, all test models, unless told otherwise. */
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

/** A new account and a key of it. */
export async function makeKeyedAccount(overrides: Partial<CreateKey> = {}) {
  const account = await makeAccount();
  const key = await makeKey(account.ctx, overrides);
  return { ...account, key: key.secret, keyId: key.id };
}

/** The context of a key, as the gate would mint it; a new request each time. */
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
      models: [],
      personId: null,
      requestsPerMinute: null,
      tokensPerMinute: null,
      ...actor,
    },
  };
}

/** Sets what an account has, by an adjustment, so that the ledger stays the sum. */
export async function setBalance(accountId: string, usd: number): Promise<void> {
  const { balanceMicros } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  await credit(accountId, {
    kind: "adjustment",
    amountMicros: usdToMicros(usd) - balanceMicros,
    reference: newId("ledgerEntry"),
  });
}

/** What an account has and holds, and the sums they must equal. */
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

/** What a usage record of no interest says. */
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

/** The newest usage record of an account. */
export function lastUsage(accountId: string) {
  return db().usageRecord.findFirstOrThrow({ where: { accountId }, orderBy: { id: "desc" } });
}
