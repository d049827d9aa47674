import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { revokeKey, updateKey } from "@/lib/money/keys/write/keys";
import { EventPage } from "@/lib/platform/audit/schema";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";

const PATH = "/api/settings/activity";

describe("GET /api/settings/activity", () => {
  it("returns the account's activity to an owner, newest first, page by page", async () => {
    const { ctx, email } = await makeAccount();
    const { id } = await makeKey(ctx);
    await updateKey(ctx, id, { name: "Prod" });
    await revokeKey(ctx, id);
    const headers = await signedIn(ctx.actor.id);
    const first = await call("GET", `${PATH}?limit=2`, { headers });
    const actor = { kind: "member", id: ctx.actor.id, name: email };
    expect(EventPage.parse(first.json)).toMatchObject({
      data: [
        { action: "key.revoked", actor, target: { id, name: "Prod" }, request_id: ctx.requestId },
        { action: "key.changed", actor, target: { id, name: "Prod" } },
      ],
      has_more: true,
    });
    const rest = await call("GET", `${PATH}?after=${first.json.next_cursor}`, { headers });
    expect(rest.json).toMatchObject({
      data: [{ action: "key.created", target: { id } }],
      has_more: false,
      next_cursor: null,
    });
  });

  it("returns nothing from another account", async () => {
    const { ctx } = await makeAccount();
    await makeKey(ctx);
    const other = await makeAccount();
    const headers = await signedIn(other.ctx.actor.id);
    const { status, json } = await call("GET", PATH, { headers });
    expect([status, json.data]).toEqual([200, []]);
    const { json: own } = await call("GET", PATH, { headers: await signedIn(ctx.actor.id) });
    const after = await call("GET", `${PATH}?after=${own.data[0].id}z`, { headers });
    expect(after.json.data).toEqual([]);
  });

  it("rejects plain members, effective from their next request, and signed-out users", async () => {
    const { ctx, id: accountId } = await makeAccount();
    const member = { id: newId("member"), accountId, email: `${newId("member")}@example.org` };
    await db().member.create({ data: { ...member, role: "member" } });
    const headers = await signedIn(member.id);
    const { status, json } = await call("GET", PATH, { headers });
    expect([status, json.error.code]).toEqual([403, "insufficient_scope"]);
    const owner = await signedIn(ctx.actor.id);
    expect((await call("GET", PATH, { headers: owner })).status).toBe(200);
    await db().member.update({ where: { id: ctx.actor.id }, data: { role: "member" } });
    expect((await call("GET", PATH, { headers: owner })).status).toBe(403);
    expect((await call("GET", PATH)).status).toBe(401);
  });

  it("answers 400 naming an invalid param, and 405 to a write", async () => {
    const { ctx } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    const bad = await call("GET", `${PATH}?limit=0`, { headers });
    expect([bad.status, bad.json.error.param]).toEqual([400, "limit"]);
    for (const method of ["POST", "DELETE"]) {
      expect((await call(method, PATH, { headers, body: {} })).status).toBe(405);
    }
  });
});
