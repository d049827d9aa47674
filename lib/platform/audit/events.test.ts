import { describe, expect, it, onTestFinished } from "vitest";
import { newId } from "@/lib/id";
import { setLowBalance } from "@/lib/money/billing/write/low-balance";
import { createKey, revokeKey, rotateKey, updateKey } from "@/lib/money/keys/write/keys";
import { generateToken, hashSecret } from "@/lib/platform/auth/secret";
import { db, execute } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { browserOf, deliver, openCheckout, startFakeStripe } from "@/lib/testing/payments";
import { signedIn } from "@/lib/testing/session";

const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "another correct horse";

let asked = 0;

/** Sends an unauthenticated request from a new IP address. */
function postAnonymously(path: string, body: object) {
  return call("POST", path, { body, headers: { "x-forwarded-for": `203.0.113.${asked++}` } });
}

/** The contents of an account's events, oldest first. */
async function eventsOf(accountId: string) {
  const events = await db().auditEvent.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  return events.map(({ action, actorKind, actorId, objectId, details, requestId }) => ({
    action,
    actor: [actorKind, actorId],
    target: objectId,
    details,
    requestId,
  }));
}

async function actionsOf(accountId: string) {
  return (await eventsOf(accountId)).map(({ action }) => action);
}

async function makeOwner() {
  const account = await makeAccount();
  const headers = await signedIn(account.ctx.actor.id);
  const post = (path: string, body: object = {}) => call("POST", path, { body, headers });
  return { ...account, headers, post };
}

type Owner = Awaited<ReturnType<typeof makeOwner>>;

async function inviteSomebody({ post }: Owner) {
  const email = `${newId("member")}@example.org`;
  const { json } = await post("/api/members/invitations", { email, role: "member" });
  const token = /#([\w-]{43})$/.exec(json.link)?.[1] ?? "";
  return { email, token, id: json.settings.invitations[0].id as string };
}

async function memberIdOf(email: string): Promise<string> {
  return (await db().member.findUniqueOrThrow({ where: { email } })).id;
}

async function addMember(owner: Owner) {
  const { token, email } = await inviteSomebody(owner);
  await postAnonymously("/api/account/join", { token, password: PASSWORD });
  return { id: await memberIdOf(email), email };
}

/** Uses a reset token, as the link in the email does. */
async function resetPassword(memberId: string) {
  const token = generateToken();
  const expiresAt = new Date(Date.now() + 60_000);
  await db().passwordReset.create({ data: { tokenHash: hashSecret(token), memberId, expiresAt } });
  const { status } = await postAnonymously("/api/account/reset-password", {
    token,
    password: PASSWORD,
  });
  expect(status).toBe(200);
}

describe("a change to a key", () => {
  const UPDATE = { name: "Renamed", models: ["scripted"], monthly_budget_usd: "5" };

  it("records one event with its actor and request", async () => {
    const { ctx, id: accountId } = await makeAccount();
    const { id, secret } = await makeKey(ctx);
    await updateKey(ctx, id, UPDATE);
    await rotateKey(ctx, id, { overlap_seconds: 60 });
    await revokeKey(ctx, id);
    const by = { actor: ["member", ctx.actor.id], target: id, requestId: ctx.requestId };
    const changed = ["name", "models", "monthly_budget_micros"];
    expect(await eventsOf(accountId)).toEqual([
      { action: "key.created", ...by, details: {} },
      { action: "key.changed", ...by, details: { changed } },
      { action: "key.rotated", ...by, details: { overlap_seconds: 60 } },
      { action: "key.revoked", ...by, details: {} },
    ]);
    const names = await db().auditSubject.findMany({
      where: { accountId },
      orderBy: { id: "asc" },
    });
    expect(names.map(({ name }) => name)).toEqual(["Renamed", ctx.actor.email]);
    const stored = JSON.stringify([await eventsOf(accountId), names]);
    expect(stored).not.toContain(secret.slice(-12));
  });

  it("records nothing if it changes nothing or is rejected", async () => {
    const { ctx, id: accountId } = await makeAccount();
    const other = await makeAccount();
    const { id } = await makeKey(ctx);
    await updateKey(ctx, id, UPDATE);
    await updateKey(ctx, id, UPDATE);
    await revokeKey(ctx, id);
    await revokeKey(ctx, id);
    const before = await actionsOf(accountId);
    expect(before).toEqual(["key.created", "key.changed", "key.revoked"]);
    await expect(updateKey(ctx, id, { name: "x" })).rejects.toThrow();
    await expect(rotateKey(ctx, id, { overlap_seconds: 0 })).rejects.toThrow();
    await expect(updateKey(ctx, "key_none", { name: "x" })).rejects.toThrow();
    await expect(revokeKey(other.ctx, id)).rejects.toThrow();
    expect(await actionsOf(accountId)).toEqual(before);
    expect(await actionsOf(other.id)).toEqual([]);
  });

  it("is rolled back if its event can't be written", async () => {
    const { ctx, id: accountId } = await makeAccount();
    const { id } = await makeKey(ctx);
    await refuseEventsOf(accountId);
    const key = { name: "x", mode: "test", scopes: ["kb:search"] } as const;
    const before = await db().apiKey.findMany({ where: { accountId }, include: { secrets: true } });
    for (const change of [
      () => createKey(ctx, { ...key, scopes: [...key.scopes] }),
      () => updateKey(ctx, id, UPDATE),
      () => rotateKey(ctx, id, { overlap_seconds: 0 }),
      () => revokeKey(ctx, id),
    ]) {
      await expect(change()).rejects.toThrow();
    }
    const where = { accountId };
    expect(await db().apiKey.findMany({ where, include: { secrets: true } })).toEqual(before);
    expect(await actionsOf(accountId)).toEqual(["key.created"]);
  });
});

