import { describe, expect, it } from "vitest";
import { createPreset } from "@/lib/answers/presets/write";
import { newId } from "@/lib/id";
import { removeMember } from "@/lib/operations/accounts/write";
import type { MemberContext } from "@/lib/platform/auth/context";
import { createInvitation } from "@/lib/platform/auth/write/invitation";
import { db } from "@/lib/platform/db/client";
import { toAppError } from "@/lib/platform/http/error-response";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { issueKey } from "@/lib/testing/issue-key";
import { getKey, listKeys } from "./read";
import { createFirstKey, revokeKey, rotateKey, updateKey } from "./write/keys";
import { playgroundContext } from "./write/playground";

const PERSONAL = {
  knowledge_scopes: ["public_kb", "personal_kb"] as ("public_kb" | "personal_kb")[],
};
const forbidden = { code: "insufficient_scope" };
const hidden = { code: "not_found" };

/** A member of the account, signed in. */
async function join({ ctx }: { ctx: MemberContext }, role = "member"): Promise<MemberContext> {
  const id = newId("member");
  const email = `${id}@example.org`;
  await db().member.create({ data: { id, accountId: ctx.account.id, email, role } });
  return { ...ctx, actor: { kind: "member", id, email, name: null } };
}

async function makeTeam() {
  const account = await makeAccount();
  return { owner: account.ctx, ana: await join(account), ben: await join(account) };
}

function statusOf(key: string): Promise<number> {
  return call("GET", "/v1/models", { key }).then(({ status }) => status);
}

describe("a key that reads a member's documents", () => {
  it("doesn't exist for other members", async () => {
    const { ana, ben } = await makeTeam();
    const { id, secret } = await makeKey(ana, PERSONAL);
    await expect(rotateKey(ben, id, { overlap_seconds: 604_800 })).rejects.toMatchObject(hidden);
    await expect(updateKey(ben, id, { name: "mine" })).rejects.toMatchObject(hidden);
    await expect(revokeKey(ben, id)).rejects.toMatchObject(hidden);
    expect((await listKeys(ben, { limit: 50 })).data).toEqual([]);
    expect(await db().keySecret.count({ where: { keyId: id } })).toBe(1);
    expect(await statusOf(secret)).toBe(200);
  });

  it("hides the keys that it created from other members, too", async () => {
    const { owner, ana, ben } = await makeTeam();
    const { secret } = await makeKey(ana, PERSONAL);
    const id = await issueKey(secret, "Ward");
    expect((await listKeys(ben, { limit: 50 })).data).toEqual([]);
    await expect(getKey(ben, id)).rejects.toMatchObject(hidden);
    for (const member of [owner, ana]) {
      expect((await getKey(member, id)).permissions).toEqual(["change", "revoke"]);
    }
  });

  it("can be revoked by an owner, but not rotated or changed", async () => {
    const { owner, ana } = await makeTeam();
    const { id, secret } = await makeKey(ana, PERSONAL);
    await expect(rotateKey(owner, id, { overlap_seconds: 0 })).rejects.toMatchObject(forbidden);
    await expect(updateKey(owner, id, { name: "mine" })).rejects.toMatchObject(forbidden);
    expect((await getKey(owner, id)).permissions).toEqual(["revoke"]);
    expect((await revokeKey(owner, id)).status).toBe("revoked");
    expect(await statusOf(secret)).toBe(403);
  });

  it("is its member's to rotate, change and revoke", async () => {
    const { ana } = await makeTeam();
    const { id } = await makeKey(ana, PERSONAL);
    expect((await rotateKey(ana, id, { overlap_seconds: 0 })).key.permissions).toEqual([
      "change",
      "revoke",
    ]);
    expect((await updateKey(ana, id, { name: "Ward" })).name).toBe("Ward");
    expect((await revokeKey(ana, id)).status).toBe("revoked");
  });
});

