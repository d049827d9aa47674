import { describe, expect, it, onTestFinished } from "vitest";
import { db, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { getKey, listKeys } from "./read";
import { CreateKey } from "./schema";
import { createFirstKey, createKey, revokeKey, rotateKey, updateKey } from "./write/keys";

const wanted = {
  name: "Ward bot",
  mode: "live" as const,
  scopes: ["chat:completions" as const],
  knowledge_scopes: ["public_kb" as const, "personal_kb" as const],
};

describe("keys", () => {
  it("show their secret once and store only its hash", async () => {
    const { ctx } = await makeAccount();
    const { key, secret } = await createKey(ctx, wanted);
    const row = await db().keySecret.findFirstOrThrow({ where: { keyId: key.id } });
    const page = await listKeys(ctx, { limit: 10 });
    expect(key.display).toBe(`footnote_live_…${secret.slice(-4)}`);
    expect(
      JSON.stringify({ row: { ...row, hash: Buffer.from(row.hash).toString("hex") }, page }),
    ).not.toContain(secret.slice(14, -4));
    expect(page.data[0]).not.toHaveProperty("hash");
  });

  it("with personal_kb are bound to the member or to an external reference", async () => {
    const { ctx, email } = await makeAccount();
    const mine = await createKey(ctx, wanted);
    const patient = await createKey(ctx, { ...wanted, person: "patient-123" });
    const again = await createKey(ctx, { ...wanted, person: "patient-123" });
    const company = await createKey(ctx, {
      ...wanted,
      knowledge_scopes: ["public_kb", "customer_kb"],
    });
    expect(mine.key.person).toEqual({ kind: "member", reference: email });
    expect(patient.key.person).toEqual({ kind: "external", reference: "patient-123" });
    expect(company.key.person).toBeNull();
    const [a, b] = await Promise.all(
      [patient, again].map(({ key }) => db().apiKey.findFirstOrThrow({ where: { id: key.id } })),
    );
    expect(a?.personId).toBe(b?.personId);
  });

  it("are limited per account, also when several are created at once", async () => {
    const { ctx } = await makeAccount();
    const before = env.MAX_KEYS_PER_ACCOUNT;
    env.MAX_KEYS_PER_ACCOUNT = 3;
    onTestFinished(() => {
      env.MAX_KEYS_PER_ACCOUNT = before;
    });
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => createKey(ctx, wanted)),
    );
    const created = results.flatMap((result) =>
      result.status === "fulfilled" ? [result.value.key] : [],
    );
    expect(created).toHaveLength(3);
    await expect(createKey(ctx, wanted)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("3 active keys"),
    });
    await revokeKey(ctx, created[0]?.id ?? "");
    await expect(createKey(ctx, wanted)).resolves.toHaveProperty("secret");
  });

  it("reject unknown models", async () => {
    const { ctx } = await makeAccount();
    await expect(createKey(ctx, { ...wanted, models: ["scripted", "nope"] })).rejects.toMatchObject(
      {
        code: "invalid_request",
        param: "models.1",
      },
    );
  });

  it("can be revoked once, and only by their own account", async () => {
    const { ctx } = await makeAccount();
    const outsider = await makeAccount();
    const { id } = await makeKey(ctx);
    await expect(revokeKey(outsider.ctx, id)).rejects.toMatchObject({ code: "not_found" });
    const first = await revokeKey(ctx, id);
    const second = await revokeKey(ctx, id);
    expect(first.status).toBe("revoked");
    expect(second.revoked_at).toBe(first.revoked_at);
  });

  it("are listed newest first, in pages, and only for their own account", async () => {
    const { ctx } = await makeAccount();
    await makeKey((await makeAccount()).ctx);
    const ids = [await makeKey(ctx), await makeKey(ctx), await makeKey(ctx)]
      .map(({ id }) => id)
      .reverse();
    const first = await listKeys(ctx, { limit: 2 });
    const second = await listKeys(ctx, { limit: 2, after: first.next_cursor ?? "" });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
  });
});

describe("the first key of an account", () => {
  it("is a test key that can ask, search and upload, created once however often it is asked for", async () => {
    const { ctx } = await makeAccount();
    const results = await Promise.all([1, 2, 3].map(() => createFirstKey(ctx)));
    const made = results.flatMap(({ created }) => created ?? []);
    expect(made).toHaveLength(1);
    expect(made[0]?.key).toMatchObject({
      mode: "test",
      // The quickstart then uploads a document and asks about it.
      scopes: ["chat:completions", "kb:search", "kb:documents:read", "kb:documents:write"],
      knowledge_scopes: ["public_kb", "customer_kb"],
    });
    await revokeKey(ctx, made[0]?.key.id ?? "");
    expect((await createFirstKey(ctx)).created).toBeNull();
  });
});