describe("a change to members or the account", () => {
  it("records one event", async () => {
    const owner = await makeOwner();
    const { id: accountId, ctx, post } = owner;
    const revoked = await inviteSomebody(owner);
    await post(`/api/members/invitations/${revoked.id}/revoke`);
    const joined = await inviteSomebody(owner);
    const answer = await postAnonymously("/api/account/join", {
      token: joined.token,
      password: PASSWORD,
      name: "Ben",
    });
    expect(answer.status).toBe(201);
    const ben = await memberIdOf(joined.email);
    await post(`/api/members/${ben}/role`, { role: "owner" });
    await post(`/api/members/${ben}/remove`);
    await post("/api/settings/account", { name: "Ward 7" });
    const self = ["member", ctx.actor.id];
    expect(await eventsOf(accountId)).toMatchObject([
      { action: "member.invited", actor: self, target: revoked.id, details: { role: "member" } },
      { action: "invitation.revoked", actor: self, target: revoked.id },
      { action: "member.invited", actor: self, target: joined.id },
      { action: "member.joined", actor: ["member", ben], target: ben },
      { action: "member.role_changed", actor: self, target: ben, details: { role: "owner" } },
      { action: "member.removed", actor: self, target: ben },
      { action: "account.renamed", actor: self, target: accountId },
    ]);
    const requestIds = (await eventsOf(accountId)).map(({ requestId }) => requestId);
    expect(new Set(requestIds).size).toBe(7);
    expect(requestIds.every((id) => id?.startsWith("req_"))).toBe(true);
    // Owners can still see whom they removed.
    expect(await db().auditSubject.findFirst({ where: { id: ben } })).toMatchObject({
      name: "Ben",
    });
  });

  it("records nothing if it changes nothing or is rejected", async () => {
    const owner = await makeOwner();
    const { id: accountId, ctx, email, post } = owner;
    const { id } = await addMember(owner);
    const plain = await signedIn(id);
    const asMember = (path: string, body: object = {}) =>
      call("POST", path, { body, headers: plain });
    const before = await actionsOf(accountId);
    const { name } = await db().account.findUniqueOrThrow({ where: { id: accountId } });
    await post("/api/settings/account", { name });
    await post(`/api/members/${id}/role`, { role: "member" });
    const refused = [
      await post("/api/members/invitations", { email, role: "member" }),
      await post("/api/members/invitations/inv_none/revoke"),
      await post(`/api/members/${ctx.actor.id}/role`, { role: "member" }),
      await post(`/api/members/${ctx.actor.id}/remove`),
      await post("/api/members/mem_none/remove"),
      await asMember(`/api/members/${ctx.actor.id}/remove`),
      await asMember("/api/settings/account", { name: "Mine" }),
      await asMember("/api/settings/close", { confirmation: name }),
      await postAnonymously("/api/account/join", { token: "A".repeat(43), password: PASSWORD }),
    ];
    expect(refused.every(({ status }) => status >= 400 && status < 500)).toBe(true);
    expect(await actionsOf(accountId)).toEqual(before);
  });

  it("is also recorded when members change their own password or sessions", async () => {
    const owner = await makeOwner();
    const { id: accountId, ctx, post } = owner;
    await signedIn(ctx.actor.id);
    await signedIn(ctx.actor.id);
    const { json } = await call("GET", "/api/settings", { headers: owner.headers });
    const other = json.sessions.find((each: { is_current: boolean }) => !each.is_current);
    await post(`/api/settings/sessions/${other.id}/end`);
    await post(`/api/settings/sessions/${other.id}/end`);
    await post("/api/settings/sessions/end-others");
    await post("/api/settings/sessions/end-others");
    await post("/api/settings/password", { current_password: "wrong", password: NEW_PASSWORD });
    await post("/api/settings/password", { current_password: PASSWORD, password: NEW_PASSWORD });
    await resetPassword(ctx.actor.id);
    const target = ctx.actor.id;
    const actor = ["member", target];
    expect(await eventsOf(accountId)).toMatchObject([
      { action: "sessions.ended", actor, target, details: { count: 1 } },
      { action: "sessions.ended", actor, target, details: { count: 1 } },
      { action: "password.changed", actor, target },
      { action: "password.reset", actor, target, requestId: expect.stringMatching(/^req_/) },
    ]);
  });
});