describe("any other key", () => {
  it.each([
    ["the account's documents", {}],
    ["an end user's documents", { ...PERSONAL, person: "patient-123" }],
  ])("that reads %s is its creator's and the owners' to manage", async (_name, overrides) => {
    const { owner, ana, ben } = await makeTeam();
    const { id } = await makeKey(ana, overrides);
    await expect(rotateKey(ben, id, { overlap_seconds: 0 })).rejects.toMatchObject(forbidden);
    await expect(updateKey(ben, id, { name: "mine" })).rejects.toMatchObject(forbidden);
    await expect(revokeKey(ben, id)).rejects.toMatchObject(forbidden);
    expect((await getKey(ben, id)).permissions).toEqual([]);
    expect((await updateKey(ana, id, { name: "Ward" })).name).toBe("Ward");
    expect((await rotateKey(owner, id, { overlap_seconds: 0 })).key.name).toBe("Ward");
    expect((await revokeKey(owner, id)).status).toBe("revoked");
  });

  it("is judged by the member's current role", async () => {
    const { owner, ana, ben } = await makeTeam();
    const { id } = await makeKey(ana);
    await db().member.update({ where: { id: ben.actor.id }, data: { role: "owner" } });
    await db().member.update({ where: { id: owner.actor.id }, data: { role: "member" } });
    await expect(revokeKey(owner, id)).rejects.toMatchObject(forbidden);
    expect((await revokeKey(ben, id)).status).toBe("revoked");
  });
});

describe("an update", () => {
  it("leaves omitted settings as they are, and null removes them", async () => {
    const { owner } = await makeTeam();
    const { id } = await makeKey(owner, {
      monthly_budget_usd: "12.5",
      requests_per_minute: 5,
      tokens_per_minute: 900,
      models: ["scripted"],
      query_mode: "conversation",
    });
    const settings = {
      monthly_budget_usd: "12.500000",
      requests_per_minute: 5,
      tokens_per_minute: 900,
      models: ["scripted"],
      query_mode: "conversation",
    };
    expect(await updateKey(owner, id, { name: "Ward" })).toMatchObject({
      ...settings,
      name: "Ward",
    });
    expect(await updateKey(owner, id, {})).toMatchObject({ ...settings, name: "Ward" });
    const changed = await updateKey(owner, id, { requests_per_minute: 7, tokens_per_minute: null });
    expect(changed).toMatchObject({ ...settings, requests_per_minute: 7, tokens_per_minute: null });
  });
});

describe("removing a member", () => {
  it("revokes the keys that read their documents and lists the others they created", async () => {
    const { owner, ana, ben } = await makeTeam();
    const personal = await makeKey(ana, PERSONAL);
    const company = await makeKey(ana, { name: "Ward bot" });
    const revoked = await makeKey(ana);
    await revokeKey(ana, revoked.id);
    const other = await makeKey(ben, PERSONAL);
    const removed = await removeMember(owner, ana.actor.id);
    expect(removed.revoked_keys.map(({ id }) => id)).toEqual([personal.id]);
    expect(removed.remaining_keys).toEqual([
      { id: company.id, name: "Ward bot", display: `footnote_test_…${company.secret.slice(-4)}` },
    ]);
    expect(
      await Promise.all([personal, company, other].map(({ secret }) => statusOf(secret))),
    ).toEqual([403, 200, 200]);
    // Their creator is gone, so they are the owners'.
    expect((await getKey(owner, company.id)).permissions).toEqual(["change", "revoke"]);
    expect((await getKey(ben, company.id)).permissions).toEqual([]);
    const events = await db().auditEvent.findMany({
      where: { accountId: owner.account.id, objectId: personal.id, action: "key.revoked" },
    });
    expect(events).toMatchObject([{ actorId: owner.actor.id }]);
  });

  it("who leaves on their own also revokes them", async () => {
    const { ana } = await makeTeam();
    const { secret } = await makeKey(ana, PERSONAL);
    expect((await removeMember(ana, ana.actor.id)).revoked_keys).toHaveLength(1);
    expect(await statusOf(secret)).toBe(403);
  });
});

describe("a member who has just been removed", () => {
  it.each<[string, (ctx: MemberContext) => Promise<unknown>]>([
    ["a key", (ctx) => makeKey(ctx)],
    ["a first key", createFirstKey],
    ["a key of the playground", (ctx) => playgroundContext(ctx, "company")],
    [
      "a preset",
      (ctx) =>
        createPreset(ctx, {
          name: "mine",
          model: "scripted",
          citations: { enabled: true, required: true, on_empty: "say_so" },
        }),
    ],
    ["an invitation", (ctx) => createInvitation(ctx, { email: "x@example.org", role: "member" })],
  ])("is told so, and creates nothing: %s", async (_name, create) => {
    const { ana } = await makeTeam();
    await db().member.delete({ where: { id: ana.actor.id } });
    const failed = await create(ana).then(() => null, toAppError);
    expect([401, 403]).toContain(failed?.status);
    expect(await db().apiKey.count({ where: { accountId: ana.account.id } })).toBe(0);
  });
});
