import { describe, expect, it } from "vitest";
import { db } from "@/lib/db";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { listKeys } from "./read";
import { CreateKey } from "./schema";
import { createKey, revokeKey } from "./write";

const wanted = {
  name: "Ward bot",
  mode: "live" as const,
  scopes: ["chat:completions" as const],
  knowledge_scopes: ["public_kb" as const, "personal_kb" as const],
};

describe("keys", () => {
  it("show their secret once and store its hash alone", async () => {
    const { ctx } = await makeAccount();
    const { key, secret } = await createKey(ctx, wanted);
    const row = await db().apiKey.findUniqueOrThrow({ where: { id: key.id } });
    const page = await listKeys(ctx, { limit: 10 });
    expect(key.display).toBe(`footnote_live_…${secret.slice(-4)}`);
    expect(
      JSON.stringify({ row: { ...row, hash: Buffer.from(row.hash).toString("hex") }, page }),
    ).not.toContain(secret.slice(14, -4));
    expect(page.data[0]).not.toHaveProperty("hash");
  });

  it("with personal_kb are bound to the member, or to a reference of the caller's own", async () => {
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
      [patient, again].map(({ key }) => db().apiKey.findUniqueOrThrow({ where: { id: key.id } })),
    );
    expect(a?.personId).toBe(b?.personId);
  });

  it("take only models that exist", async () => {
    const { ctx } = await makeAccount();
    await expect(createKey(ctx, { ...wanted, models: ["scripted", "nope"] })).rejects.toMatchObject(
      {
        code: "invalid_request",
        param: "models.1",
      },
    );
  });

  it("are revoked once, and only by their own account", async () => {
    const { ctx } = await makeAccount();
    const stranger = await makeAccount();
    const { id } = await makeKey(ctx);
    await expect(revokeKey(stranger.ctx, id)).rejects.toMatchObject({ code: "not_found" });
    const first = await revokeKey(ctx, id);
    const second = await revokeKey(ctx, id);
    expect(first.status).toBe("revoked");
    expect(second.revoked_at).toBe(first.revoked_at);
  });

  it("are listed newest first, page by page, their own account's alone", async () => {
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

describe("what a member may ask for", () => {
  const refused: [string, object, string][] = [
    ["no name", { name: " " }, "name"],
    ["no scope", { scopes: [] }, "scopes"],
    ["an unknown scope", { scopes: ["admin"] }, "scopes.0"],
    ["an unknown knowledge scope", { knowledge_scopes: ["web"] }, "knowledge_scopes.0"],
    ["a scope twice", { scopes: ["kb:search", "kb:search"] }, "scopes"],
    ["a person without personal_kb", { knowledge_scopes: ["public_kb"], person: "p" }, "person"],
    ["an expiry in the past", { expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    ["an expiry that is no time", { expires_at: "soon" }, "expires_at"],
    ["a field that is not known", { admin: true }, ""],
  ];

  it.each(refused)("does not include %s", (_name, change, path) => {
    const { error } = CreateKey.safeParse({ ...wanted, ...change });
    expect(error?.issues[0]?.path.join(".")).toBe(path);
  });
});
