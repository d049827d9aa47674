import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { startMailbox } from "@/lib/testing/mailbox";
import { signedIn } from "@/lib/testing/session";

const password = "correct horse battery";

let asked = 0;

/** A stranger with an address of their own. */
function postAnonymously(path: string, body: object) {
  return call("POST", path, { body, headers: { "x-forwarded-for": `192.0.2.${asked++}` } });
}

function fresh(): string {
  return `${newId("member")}@example.org`;
}

function tokenIn(text: string): string {
  return /\/join#([\w-]{43})\b/.exec(text)?.[1] ?? "";
}

/** An account's owner, who can invite members. */
async function makeOwner() {
  const account = await makeAccount();
  const headers = await signedIn(account.ctx.actor.id);
  const post = (path: string, body: object = {}) => call("POST", path, { body, headers });
  const invite = (email: string, role = "member") =>
    post("/api/members/invitations", { email, role });
  return { ...account, headers, post, invite };
}

/** A member who joined by invitation, and their session. */
async function makeMember(owner: Awaited<ReturnType<typeof makeOwner>>, role = "member") {
  const email = fresh();
  const { json } = await owner.invite(email, role);
  const joined = await postAnonymously("/api/account/join", {
    token: tokenIn(json.link),
    password,
  });
  expect(joined.status).toBe(201);
  const { id } = await db().member.findUniqueOrThrow({ where: { email } });
  const headers = await signedIn(id);
  const post = (path: string, body: object = {}) => call("POST", path, { body, headers });
  return { id, email, headers, post };
}

