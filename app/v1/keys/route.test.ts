import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { getKey, listKeys } from "@/lib/money/keys/read";
import type { CreateKey } from "@/lib/money/keys/schema";
import { revokeKey, updateKey } from "@/lib/money/keys/write/keys";
import { removeMember } from "@/lib/operations/accounts/write";
import type { MemberContext } from "@/lib/platform/auth/context";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";

const TENANT = { name: "Tenant 7", mode: "live", scopes: ["kb:search"], knowledge_scopes: [] };

function create(key: string, fields: object = {}, headers: Record<string, string> = {}) {
  return call("POST", "/v1/keys", { key, body: { ...TENANT, ...fields }, headers });
}

function get(key: string, id: string) {
  return call("GET", `/v1/keys/${id}`, { key });
}

/** Another member of the account, who isn't an owner. */
async function join({ account, ...ctx }: MemberContext): Promise<MemberContext> {
  const id = newId("member");
  const email = `${id}@example.org`;
  await db().member.create({ data: { id, accountId: account.id, email, role: "member" } });
  return { ...ctx, account, actor: { kind: "member", id, email, name: null } };
}

function inHours(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}

async function spend(accountId: string, keyId: string, usd: number): Promise<void> {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  const spentMicros = BigInt(usd) * 1_000_000n;
  await db().keySpend.create({ data: { accountId, keyId, month, spentMicros } });
}

