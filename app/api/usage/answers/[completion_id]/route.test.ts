import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";
import { makeKeyPair, makeStoredAnswer } from "@/lib/testing/stored-answer";

function remove(id: string, headers: Record<string, string>) {
  return call("DELETE", `/api/usage/answers/${encodeURIComponent(id)}`, { headers });
}

function countOf(id: string): Promise<number> {
  return db().storedCompletion.count({ where: { id } });
}

/** A member's session and an answer stored by their company key. */
async function makeStore(overrides: Parameters<typeof makeKeyPair>[1] = {}) {
  const account = await makeAccount();
  const key = await makeKeyPair(account.ctx, overrides);
  const headers = await signedIn(account.ctx.actor.id);
  return { ...account, key, headers, completionId: await makeStoredAnswer(key.ctx) };
}

describe("the console's endpoint to a stored answer", () => {
  it("deletes it for good, once, for the API as well", async () => {
    const { key, headers, completionId } = await makeStore();
    const kept = await makeStoredAnswer(key.ctx);
    const { status, json } = await remove(completionId, headers);
    expect([status, json]).toEqual([
      200,
      { id: completionId, object: "chat.completion.deleted", deleted: true },
    ]);
    const read = await call("GET", `/v1/chat/completions/${completionId}`, { key: key.secret });
    expect(read.status).toBe(404);
    const again = await remove(completionId, headers);
    expect([again.status, again.json.error.param]).toEqual([404, "completion_id"]);
    expect([await countOf(completionId), await countOf(kept)]).toEqual([0, 1]);
  });

  it("doesn't find another account's answer", async () => {
    const { completionId } = await makeStore();
    const outsider = await makeStore();
    const { status, json } = await remove(completionId, outsider.headers);
    expect([status, json.error.code]).toEqual([404, "not_found"]);
    for (const id of ["chatcmpl-none", "' OR true --", "%", "\0"]) {
      expect((await remove(id, outsider.headers)).status, id).toBe(404);
    }
    expect([await countOf(completionId), await countOf(outsider.completionId)]).toEqual([1, 1]);
  });

  it("finds an answer tied to a person only for that person", async () => {
    const store = await makeStore({ knowledge_scopes: ["public_kb", "personal_kb"] });
    const { personId } = store.key.ctx.actor;
    const second = newId("member");
    await db().member.create({
      data: { id: second, accountId: store.id, email: `${second}@example.org`, role: "owner" },
    });
    expect(personId).not.toBeNull();
    expect((await remove(store.completionId, await signedIn(second))).status).toBe(404);
    expect(await countOf(store.completionId)).toBe(1);
    expect((await remove(store.completionId, store.headers)).status).toBe(200);
    expect(await countOf(store.completionId)).toBe(0);
  });

  it("doesn't find an answer of a person who isn't a member, such as a patient", async () => {
    const { headers, completionId } = await makeStore({
      knowledge_scopes: ["public_kb", "personal_kb"],
      person: "patient-123",
    });
    expect((await remove(completionId, headers)).status).toBe(404);
    expect(await countOf(completionId)).toBe(1);
  });

  it("rejects signed-out users, cross-site requests and other methods", async () => {
    const { headers, completionId } = await makeStore();
    expect((await remove(completionId, {})).status).toBe(401);
    const foreign = await remove(completionId, { ...headers, origin: "https://evil.example" });
    expect([foreign.status, foreign.json.error.code]).toEqual([403, "insufficient_scope"]);
    const read = await call("GET", `/api/usage/answers/${completionId}`, { headers });
    expect(read.status).toBe(405);
    expect(await countOf(completionId)).toBe(1);
  });
});