describe("closing an account", () => {
  it("keeps its events but deletes every name they refer to", async () => {
    const owner = await makeOwner();
    await addMember(owner);
    await makeKey(owner.ctx);
    const { name } = await db().account.findUniqueOrThrow({ where: { id: owner.id } });
    const closed = await owner.post("/api/settings/close", { confirmation: name });
    expect(closed.status).toBe(200);
    expect(await actionsOf(owner.id)).toEqual([
      "member.invited",
      "member.joined",
      "key.created",
      "account.closed",
    ]);
    expect(await db().auditSubject.count({ where: { accountId: owner.id } })).toBe(0);
    expect(JSON.stringify(await eventsOf(owner.id))).not.toContain("@");
  });
});

describe("billing", () => {
  it("records one event each for a checkout, its credit and its refund, even if webhooks repeat", async () => {
    const stripe = await startFakeStripe();
    const { ctx, id: accountId } = await makeAccount();
    const { id: keyId, secret } = await makeKey(ctx);
    const checkout = await openCheckout(secret);
    const payment = stripe.pay(checkout.sessionId);
    const about = { id: checkout.sessionId };
    const paid = stripe.event("checkout.session.completed", about);
    await deliver(paid);
    await deliver(paid);
    await call("GET", `/api/billing/checkout-sessions/${checkout.id}`, {
      headers: await browserOf(ctx),
    });
    stripe.refund(payment, 1000);
    const refunded = stripe.event("charge.refunded", { id: "any", payment_intent: payment });
    await deliver(refunded);
    await deliver(refunded);
    const system = { actor: ["system", "stripe"], target: checkout.id, requestId: null };
    expect((await eventsOf(accountId)).slice(1)).toMatchObject([
      {
        action: "checkout.started",
        actor: ["key", keyId],
        target: checkout.id,
        details: { amount_usd: "25.000000" },
      },
      { action: "funds.added", ...system, details: { amount_usd: "25.000000" } },
      { action: "funds.refunded", ...system, details: { amount_usd: "10.000000" } },
    ]);
  });

  it("records a low-balance event only when the amount changes", async () => {
    const { ctx, id: accountId } = await makeAccount();
    for (const threshold_usd of ["5", "5", "7.5", null]) {
      await setLowBalance(ctx, { threshold_usd });
    }
    await db().member.update({ where: { id: ctx.actor.id }, data: { role: "member" } });
    await expect(setLowBalance(ctx, { threshold_usd: "9" })).rejects.toThrow();
    const event = { action: "low_balance.changed", target: accountId };
    expect(await eventsOf(accountId)).toMatchObject([
      { ...event, details: { amount_usd: "5.000000" } },
      { ...event, details: { amount_usd: "7.500000" } },
      { ...event, details: {} },
    ]);
  });

  it("records nothing if the provider fails to open a checkout, and one event once a retry succeeds", async () => {
    const stripe = await startFakeStripe({ retries: 0 });
    const { ctx, id: accountId } = await makeAccount();
    const headers = { ...(await browserOf(ctx)), "idempotency-key": newId("request") };
    const start = () =>
      call("POST", "/api/billing/checkout-sessions", { headers, body: { amount: 500 } });
    stripe.fail(1);
    expect((await start()).status).toBeGreaterThanOrEqual(500);
    expect(await actionsOf(accountId)).toEqual([]);
    expect((await start()).status).toBe(201);
    await Promise.all([start(), start()]);
    expect(await actionsOf(accountId)).toEqual(["checkout.started"]);
  });
});

/** Makes the database reject an account's audit events until the test ends. */
async function refuseEventsOf(accountId: string): Promise<void> {
  onTestFinished(async () => {
    await execute("DROP FUNCTION test_refuse_events() CASCADE");
  });
  await execute(`CREATE FUNCTION test_refuse_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.account_id = '${accountId}' THEN
        RAISE EXCEPTION 'the disk is full';
      END IF;
      RETURN NEW;
    END $$`);
  await execute(`CREATE TRIGGER test_refuse_events BEFORE INSERT ON audit_event
    FOR EACH ROW EXECUTE FUNCTION test_refuse_events()`);
}