describe("POST /v1/keys", () => {
  it("creates a key that works, and shows its secret only there", async () => {
    const { key } = await makeKeyedAccount();
    const { status, json } = await create(key, { scopes: ["chat:completions"] });
    expect(status).toBe(201);
    const { secret, ...shown } = json;
    expect(shown).toMatchObject({ object: "api_key", name: "Tenant 7", mode: "live" });
    expect(shown).toMatchObject({ scopes: ["chat:completions"], status: "usable" });
    expect((await call("GET", "/v1/models", { key: secret })).status).toBe(200);
    const [one, list] = [await get(key, json.id), await call("GET", "/v1/keys", { key })];
    expect(one.json).toMatchObject({ ...shown, last_used_at: one.json.last_used_at });
    expect(JSON.stringify([one.json, list.json])).not.toContain(secret);
    expect(Object.keys(shown)).toEqual(Object.keys(one.json));
  });

  it("inherits the creator's models, limits, stores and expiry by default", async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const own = {
      expires_at,
      requests_per_minute: 9,
      tokens_per_minute: 900,
      models: ["scripted"],
    };
    const { key } = await makeKeyedAccount(own);
    expect((await create(key)).json).toMatchObject(own);
    const stores = ["public_kb"] as "public_kb"[];
    const bound = await makeKeyedAccount({ stores, models: null });
    const { json } = await create(bound.key, { knowledge_scopes: ["public_kb"] });
    expect(json).toMatchObject({ stores, models: null });
  });

  it("records the creator in the audit log and in the console", async () => {
    const { ctx, key, keyId } = await makeKeyedAccount({ name: "Platform" });
    const { json } = await create(key);
    expect(await getKey(ctx, json.id)).toMatchObject({
      created_by: ctx.actor.email,
      created_by_key: { id: keyId, name: "Platform" },
    });
    const events = await db().auditEvent.findMany({ where: { objectId: json.id } });
    expect(events).toMatchObject([{ action: "key.created", actorKind: "key", actorId: keyId }]);
    expect(JSON.stringify((await get(key, json.id)).json)).not.toContain(ctx.actor.email);
  });

  const wider: [string, Partial<CreateKey>, object, string][] = [
    ["a scope", { scopes: ["keys:write", "kb:search"] }, { scopes: ["billing:read"] }, "scopes.0"],
    ["keys:write", {}, { scopes: ["kb:search", "keys:write"] }, "scopes.1"],
    ["a knowledge scope", {}, { knowledge_scopes: ["personal_kb"] }, "knowledge_scopes.0"],
    ["a model", { models: ["scripted"] }, { models: ["scripted-small"] }, "models.0"],
    ["all models", { models: ["scripted"] }, { models: ["*"] }, "models.0"],
    ["other than the default model", { models: null }, { models: ["scripted-small"] }, "models.0"],
    ["requests", { requests_per_minute: 5 }, { requests_per_minute: 6 }, "requests_per_minute"],
    ["tokens", { tokens_per_minute: 50 }, { tokens_per_minute: 51 }, "tokens_per_minute"],
    ["no budget", { monthly_budget_usd: "5" }, {}, "monthly_budget_usd"],
    [
      "a budget",
      { monthly_budget_usd: "5" },
      { monthly_budget_usd: "5.000001" },
      "monthly_budget_usd",
    ],
    ["a later expiry", { expires_at: inHours(1) }, { expires_at: inHours(2) }, "expires_at"],
  ];

  it.each(wider)(
    "refuses %s beyond the creator's, and names it",
    async (_name, own, asked, param) => {
      const { id, key } = await makeKeyedAccount(own);
      const { status, json } = await create(key, asked);
      expect([status, json.error.code, json.error.param]).toEqual([
        403,
        "insufficient_scope",
        param,
      ]);
      expect(await db().apiKey.count({ where: { accountId: id } })).toBe(1);
    },
  );

  it("refuses stores that the creator or the new key can't read", async () => {
    const { ctx, key } = await makeKeyedAccount();
    const store = await call("POST", "/v1/vector_stores", { key, body: { name: "a" } });
    const other = await call("POST", "/v1/vector_stores", { key, body: { name: "b" } });
    const bound = await makeKey(ctx, { stores: [store.json.id] });
    const knowledge_scopes = ["customer_kb"];
    const refusedParam = async (fields: object) =>
      (await create(bound.secret, fields)).json.error?.param ?? null;
    expect(await refusedParam({ knowledge_scopes, stores: [other.json.id] })).toBe("stores.0");
    expect(await refusedParam({ knowledge_scopes, stores: ["customer_kb"] })).toBe("stores.0");
    expect(await refusedParam({ knowledge_scopes: ["public_kb"] })).toBe("stores.0");
    expect(await refusedParam({ knowledge_scopes, stores: [store.json.id] })).toBeNull();
    expect(await refusedParam({ scopes: ["chat:completions"] })).toBeNull();
    const whole = await create(key, { knowledge_scopes, stores: [other.json.id] });
    expect(whole.json.stores).toEqual([other.json.id]);
  });

  it("never lets the budgets of keys add up to more than the creator's, spent or not", async () => {
    const { id, key, keyId } = await makeKeyedAccount({ monthly_budget_usd: "10" });
    await spend(id, keyId, 2);
    const made = await Promise.all(
      [1, 2, 3, 4].map(() => create(key, { monthly_budget_usd: "3" })),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403]);
    const [first] = made.flatMap(({ status, json }) => (status === 201 ? json.id : []));
    await spend(id, first, 3);
    await call("DELETE", `/v1/keys/${first}`, { key });
    const again = await create(key, { monthly_budget_usd: "2.5" });
    expect(again.json.error.message).toMatch(/^\$2\.00 of this key's monthly budget/);
    expect((await create(key, { monthly_budget_usd: "2" })).status).toBe(201);
  });

  it("counts toward the account's keys", async () => {
    const { id, key } = await makeKeyedAccount();
    const most = env.MAX_KEYS_PER_ACCOUNT;
    env.MAX_KEYS_PER_ACCOUNT = 2;
    const statuses = [(await create(key)).status, (await create(key)).status];
    env.MAX_KEYS_PER_ACCOUNT = most;
    expect(statuses).toEqual([201, 409]);
    expect(await db().apiKey.count({ where: { accountId: id } })).toBe(2);
  });

  it("refuses an Idempotency-Key, because the response contains a secret", async () => {
    const { id, key } = await makeKeyedAccount();
    const { status, json } = await create(key, {}, { "idempotency-key": "tenant-7" });
    expect([status, json.error.param]).toEqual([400, "idempotency-key"]);
    expect(await db().apiKey.count({ where: { accountId: id } })).toBe(1);
  });
});

