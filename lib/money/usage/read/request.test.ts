import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { db } from "@/lib/platform/db/client";
import { makeAccount, makeKeyedAccount } from "@/lib/testing/factories";
import { findRequest } from "./request";

async function addRecord(account: { id: string; keyId: string }, fields: Record<string, unknown>) {
  const { id } = await db().usageRecord.create({
    data: {
      ...{ id: newId("request"), accountId: account.id, keyId: account.keyId },
      ...{ endpoint: "/v1/chat/completions", kind: "grounded", costMicros: 7n, status: 200 },
      ...{ rate: { input: 1, output: 4 }, latencyMs: 50, promptTokens: 3, completionTokens: 1 },
      ...fields,
    },
  });
  return id;
}

async function addDocument(scope: string, owner: { account?: string; person?: string }) {
  const collectionId =
    scope === "public_kb" ? scope : `${scope}:${owner.person ?? owner.account ?? ""}`;
  const ids = { accountId: owner.account ?? PUBLIC_ACCOUNT_ID, personId: owner.person ?? null };
  await db().collection.upsert({
    where: { id_accountId: { id: collectionId, accountId: ids.accountId } },
    create: { id: collectionId, scope, ...ids },
    update: {},
  });
  const id = newId("document");
  await db().document.create({
    data: {
      ...{ id, collectionId, scope, accountId: ids.accountId, title: `Title of ${id}` },
      ...{ sourceType: "text", mediaType: "text/plain", sizeBytes: 1 },
      contentHash: Buffer.from(id),
    },
  });
  return id;
}

async function addPerson(accountId: string, kind: string, reference: string) {
  const id = newId("person");
  await db().person.create({ data: { id, accountId, kind, reference } });
  return id;
}

function source(document_id: string, scope: string, id: number) {
  return { id, document_id, chunk_id: `chk_${id}`, scope, similarity: 0.5, cited: id === 1 };
}

describe("one request", () => {
  it("is returned with its key, charge and details", async () => {
    const account = await makeKeyedAccount();
    const details = {
      stages_ms: { retrieval: 10, model: 38 },
      verification: { sentences: 2, cited: 1, method: "rules" },
      error_code: "upstream_error",
    };
    const id = await addRecord(account, { details, status: 502 });
    expect(await findRequest(account.ctx, id)).toMatchObject({
      id,
      key_name: "test",
      key_display: expect.stringMatching(/^footnote_test_.*….{4}$/),
      is_playground: false,
      error_code: "upstream_error",
      charge: { exact_usd: "0.000007", charged_usd: "0.000007" },
      details,
      sources: [],
    });
  });

  it("is null for another account's id, an unknown id and an invalid one", async () => {
    const account = await makeKeyedAccount();
    const { ctx } = await makeAccount();
    const id = await addRecord(account, {});
    for (const asked of [id, "req_none", "", "%' OR true --"]) {
      expect(await findRequest(ctx, asked)).toBeNull();
    }
  });

  it("is returned for a deleted key, and without details that are invalid", async () => {
    const account = await makeKeyedAccount();
    const id = await addRecord(account, { details: { stages_ms: "fast" }, keyId: "key_gone" });
    expect(await findRequest(account.ctx, id)).toMatchObject({
      ...{ details: {}, sources: [], key_name: null, key_display: null },
    });
  });

  it("names only the sources that the member may open", async () => {
    const account = await makeKeyedAccount();
    const other = await makeAccount();
    const mine = await addPerson(account.id, "member", account.ctx.actor.id);
    const patient = await addPerson(account.id, "external", account.ctx.actor.id);
    const colleague = await addPerson(account.id, "member", newId("member"));
    const open = [
      source(await addDocument("public_kb", {}), "public_kb", 1),
      source(await addDocument("customer_kb", { account: account.id }), "customer_kb", 2),
      source(
        await addDocument("personal_kb", { account: account.id, person: mine }),
        "personal_kb",
        3,
      ),
    ];
    const closed = await Promise.all(
      [patient, colleague].map(async (person, index) =>
        source(
          await addDocument("personal_kb", { account: account.id, person }),
          "personal_kb",
          4 + index,
        ),
      ),
    );
    const gone = [
      source(newId("document"), "customer_kb", 6),
      source(await addDocument("customer_kb", { account: other.id }), "customer_kb", 7),
    ];
    const id = await addRecord(account, { details: { sources: [...open, ...closed, ...gone] } });
    const record = await findRequest(account.ctx, id);
    const sources = record?.sources ?? [];
    expect(sources.map(({ id: number, state }) => [number, state])).toEqual([
      [1, "visible"],
      [2, "visible"],
      [3, "visible"],
      [4, "personal"],
      [5, "personal"],
      [6, "deleted"],
      [7, "deleted"],
    ]);
    expect(sources[1]).toEqual({
      chunk_id: "chk_2",
      ...{ id: 2, scope: "customer_kb", similarity: 0.5, cited: false },
      ...{ state: "visible", document_id: open[1]?.document_id },
      title: `Title of ${open[1]?.document_id}`,
    });
    const told = JSON.stringify(record);
    for (const { document_id } of [...closed, ...gone]) {
      expect(told).not.toContain(document_id);
    }
  });
});
