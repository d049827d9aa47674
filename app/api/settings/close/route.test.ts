import { describe, expect, it } from "vitest";
import { verifyPassword } from "@/lib/platform/auth/write/password";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, readMoney } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";

/** Counts an account's rows with personal data, by table. */
async function countOf(accountId: string) {
  const where = { accountId };
  return {
    members: await db().member.count({ where }),
    keys: await db().apiKey.count({ where }),
    documents: await db().document.count({ where }),
    collections: await db().collection.count({ where }),
    chunks: await db().chunk.count({ where }),
    jobs: await db().job.count({ where }),
    persons: await db().person.count({ where }),
    answers: await db().storedCompletion.count({ where }),
    invitations: await db().invitation.count({ where }),
  };
}

/** An account with rows in every table. */
async function fullAccount() {
  const account = await makeAccount();
  const headers = await signedIn(account.ctx.actor.id);
  const { secret } = await makeKey(account.ctx, {
    knowledge_scopes: ["public_kb", "customer_kb", "personal_kb"],
  });
  for (const scope of ["customer_kb", "personal_kb"]) {
    const body = { scope, text: `Handbook of ${account.id} for ${scope}.` };
    const upload = await call("POST", "/v1/kb/documents", { key: secret, body });
    expect(upload.status).toBe(202);
  }
  await db().storedCompletion.create({
    data: {
      id: `chatcmpl-${account.id}`,
      accountId: account.id,
      requestId: "req_x",
      keyId: "key_x",
      model: "m",
      messages: [],
      response: {},
      evidence: [],
    },
  });
  await call("POST", "/api/members/invitations", {
    headers,
    body: { email: `invited-${account.email}`, role: "member" },
  });
  return { ...account, headers, secret };
}

describe("deleting an account", () => {
  it("keeps the ledger, deletes all personal data, and affects no other account", async () => {
    const other = await fullAccount();
    const { id, email, headers, secret } = await fullAccount();
    const others = await countOf(other.id);
    const money = await readMoney(id);
    const { name } = await db().account.findUniqueOrThrow({ where: { id } });
    const { status, json } = await call("POST", "/api/settings/close", {
      headers,
      body: { confirmation: ` ${name} ` },
    });
    expect([status, json]).toEqual([200, { object: "account", id, deleted: true }]);

    const left = await countOf(id);
    expect(new Set(Object.values(left))).toEqual(new Set([0]));
    expect(await db().account.findUniqueOrThrow({ where: { id } })).toMatchObject({
      name: "Deleted account",
      closedAt: expect.any(Date),
    });
    expect((await readMoney(id)).ledgerSum).toBe(money.ledgerSum);
    expect((await call("GET", "/v1/billing/credits", { key: secret })).status).toBe(403);
    expect((await call("GET", "/api/settings", { headers })).status).toBe(401);
    expect(await verifyPassword({ email, password: "correct horse battery" })).toBeNull();
    expect(await countOf(other.id)).toEqual(others);
  });

  it("frees its email for a new sign-up", async () => {
    const { email, ctx, id } = await makeAccount();
    const { name } = await db().account.findUniqueOrThrow({ where: { id } });
    await call("POST", "/api/settings/close", {
      headers: await signedIn(ctx.actor.id),
      body: { confirmation: name },
    });
    const again = await call("POST", "/api/account/sign-up", {
      body: { email, password: "correct horse battery" },
    });
    expect(again.status).toBe(202);
    expect((await db().member.findUniqueOrThrow({ where: { email } })).accountId).not.toBe(id);
  });

  it("requires the owner role", async () => {
    const { id, ctx } = await makeAccount();
    await db().member.update({ where: { id: ctx.actor.id }, data: { role: "member" } });
    const { name } = await db().account.findUniqueOrThrow({ where: { id } });
    const { status } = await call("POST", "/api/settings/close", {
      headers: await signedIn(ctx.actor.id),
      body: { confirmation: name },
    });
    expect(status).toBe(403);
    expect((await countOf(id)).members).toBe(1);
  });
});