describe("PATCH /v1/keys/{id}", () => {
  const own = {
    models: ["scripted", "scripted-small"],
    requests_per_minute: 9,
    monthly_budget_usd: "10",
  };
  const patch = (key: string, id: string, body: object) =>
    call("PATCH", `/v1/keys/${id}`, { key, body });

  it("changes the given fields, up to the creator's limits, and resets them with null", async () => {
    const { key, keyId } = await makeKeyedAccount(own);
    const { json } = await create(key, { models: ["scripted"], monthly_budget_usd: "1" });
    const wanted = { name: "Tenant 8", requests_per_minute: 3, query_mode: "conversation" };
    const changed = await patch(key, json.id, wanted);
    expect(changed.json).toMatchObject({ ...wanted, models: ["scripted"], scopes: ["kb:search"] });
    expect(changed.json.monthly_budget_usd).toBe("1.000000");
    const back = await patch(key, json.id, { models: null, requests_per_minute: null });
    expect(back.json).toMatchObject({ models: own.models, requests_per_minute: 9 });
    const where = { objectId: json.id, action: "key.changed" };
    const events = await db().auditEvent.findMany({ where });
    expect(events.map(({ actorId }) => actorId)).toEqual([keyId, keyId]);
  });

  const refused: [object, number, string][] = [
    [{ models: ["footnote-extract-1"] }, 403, "models.0"],
    [{ models: ["*"] }, 403, "models.0"],
    [{ requests_per_minute: 10 }, 403, "requests_per_minute"],
    [{ monthly_budget_usd: "8.000001" }, 403, "monthly_budget_usd"],
    [{ monthly_budget_usd: null }, 403, "monthly_budget_usd"],
    [{ scopes: ["billing:read"] }, 400, "scopes"],
    [{ expires_at: null }, 400, "expires_at"],
  ];

  it.each(refused)("refuses %j and changes nothing", async (body, status, param) => {
    const { key } = await makeKeyedAccount(own);
    await create(key, { monthly_budget_usd: "2" });
    const made = (await create(key, { monthly_budget_usd: "7" })).json;
    const answer = await patch(key, made.id, { name: "Changed", ...body });
    expect([answer.status, answer.json.error.param]).toEqual([status, param]);
    expect((await get(key, made.id)).json.name).toBe("Tenant 7");
  });

  it("can raise a key's budget to whatever its siblings leave", async () => {
    const { id, key } = await makeKeyedAccount(own);
    const made = (await create(key, { monthly_budget_usd: "2" })).json;
    await spend(id, made.id, 1);
    expect((await patch(key, made.id, { monthly_budget_usd: "10" })).status).toBe(200);
    const two = await Promise.all([create(key, { monthly_budget_usd: "1" }), get(key, made.id)]);
    expect([two[0].status, two[1].json.monthly_budget_usd]).toEqual([403, "10.000000"]);
  });

  it("can't raise two budgets at once to more than the creator's", async () => {
    const { key } = await makeKeyedAccount(own);
    const keys = await Promise.all([1, 2].map(() => create(key, { monthly_budget_usd: "1" })));
    const raised = await Promise.all(
      keys.map(({ json }) => patch(key, json.id, { monthly_budget_usd: "9" })),
    );
    expect(raised.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  });

  it("returns 409 for a revoked key", async () => {
    const { key } = await makeKeyedAccount();
    const { id } = (await create(key)).json;
    await call("DELETE", `/v1/keys/${id}`, { key });
    expect((await patch(key, id, { name: "x" })).status).toBe(409);
  });
});

describe("POST /v1/keys/{id}/rotate", () => {
  const rotate = (key: string, id: string, headers = {}) =>
    call("POST", `/v1/keys/${id}/rotate`, { key, body: { overlap_seconds: 3600 }, headers });

  it("returns a new secret, and the old one works until the overlap ends", async () => {
    const { key, keyId } = await makeKeyedAccount();
    const made = (await create(key, { scopes: ["chat:completions"] })).json;
    const { status, json } = await rotate(key, made.id);
    expect([status, json.id, json.name]).toEqual([200, made.id, "Tenant 7"]);
    expect(Date.parse(json.replaced_secrets[0].expires_at)).toBeGreaterThan(Date.now());
    for (const secret of [made.secret, json.secret]) {
      expect((await call("GET", "/v1/models", { key: secret })).status).toBe(200);
    }
    const where = { objectId: made.id, action: "key.rotated" };
    expect(await db().auditEvent.findMany({ where })).toMatchObject([{ actorId: keyId }]);
  });

  it("refuses an Idempotency-Key, and other keys", async () => {
    const { ctx, key } = await makeKeyedAccount();
    const { id } = (await create(key)).json;
    expect((await rotate(key, id, { "idempotency-key": "a" })).status).toBe(400);
    expect((await rotate((await makeKey(ctx)).secret, id)).status).toBe(404);
    expect(await db().keySecret.count({ where: { keyId: id } })).toBe(1);
  });
});

describe("persons of keys that a key created", () => {
  const personal = {
    knowledge_scopes: ["personal_kb"] as "personal_kb"[],
    scopes: ["kb:search" as const, "kb:documents:write" as const, "kb:documents:read" as const],
  };

  it("belong to it: the same reference under another key is someone else", async () => {
    const { ctx } = await makeAccount();
    const platforms = await Promise.all(
      ["a", "b"].map((person) => makeKey(ctx, { knowledge_scopes: ["personal_kb"], person })),
    );
    const console = await makeKey(ctx, { ...personal, person: "patient-1" });
    const issued = await Promise.all(
      platforms.map(({ secret }) => create(secret, { ...personal, person: "patient-1" })),
    );
    for (const { json } of issued) {
      expect(json.person).toEqual({ kind: "external", reference: "patient-1" });
    }
    const [first = "", second = ""] = issued.map(({ json }) => json.secret);
    const body = { scope: "personal_kb", text: "Takes warfarin." };
    const { json: document } = await call("POST", "/v1/kb/documents", { key: first, body });
    const statusFor = async (key: string) =>
      (await call("GET", `/v1/kb/documents/${document.id}`, { key })).status;
    expect(await statusFor(first)).toBe(200);
    for (const key of [second, console.secret, ...platforms.map(({ secret }) => secret)]) {
      expect(await statusFor(key)).toBe(404);
    }
    const again = await create(platforms[0]?.secret ?? "", { ...personal, person: "patient-1" });
    expect(await statusFor(again.json.secret)).toBe(200);
  });

  it("are reached in the console by the creator's id and the reference", async () => {
    const { ctx } = await makeAccount();
    const { id, secret } = await makeKey(ctx, { knowledge_scopes: ["personal_kb"], person: "a" });
    const issued = await create(secret, { ...personal, person: "patient-1" });
    const reference = `${id}/patient-1`;
    expect((await getKey(ctx, issued.json.id)).person?.reference).toBe(reference);
    const own = await makeKey(ctx, { ...personal, person: reference });
    const rows = await db().apiKey.findMany({ where: { id: { in: [own.id, issued.json.id] } } });
    expect(new Set(rows.map(({ personId }) => personId)).size).toBe(1);
  });

  it("are the creator's where a key names none", async () => {
    const { ctx } = await makeAccount();
    const { secret, id } = await makeKey(ctx, { knowledge_scopes: ["personal_kb"], person: "a" });
    const { json } = await create(secret, personal);
    const rows = await db().apiKey.findMany({ where: { id: { in: [id, json.id] } } });
    expect(new Set(rows.map(({ personId }) => personId)).size).toBe(1);
  });
});

describe("keys that a key didn't create", () => {
  it("aren't found, in the same account or another", async () => {
    const { ctx, key, keyId } = await makeKeyedAccount();
    const other = await makeKey(ctx);
    const theirs = await create(other.secret);
    const outside = await create((await makeKeyedAccount()).key);
    const mine = await create(key);
    const ids = [keyId, other.id, theirs.json.id, outside.json.id, "key_1"];
    for (const id of ids) {
      for (const method of ["GET", "DELETE"]) {
        const { status, json } = await call(method, `/v1/keys/${id}`, { key });
        expect([status, json.error.code]).toEqual([404, "not_found"]);
      }
    }
    const { json } = await call("GET", "/v1/keys", { key });
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([mine.json.id]);
    expect((await get(other.secret, theirs.json.id)).json.status).toBe("usable");
  });

  it("aren't listed", async () => {
    const { ctx, key } = await makeKeyedAccount();
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      ids.unshift((await create(key, { name })).json.id);
      await makeKey(ctx);
    }
    const first = await call("GET", "/v1/keys?limit=2", { key });
    const second = await call("GET", `/v1/keys?limit=2&after=${first.json.next_cursor}`, { key });
    const listed = [...first.json.data, ...second.json.data].map(({ id }) => id);
    expect(listed).toEqual(ids);
    expect([first.json.has_more, second.json.has_more]).toEqual([true, false]);
  });
});