describe("a rotated key", () => {
  const uses = async (secrets: string[]) =>
    Promise.all(
      secrets.map(async (key) => (await call("GET", "/v1/billing/credits", { key })).status),
    );

  it("accepts both secrets, under one rate limit, until the overlap ends", async () => {
    const { ctx } = await makeAccount();
    const { id, secret: first } = await makeKey(ctx);
    await db().apiKey.updateMany({ where: { id }, data: { requestsPerMinute: 3 } });
    const { key, secret: second } = await rotateKey(ctx, id, { overlap_seconds: 3600 });
    expect(key.id).toBe(id);
    expect(key.display).toBe(`footnote_test_…${second.slice(-4)}`);
    expect(key.replaced_secrets).toMatchObject([{ display: `footnote_test_…${first.slice(-4)}` }]);
    expect(await uses([first, second])).toEqual([200, 200]);
    expect(await uses([first])).toEqual([200]);
    expect(await uses([second])).toEqual([429]);
    await db().keySecret.updateMany({
      where: { keyId: id, expiresAt: { not: null } },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await uses([first])).toEqual([403]);
    expect((await getKey(ctx, id)).replaced_secrets).toEqual([]);
  });

  it("accepts only the new secret right away when there is no overlap", async () => {
    const { ctx } = await makeAccount();
    const { id, secret: first } = await makeKey(ctx);
    const { secret: second } = await rotateKey(ctx, id, { overlap_seconds: 0 });
    expect(await uses([first, second])).toEqual([403, 200]);
  });

  it("can shorten earlier overlaps when it is rotated again, but never extends them", async () => {
    const { ctx } = await makeAccount();
    const { id, secret: first } = await makeKey(ctx);
    await rotateKey(ctx, id, { overlap_seconds: 3600 });
    const again = await rotateKey(ctx, id, { overlap_seconds: 604_800 });
    const [second, oldest] = again.key.replaced_secrets.map(
      ({ expires_at }) => Date.parse(expires_at) - Date.now(),
    );
    expect(oldest).toBeLessThanOrEqual(3_600_000);
    expect(second).toBeGreaterThan(86_400_000);
    expect(await uses([first])).toEqual([200]);
    const last = await rotateKey(ctx, id, { overlap_seconds: 0 });
    expect(last.key.replaced_secrets).toEqual([]);
    expect(await uses([first, again.secret, last.secret])).toEqual([403, 403, 200]);
  });

  it("rejects all of its secrets once it is revoked", async () => {
    const { ctx } = await makeAccount();
    const { id, secret: first } = await makeKey(ctx);
    const { secret: second } = await rotateKey(ctx, id, { overlap_seconds: 604_800 });
    const revoked = await revokeKey(ctx, id);
    expect(revoked.replaced_secrets).toEqual([]);
    expect(await uses([first, second])).toEqual([403, 403]);
  });

  it("has one current secret after ten concurrent rotations, and all ten secrets work", async () => {
    const { ctx } = await makeAccount();
    const { id } = await makeKey(ctx);
    const made = await Promise.all(
      Array.from({ length: 10 }, () => rotateKey(ctx, id, { overlap_seconds: 3600 })),
    );
    expect(await db().keySecret.count({ where: { keyId: id, expiresAt: null } })).toBe(1);
    expect(await uses(made.map(({ secret }) => secret))).toEqual(Array(10).fill(200));
  });

  it("reports when each of its secrets was last used", async () => {
    const { ctx } = await makeAccount();
    const { id, secret: first } = await makeKey(ctx);
    const { secret: second } = await rotateKey(ctx, id, { overlap_seconds: 3600 });
    await uses([second]);
    await expect.poll(async () => (await getKey(ctx, id)).last_used_at).not.toBeNull();
    expect((await getKey(ctx, id)).replaced_secrets[0]?.last_used_at).toBeNull();
    await uses([first]);
    await expect
      .poll(async () => (await getKey(ctx, id)).replaced_secrets[0]?.last_used_at)
      .not.toBeNull();
  });

  it("is found by an index lookup on the secret's hash", async () => {
    const plan = await transaction(async (tx) => {
      // The planner prefers a sequential scan on a table this small.
      await tx.exec("SET LOCAL enable_seqscan = off");
      return tx.query<{ "QUERY PLAN": string }>(
        "keys_test_plan",
        `EXPLAIN (COSTS off) SELECT k.id FROM key_secret s JOIN api_key k ON k.id = s.key_id AND k.account_id = s.account_id
                              WHERE s.hash = '\\x00'::bytea`,
      );
    });
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toContain("Index Scan using key_secret_pkey on key_secret");
    expect(text).not.toContain("Seq Scan on key_secret");
  });
});

describe("a revoked or expired key", () => {
  it("can't be updated or rotated", async () => {
    const { ctx } = await makeAccount();
    const revoked = await makeKey(ctx);
    await revokeKey(ctx, revoked.id);
    const expired = await makeKey(ctx);
    await db().apiKey.updateMany({ where: { id: expired.id }, data: { expiresAt: new Date(0) } });
    for (const { id } of [revoked, expired]) {
      const conflict = { code: "conflict" };
      await expect(updateKey(ctx, id, { name: "x" })).rejects.toMatchObject(conflict);
      await expect(rotateKey(ctx, id, { overlap_seconds: 0 })).rejects.toMatchObject(conflict);
      expect(await db().keySecret.count({ where: { keyId: id } })).toBe(1);
    }
  });
});

describe("the CreateKey schema", () => {
  const refused: [string, object, string][] = [
    ["an empty name", { name: " " }, "name"],
    ["an empty scope list", { scopes: [] }, "scopes"],
    ["an unknown scope", { scopes: ["admin"] }, "scopes.0"],
    ["an unknown knowledge scope", { knowledge_scopes: ["web"] }, "knowledge_scopes.0"],
    ["a duplicate scope", { scopes: ["kb:search", "kb:search"] }, "scopes"],
    ["a person without personal_kb", { knowledge_scopes: ["public_kb"], person: "p" }, "person"],
    ["an expiry in the past", { expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    ["an expiry that isn't a date", { expires_at: "soon" }, "expires_at"],
    ["an unknown field", { admin: true }, ""],
  ];

  it.each(refused)("rejects %s", (_name, change, path) => {
    const { error } = CreateKey.safeParse({ ...wanted, ...change });
    expect(error?.issues[0]?.path.join(".")).toBe(path);
  });
});