describe("an invitation", () => {
  it("creates a member once, with its email and role", async () => {
    const owner = await makeOwner();
    const email = fresh();
    const { status, json } = await owner.invite(` ${email.toUpperCase()} `);
    expect([status, json.email]).toEqual([200, email]);
    expect(json.settings.invitations).toMatchObject([{ email, role: "member" }]);
    const token = tokenIn(json.link);
    const offer = await postAnonymously("/api/account/invitation", { token });
    expect(offer.json).toMatchObject({ email, role: "member" });
    expect(offer.json.account_name).toBe(json.settings.account.name);

    const joined = await postAnonymously("/api/account/join", { token, password, name: "Ben" });
    expect([joined.status, joined.json.email]).toEqual([201, email]);
    const member = await db().member.findUniqueOrThrow({ where: { email } });
    expect(member).toMatchObject({ accountId: owner.id, role: "member", name: "Ben" });
    expect(member.emailConfirmedAt).toBeNull();
    for (const path of ["/api/account/invitation", "/api/account/join"]) {
      const body = path.endsWith("join") ? { token, password } : { token };
      const again = await postAnonymously(path, body);
      expect([again.status, again.json.error.param]).toEqual([400, "token"]);
    }
    const { json: settings } = await call("GET", "/api/settings", { headers: owner.headers });
    expect([settings.members.length, settings.invitations]).toEqual([2, []]);
  });

  it("is sent by email if configured, and the link is then never shown", async () => {
    const mails = await startMailbox();
    const owner = await makeOwner();
    const email = fresh();
    const { json } = await owner.invite(email);
    expect(json.link).toBeNull();
    expect(mails).toMatchObject([{ to: email, subject: "You're invited to Footnote" }]);
    expect(JSON.stringify(json)).not.toContain(tokenIn(mails[0]?.text ?? ""));
    const token = tokenIn(mails[0]?.text ?? "");
    expect((await postAnonymously("/api/account/join", { token, password })).status).toBe(201);
    const member = await db().member.findUniqueOrThrow({ where: { email } });
    expect(member.emailConfirmedAt).not.toBeNull();
  });

  it("is shown for copying when the mail server rejects it", async () => {
    await startMailbox({ refuses: true });
    const owner = await makeOwner();
    const { json } = await owner.invite(fresh());
    expect(tokenIn(json.link)).toHaveLength(43);
  });

  it("stops working when revoked, replaced or a week old", async () => {
    const owner = await makeOwner();
    const email = fresh();
    const first = tokenIn((await owner.invite(email)).json.link);
    const again = await owner.invite(email, "owner");
    expect(again.json.settings.invitations).toMatchObject([{ email, role: "owner" }]);
    const second = tokenIn(again.json.link);
    const statusOf = async (token: string) =>
      (await postAnonymously("/api/account/join", { token, password })).status;
    expect(await statusOf(first)).toBe(400);
    const [{ id }] = again.json.settings.invitations;
    const revoked = await owner.post(`/api/members/invitations/${id}/revoke`);
    expect([revoked.status, revoked.json.invitations]).toEqual([200, []]);
    expect(await statusOf(second)).toBe(400);
    expect((await owner.post(`/api/members/invitations/${id}/revoke`)).status).toBe(404);

    const third = tokenIn((await owner.invite(email)).json.link);
    await db().invitation.updateMany({
      where: { accountId: owner.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await statusOf(third)).toBe(400);
    expect(await db().member.count({ where: { accountId: owner.id } })).toBe(1);
  });

  it("can be used once by two concurrent requests", async () => {
    const owner = await makeOwner();
    const token = tokenIn((await owner.invite(fresh())).json.link);
    const statuses = await Promise.all(
      [1, 2].map(
        async () => (await postAnonymously("/api/account/join", { token, password })).status,
      ),
    );
    expect(statuses.toSorted()).toEqual([201, 400]);
    expect(await db().member.count({ where: { accountId: owner.id } })).toBe(2);
  });

  it("is rejected for a member of the account", async () => {
    const owner = await makeOwner();
    const { status, json } = await owner.invite(owner.email);
    expect([status, json.error.param]).toEqual([409, "email"]);
  });

  it("doesn't tell its sender whether the email has another account", async () => {
    const other = await makeAccount();
    const before = await db().member.findUniqueOrThrow({ where: { email: other.email } });
    const answers = [];
    for (const email of [other.email, fresh()]) {
      const owner = await makeOwner();
      const invited = await owner.invite(email);
      const token = tokenIn(invited.json.link);
      const offer = await postAnonymously("/api/account/invitation", { token });
      const joined = await postAnonymously("/api/account/join", { token, password });
      const again = await postAnonymously("/api/account/join", { token, password });
      answers.push({
        statuses: [invited, offer, joined, again].map(({ status }) => status),
        fields: [invited, offer, joined].map(({ json }) => Object.keys(json)),
        joined: { ...joined.json, email: null },
      });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.statuses).toEqual([200, 200, 201, 400]);
    expect(await db().member.findUniqueOrThrow({ where: { email: other.email } })).toEqual(before);
  });

  it("tells who received it by mail that their email has an account", async () => {
    const mails = await startMailbox();
    const owner = await makeOwner();
    const other = await makeAccount();
    expect((await owner.invite(other.email)).json.link).toBeNull();
    const token = tokenIn(mails[0]?.text ?? "");
    const { status, json } = await postAnonymously("/api/account/join", { token, password });
    expect([status, json.error.code]).toEqual([409, "conflict"]);
  });

  it.each([
    [{ email: "nope", role: "member" }, "email"],
    [{ email: "a@example.org", role: "admin" }, "role"],
    [{ email: "a@example.org" }, "role"],
    [{ email: "a@example.org\r\nBcc: b@example.org", role: "member" }, "email"],
    [{ email: "a@example.org, b@example.org", role: "member" }, "email"],
  ])("refuses %j", async (body, param) => {
    const { post } = await makeOwner();
    const { status, json } = await post("/api/members/invitations", body);
    expect([status, json.error.param]).toEqual([400, param]);
  });

  it("rejects cross-site requests and guessed tokens", async () => {
    for (const path of ["/api/account/invitation", "/api/account/join"]) {
      const body = { token: "A".repeat(43), ...(path.endsWith("join") && { password }) };
      expect((await postAnonymously(path, body)).status).toBe(400);
      const headers = { origin: "https://evil.example" };
      expect((await call("POST", path, { body, headers })).status).toBe(403);
    }
    const statuses = [];
    for (let time = 0; time < 31; time += 1) {
      const body = { token: "A".repeat(43) };
      const headers = { "x-forwarded-for": "203.0.113.99" };
      statuses.push((await call("POST", "/api/account/invitation", { body, headers })).status);
    }
    expect(statuses).toEqual([...Array(30).fill(400), 429]);
  });
});

describe("members", () => {
  it("can't manage members, invitations or the account unless they are owners", async () => {
    const owner = await makeOwner();
    const member = await makeMember(owner);
    const open = await owner.invite(fresh());
    const [{ id: invitation }] = open.json.settings.invitations;
    const attempts: [string, object][] = [
      ["/api/members/invitations", { email: fresh(), role: "owner" }],
      [`/api/members/invitations/${invitation}/revoke`, {}],
      [`/api/members/${member.id}/role`, { role: "owner" }],
      [`/api/members/${owner.ctx.actor.id}/remove`, {}],
      ["/api/settings/account", { name: "Taken over" }],
    ];
    for (const [path, body] of attempts) {
      const { status, json } = await member.post(path, body);
      expect([path, status, json.error.code]).toEqual([path, 403, "insufficient_scope"]);
    }
    const { json } = await call("GET", "/api/settings", { headers: member.headers });
    expect([json.profile.role, json.members.length, json.invitations]).toEqual(["member", 2, []]);
    // Every member may see the billing pages.
    const billing = await call("GET", "/api/billing/credits", { headers: member.headers });
    expect(billing.status).toBe(200);
  });

  it("can be promoted and demoted, but the last owner can't be demoted", async () => {
    const owner = await makeOwner();
    const member = await makeMember(owner);
    const self = `/api/members/${owner.ctx.actor.id}`;
    expect((await owner.post(`${self}/role`, { role: "member" })).status).toBe(409);
    expect((await owner.post(`${self}/remove`)).status).toBe(409);
    const made = await owner.post(`/api/members/${member.id}/role`, { role: "owner" });
    expect(made.status).toBe(200);
    expect((await owner.post(`${self}/role`, { role: "member" })).status).toBe(200);
    expect((await owner.post("/api/settings/account", { name: "Mine" })).status).toBe(403);
    expect((await member.post(`/api/members/${member.id}/remove`)).status).toBe(409);
  });

  it("keep one owner when two owners step down concurrently", async () => {
    const owner = await makeOwner();
    const second = await makeMember(owner, "owner");
    const statuses = await Promise.all([
      owner.post(`/api/members/${owner.ctx.actor.id}/role`, { role: "member" }),
      second.post(`/api/members/${second.id}/remove`),
    ]);
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await db().member.count({ where: { accountId: owner.id, role: "owner" } })).toBe(1);
  });

  it("are signed out immediately when removed, and can leave on their own", async () => {
    const owner = await makeOwner();
    const member = await makeMember(owner);
    const leaver = await makeMember(owner);
    expect((await owner.post(`/api/members/${member.id}/remove`)).status).toBe(200);
    expect((await call("GET", "/api/settings", { headers: member.headers })).status).toBe(401);
    expect((await leaver.post(`/api/members/${leaver.id}/remove`)).status).toBe(200);
    expect(await db().member.count({ where: { accountId: owner.id } })).toBe(1);
  });

  it("of another account aren't found", async () => {
    const owner = await makeOwner();
    const other = await makeOwner();
    const theirs = await makeMember(other);
    const [{ id }] = (await other.invite(fresh())).json.settings.invitations;
    for (const [path, body] of [
      [`/api/members/${theirs.id}/role`, { role: "owner" }],
      [`/api/members/${theirs.id}/remove`, {}],
      [`/api/members/invitations/${id}/revoke`, {}],
    ] as const) {
      expect((await owner.post(path, body)).status).toBe(404);
    }
    expect(await db().member.count({ where: { accountId: other.id } })).toBe(2);
  });
});