describe("revoking", () => {
  it("ends the key at once, repeatedly, and records who did it", async () => {
    const { key, keyId } = await makeKeyedAccount();
    const { json } = await create(key);
    const [first, second] = [
      await call("DELETE", `/v1/keys/${json.id}`, { key }),
      await call("DELETE", `/v1/keys/${json.id}`, { key }),
    ];
    expect([first.status, first.json.status]).toEqual([200, "revoked"]);
    expect(second.json).toEqual(first.json);
    expect((await call("GET", "/v1/models", { key: json.secret })).status).toBe(403);
    const where = { objectId: json.id, action: "key.revoked" };
    expect(await db().auditEvent.findMany({ where })).toMatchObject([{ actorId: keyId }]);
  });

  it("revokes the keys that it created, and no others", async () => {
    const { ctx, key, keyId } = await makeKeyedAccount();
    const other = await makeKey(ctx);
    const [child, stranger] = [await create(key), await create(other.secret)];
    await revokeKey(ctx, keyId);
    expect((await getKey(ctx, child.json.id)).status).toBe("revoked");
    expect((await getKey(ctx, stranger.json.id)).status).toBe("usable");
    const where = { objectId: child.json.id, action: "key.revoked" };
    expect(await db().auditEvent.count({ where })).toBe(1);
  });

  it("leaves no usable key behind that was being created meanwhile", async () => {
    const { ctx, key, keyId } = await makeKeyedAccount();
    const [, ...made] = await Promise.all([
      revokeKey(ctx, keyId),
      ...Array.from({ length: 6 }, () => create(key)),
    ]);
    expect(made.every(({ status }) => status === 201 || status === 403)).toBe(true);
    const { data } = await listKeys(ctx, { limit: 50 });
    expect(data.filter(({ status }) => status === "usable")).toEqual([]);
  });

  it("also happens when the member whose documents it reads is removed", async () => {
    const { ctx } = await makeAccount();
    const ana = await join(ctx);
    const parent = await makeKey(ana, { knowledge_scopes: ["public_kb", "personal_kb"] });
    const child = await create(parent.secret);
    const { revoked_keys } = await removeMember(ctx, ana.actor.id);
    expect(revoked_keys.map(({ id }) => id)).toEqual([parent.id, child.json.id]);
    expect((await getKey(ctx, child.json.id)).status).toBe("revoked");
  });
});

describe("a key that a key created, in the console", () => {
  it("is managed by the member who created its creator, and by owners", async () => {
    const { ctx } = await makeAccount();
    const [ana, ben] = [await join(ctx), await join(ctx)];
    const { secret } = await makeKey(ana);
    const { id } = (await create(secret)).json;
    expect((await getKey(ana, id)).permissions).toEqual(["change", "revoke"]);
    expect((await getKey(ben, id)).permissions).toEqual([]);
    expect((await updateKey(ctx, id, { name: "Ward" })).name).toBe("Ward");
  });
});
