import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { revokeKey, rotateKey } from "@/lib/money/keys/write/keys";
import { closeAccount } from "@/lib/operations/accounts/write";
import { SCOPES } from "@/lib/platform/auth/schema";
import { generateApiKey } from "@/lib/platform/auth/secret";
import { db } from "@/lib/platform/db/client";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { embedWithFake } from "@/lib/testing/fake-embedder";
import { issueKey } from "@/lib/testing/issue-key";
import {
  anyAnswer,
  makeKeyPair,
  makeStoredAnswer,
  makeStoredResponse,
} from "@/lib/testing/stored-answer";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";
import {
  type Attempt,
  expectAnswered,
  expectError,
  expectNoLeak,
  expectUnchanged,
  kindOf,
  send,
  unknownId,
  visible,
} from "./attempts";
import { makeCheckout } from "./checkouts";
import { endpoints, hasParameter, operations } from "./endpoints";
import {
  createFixture,
  type Fixture,
  fillTables,
  type Kind,
  makePreset,
  makeUpload,
  stopClocks,
  TOPIC,
  textOf,
  upload,
} from "./fixtures";
import { makeStore } from "./make-store";
import { snapshotOf, unknownTables } from "./snapshot";
import { withoutPredicates } from "./without-predicates";

const secretOf = ({ secret }: Fixture) => secret;
const question = [{ role: "user", content: TOPIC }];

/** One attempt per operation in public/openapi.json. */
const OPERATIONS: Record<string, Attempt> = {
  "GET /v1/billing/checkout-config": {},
  "POST /v1/billing/checkout-sessions": {
    body: { amount: 2500 },
    headers: { "idempotency-key": "order-1" },
  },
  "GET /v1/billing/checkout-sessions/{id}": { id: "checkout" },
  "GET /v1/billing/credits": {},
  "GET /v1/billing/ledger": {
    query: ({ ids }: Fixture) => `?after=${ids.ledgerEntry}`,
    expects: ({ id }: Fixture) => id,
  },
  "GET /v1/billing/usage": { query: "?group_by=key", expects: secretOf },
  "GET /v1/chat/completions": { expects: secretOf },
  "POST /v1/chat/completions": {
    body: { model: "footnote-extract-1", messages: question, citations: { enabled: true } },
    expects: secretOf,
  },
  "GET /v1/chat/completions/{completion_id}": { id: "completion", expects: secretOf },
  "POST /v1/chat/completions/{completion_id}": { id: "completion", body: { metadata: { a: "b" } } },
  "DELETE /v1/chat/completions/{completion_id}": { id: "completion" },
  "GET /v1/chat/completions/{completion_id}/messages": { id: "completion" },
  "POST /v1/citations/verify": { body: { text: `${TOPIC} [1].`, sources: [{ text: TOPIC }] } },
  "POST /v1/citations/verify/batch": {
    body: { text: `${TOPIC} [1].`, sources: [{ text: TOPIC }] },
    mediaType: "application/jsonl",
  },
  "POST /v1/embeddings": { body: { model: "scripted", input: TOPIC } },
  "GET /v1/files": { expects: secretOf },
  "POST /v1/files": { body: { purpose: "user_data", text: "Opens at seven." } },
  "GET /v1/files/{file_id}": { id: "document", expects: ({ ids }: Fixture) => ids.document },
  "DELETE /v1/files/{file_id}": { id: "document" },
  "GET /v1/files/{file_id}/content": { id: "document", expects: secretOf },
  "GET /v1/kb/documents": { expects: secretOf },
  "POST /v1/kb/documents": {
    body: ({ secret }: Fixture) => ({ scope: "customer_kb", text: textOf(secret) }),
  },
  "POST /v1/kb/documents/update": {
    body: { ids: ["doc_unknown"], attributes: { team: "legal" } },
  },
  "POST /v1/kb/documents/delete": { body: { scope: "customer_kb", external_ids: ["handbook/7"] } },
  "GET /v1/kb/documents/{id}": { id: "document", expects: secretOf },
  "PATCH /v1/kb/documents/{id}": { id: "document", body: { standing: "superseded" } },
  "DELETE /v1/kb/documents/{id}": { id: "document" },
  "GET /v1/kb/documents/{id}/content": { id: "document", expects: secretOf },
  "GET /v1/kb/documents/{id}/pages/{page}": { id: "pdf", expects: () => "PNG" },
  "GET /v1/kb/documents/{id}/quote": { id: "document", query: "?ref=0-9-0123456789ab" },
  "GET /v1/kb/documents/{id}/text": { id: "document", expects: secretOf },
  "GET /v1/kb/jobs/{job_id}": { id: "job" },
  "POST /v1/kb/jobs/{job_id}/cancel": { id: "job" },
  "POST /v1/kb/search": { body: { query: TOPIC }, expects: secretOf },
  "GET /v1/keys": { expects: secretOf },
  "POST /v1/keys": { body: { name: "isolated", mode: "test", scopes: ["kb:search"] } },
  "GET /v1/keys/{id}": { id: "issuedKey", expects: secretOf },
  "PATCH /v1/keys/{id}": { id: "issuedKey", body: { name: "isolated" } },
  "DELETE /v1/keys/{id}": { id: "issuedKey" },
  "POST /v1/keys/{id}/rotate": { id: "issuedKey", body: { overlap_seconds: 3600 } },
  "GET /v1/models": {},
  "GET /v1/models/{model}": { id: { shared: "footnote-extract-1" } },
  "GET /v1/presets": { expects: secretOf },
  "POST /v1/presets": {
    body: { name: "isolated", model: "footnote-extract-1", citations: { top_k: 3 } },
  },
  "GET /v1/presets/{id}": { id: "preset", expects: secretOf },
  "POST /v1/presets/{id}": { id: "preset", body: { citations: {} } },
  "DELETE /v1/presets/{id}": { id: "preset" },
  "POST /v1/responses": {
    body: {
      model: "footnote-extract-1",
      input: TOPIC,
      tools: [{ type: "file_search", vector_store_ids: ["customer_kb"] }],
      include: ["file_search_call.results"],
    },
    expects: secretOf,
  },
  "GET /v1/responses/{response_id}": { id: "response", expects: secretOf },
  "DELETE /v1/responses/{response_id}": { id: "response" },
  "GET /v1/responses/{response_id}/input_items": { id: "response" },
  "POST /v1/responses/{response_id}/cancel": {
    id: { shared: "resp_1" },
    refusal: { status: 400, code: "invalid_request" },
  },
  "GET /v1/vector_stores": { expects: secretOf },
  "POST /v1/vector_stores": { body: { name: "isolated" } },
  "GET /v1/vector_stores/{vector_store_id}": { id: "store", expects: secretOf },
  "POST /v1/vector_stores/{vector_store_id}": { id: "store", body: { name: "isolated" } },
  "DELETE /v1/vector_stores/{vector_store_id}": { id: "store" },
  "GET /v1/vector_stores/{vector_store_id}/files": {
    id: "store",
    expects: ({ ids }: Fixture) => ids.document,
  },
  "POST /v1/vector_stores/{vector_store_id}/files": {
    id: "store",
    body: ({ ids }: Fixture) => ({ file_id: ids.document }),
    expects: ({ ids }: Fixture) => ids.document,
  },
  "GET /v1/vector_stores/{vector_store_id}/files/{file_id}": { id: "storeFile" },
  "POST /v1/vector_stores/{vector_store_id}/files/{file_id}": {
    id: "storeFile",
    body: { attributes: { a: "b" } },
  },
  "DELETE /v1/vector_stores/{vector_store_id}/files/{file_id}": { id: "storeFile" },
  "GET /v1/vector_stores/{vector_store_id}/files/{file_id}/content": {
    id: "storeFile",
    expects: secretOf,
  },
  "POST /v1/vector_stores/{vector_store_id}/search": {
    id: "store",
    body: { query: TOPIC },
    expects: secretOf,
  },
  "POST /v1/vector_stores/{vector_store_id}/file_batches": {
    id: "store",
    body: ({ ids }: Fixture) => ({ file_ids: [ids.document] }),
    expects: () => "vsfb_",
  },
  "GET /v1/vector_stores/{vector_store_id}/file_batches/{batch_id}": { id: "storeBatch" },
  "POST /v1/vector_stores/{vector_store_id}/file_batches/{batch_id}/cancel": { id: "storeBatch" },
  "GET /v1/vector_stores/{vector_store_id}/file_batches/{batch_id}/files": { id: "storeBatch" },
  "POST /v1/uploads": { body: { bytes: 10, filename: "a.txt", purpose: "user_data" } },
  "GET /v1/uploads/{id}": { id: "upload", expects: secretOf },
  // The upload is found before the body is looked at, which isn't a form.
  "POST /v1/uploads/{id}/parts": {
    id: "upload",
    body: { data: "text" },
    refusal: { status: 415, code: "unsupported_media_type" },
  },
  "POST /v1/uploads/{id}/complete": { id: "upload", body: {} },
  "POST /v1/uploads/{id}/cancel": { id: "upload" },
};

/** The lists whose cursor could be another account's id. */
const CURSORS: Record<string, Kind> = {
  "GET /v1/chat/completions": "completion",
  "GET /v1/files": "document",
  "GET /v1/kb/documents": "document",
  "GET /v1/keys": "issuedKey",
  "GET /v1/presets": "preset",
};

const rows = Object.entries(OPERATIONS).map(([endpoint, attempt]) => ({ endpoint, attempt }));
const withId = rows.filter(({ attempt }) => kindOf(attempt));
const withoutId = rows.filter(({ attempt }) => !kindOf(attempt));

const OTHERS = ["a key of another person", "a key without a person"] as const;
const BOUND = "a key that is bound to another store";

let victim: Fixture;
/** Keys of the victim's account that are invalid or lack a scope. */
let invalidKeys: Record<"revoked" | "expired" | "replaced", string>;
let keysWithout: Record<string, string>;
/**
 * A key of another account, two keys of the victim's account that aren't bound to the owner, and one that is bound to an empty
 * store.
 */
let attackerKey: string;
let others: Record<(typeof OTHERS)[number], string>;
let boundKey: string;

beforeAll(async () => {
  embedWithFake();
  await startBackgroundWork();
  victim = await createFixture();
  await stopBackgroundWork();
  await fillTables(victim);
  invalidKeys = await makeInvalidKeys(victim);
  const without = (scopes: string) => SCOPES.filter((each) => !scopes.split(" or ").includes(each));
  const pairs = [...new Set(Object.values(operations))].map(async (scopes) => [
    scopes,
    (await makeKey(victim.ctx, { scopes: without(scopes) })).secret,
  ]);
  keysWithout = Object.fromEntries(await Promise.all(pairs));
  attackerKey = (await makeKey((await makeAccount()).ctx)).secret;
  const knowledge_scopes = ["customer_kb", "personal_kb"] as ("customer_kb" | "personal_kb")[];
  const patient = await makeKey(victim.ctx, { knowledge_scopes, person: "patient-2" });
  others = { "a key of another person": patient.secret, "a key without a person": victim.key };
  const empty = await send(
    { key: victim.key },
    { endpoint: "POST /v1/vector_stores", attempt: { body: { name: "empty" } }, victim },
  );
  boundKey = (await makeKey(victim.ctx, { stores: [String(empty.json?.id)] })).secret;
  await stopClocks();
});
afterAll(() => closeAccount(victim.ctx, { confirmation: victim.secret }));

async function makeInvalidKeys({ ctx }: Fixture) {
  const [revoked, expired, replaced] = await Promise.all([
    makeKey(ctx),
    makeKey(ctx),
    makeKey(ctx),
  ]);
  await revokeKey(ctx, revoked.id);
  await db().apiKey.updateMany({ where: { id: expired.id }, data: { expiresAt: new Date(0) } });
  await rotateKey(ctx, replaced.id, { overlap_seconds: 3600 });
  await db().keySecret.updateMany({
    where: { keyId: replaced.id, expiresAt: { not: null } },
    data: { expiresAt: new Date(0) },
  });
  return { revoked: revoked.secret, expired: expired.secret, replaced: replaced.secret };
}

/** Creates a new account with a row of the given kind. */
async function makeOwn(kind: Kind): Promise<{ key: string; id: string }> {
  const { ctx } = await makeAccount();
  const pair = await makeKeyPair(ctx);
  const made = async () => {
    switch (kind) {
      case "completion":
        return makeStoredAnswer(pair.ctx, { response: anyAnswer() });
      case "response":
        return makeStoredResponse(pair.ctx);
      case "checkout":
        return makeCheckout(pair.secret);
      case "preset":
        return makePreset(pair.secret, "own");
      case "issuedKey":
        return issueKey(pair.secret, "own");
      case "upload":
        return makeUpload({ key: pair.secret }, newId("person"));
      default: {
        const { json } = await upload(pair.secret, {
          scope: "customer_kb",
          secret: newId("person"),
        });
        if (kind === "store" || kind === "storeFile" || kind === "storeBatch") {
          return (await makeStore(pair.secret, { file: json.id, secret: "own" }))[kind];
        }
        return kind === "job" ? json.job_id : json.id;
      }
    }
  };
  return { key: pair.secret, id: await made() };
}

const CREDENTIALS: [name: string, headers: () => Record<string, string>, number, string][] = [
  ["a missing credential", () => ({}), 401, "missing_api_key"],
  [
    "another authentication scheme",
    () => ({ authorization: "Basic Zm9v" }),
    401,
    "missing_api_key",
  ],
  ["an empty bearer", () => ({ authorization: "Bearer " }), 401, "missing_api_key"],
  ["a malformed key", () => bearer(`${victim.key}x`), 403, "invalid_api_key"],
  ["an unknown key", () => bearer(generateApiKey("live")), 403, "invalid_api_key"],
  ["a revoked key", () => bearer(invalidKeys.revoked), 403, "invalid_api_key"],
  ["an expired key", () => bearer(invalidKeys.expired), 403, "invalid_api_key"],
  ["a rotated key's old secret", () => bearer(invalidKeys.replaced), 403, "invalid_api_key"],
];

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

describe("the attempts against the public API", () => {
  it("cover exactly the operations in openapi.json", () => {
    const missing = Object.keys(operations).filter((name) => !OPERATIONS[name]);
    const gone = Object.keys(OPERATIONS).filter((name) => !operations[name]);
    const idless = rows.filter(
      ({ endpoint, attempt }) => hasParameter(endpoint) !== (attempt.id !== undefined),
    );
    expect(missing, "add an attempt to OPERATIONS for each of these").toEqual([]);
    expect(gone, "these operations no longer exist: remove their attempts").toEqual([]);
    expect(idless, "set `id` if and only if the path has a parameter").toEqual([]);
  });

  it("cover every method of every route file under /v1", () => {
    const files = endpoints.filter((name) => name.split(" ")[1]?.startsWith("/v1"));
    expect(files.toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it("compare snapshots of every table, each with a row of the victim", async () => {
    expect(await unknownTables(), "add these tables to OWNED or UNOWNED").toEqual([]);
    const snapshot = Object.entries(await snapshotOf(victim.id));
    expect(snapshot.filter(([, value]) => value.startsWith("0 rows"))).toEqual([]);
  });
});

describe.each(rows)("$endpoint", ({ endpoint, attempt }) => {
  it.each(CREDENTIALS)("rejects %s and changes nothing", async (_name, headers, status, code) => {
    const answer = await expectUnchanged(victim, () =>
      send({ headers: headers() }, { endpoint, attempt, victim }),
    );
    expectError(answer, status, code);
    expectNoLeak(answer, victim);
  });

  it("rejects a key without its scope and changes nothing", async () => {
    const key = keysWithout[operations[endpoint] ?? ""];
    const answer = await expectUnchanged(victim, () =>
      send({ key }, { endpoint, attempt, victim }),
    );
    expectError(answer, 403, "insufficient_scope");
    expectNoLeak(answer, victim);
  });

  it("responds to an authorized key", async () => {
    const kind = kindOf(attempt);
    const own = kind && !attempt.expects ? await makeOwn(kind) : { key: victim.key };
    const answer = await send({ key: own.key }, { endpoint, attempt, victim, ...own });
    expectAnswered(answer, attempt.expects?.(victim) ?? "", attempt.refusal);
  });
});

describe.each(withId)("$endpoint", ({ endpoint, attempt }) => {
  it("hides another account's row as if it didn't exist", async () => {
    const answer = await expectUnchanged(victim, () =>
      send({ key: attackerKey }, { endpoint, attempt, victim }),
    );
    expectError(answer, 404, "not_found");
    const id = unknownId(kindOf(attempt) as Kind);
    const twin = await send({ key: attackerKey }, { endpoint, attempt, victim, id });
    expect(visible(answer)).toEqual(visible(twin));
  });
});

/** These belong to the whole account. */
const SHARED: (Kind | null)[] = ["checkout", "preset"];
const ofPersons = withId.filter(({ attempt }) => !SHARED.includes(kindOf(attempt)));

describe.each(ofPersons)("$endpoint", ({ endpoint, attempt }) => {
  it.each([...OTHERS, BOUND] as const)(
    "hides a row from %s of the same account that may not read it",
    async (who) => {
      const kind = kindOf(attempt) as keyof Fixture["personal"];
      const [key, id, reader] =
        who === BOUND
          ? [boundKey, victim.ids[kind], victim.key]
          : [others[who], victim.personal[kind], victim.personalKey];
      const answer = await expectUnchanged(victim, () =>
        send({ key }, { endpoint, attempt, victim, id }),
      );
      expectError(answer, 404, "not_found");
      const twin = await send({ key }, { endpoint, attempt, victim, id: unknownId(kind) });
      expect(visible(answer)).toEqual(visible(twin));
      if (endpoint.startsWith("GET ")) {
        const own = await send({ key: reader }, { endpoint, attempt, victim, id });
        expect(own.status).toBe(200);
      }
    },
  );
});

const ofDocuments = withoutId.filter(
  ({ endpoint }) => !/\/v1\/(billing|models|presets)/.test(endpoint),
);

describe.each(ofDocuments)("$endpoint", ({ endpoint, attempt }) => {
  it(`leaks no document to ${BOUND}`, async () => {
    const { text, status } = await send({ key: boundKey }, { endpoint, attempt, victim });
    expect(status, text).toBeLessThan(500);
    const { document, pdf, job, completion, response, store, upload } = victim.ids;
    const theirs = [victim.secret, document, pdf, job, completion, response, store, upload];
    expect(theirs.filter((each) => text.includes(each))).toEqual([]);
  });
});

describe.each(withoutId)("$endpoint", ({ endpoint, attempt }) => {
  it("leaks nothing to another account", async () => {
    const answer = await expectUnchanged(victim, () =>
      send({ key: attackerKey }, { endpoint, attempt, victim }),
    );
    expectAnswered(answer, "", attempt.refusal);
    expectNoLeak(answer, victim);
  });
});

describe.each(Object.entries(CURSORS))("%s", (endpoint, kind) => {
  it("returns nothing for another account's cursor", async () => {
    const attempt = { query: `?after=${victim.ids[kind]}` };
    const answer = await expectUnchanged(victim, () =>
      send({ key: attackerKey }, { endpoint, attempt, victim }),
    );
    expect(answer.json?.data).toEqual([]);
  });
});

describe("a key of another person", () => {
  it.each([
    "GET /v1/kb/documents",
    "GET /v1/files",
    "GET /v1/chat/completions",
    "POST /v1/kb/search",
  ])("gets no personal rows from %s", async (endpoint) => {
    const attempt = OPERATIONS[endpoint] as Attempt;
    const mine = await send({ key: victim.personalKey }, { endpoint, attempt, victim });
    expect(mine.text).toContain(personalIdIn(endpoint));
    for (const key of Object.values(others)) {
      const answer = await send({ key }, { endpoint, attempt, victim });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(personalIdIn(endpoint));
    }
  });

  function personalIdIn(endpoint: string): string {
    return endpoint.includes("/chat/") ? victim.personal.completion : victim.personal.document;
  }
});

describe.each(withId)(
  "$endpoint, without the application's predicates",
  ({ endpoint, attempt }) => {
    it("still hides another account's row", async () => {
      const { result: answer, stripped } = await withoutPredicates(() =>
        expectUnchanged(victim, () => send({ key: attackerKey }, { endpoint, attempt, victim })),
      );
      expectError(answer, 404, "not_found");
      expect(stripped.size).toBeGreaterThan(0);
    });
  },
);

describe.each(withoutId)(
  "$endpoint, without the application's predicates",
  ({ endpoint, attempt }) => {
    it("still leaks nothing to another account", async () => {
      // A new account, whose rows contain nothing from earlier attempts.
      const { secret: key } = await makeKey((await makeAccount()).ctx);
      const { result: answer } = await withoutPredicates(() =>
        expectUnchanged(victim, () => send({ key }, { endpoint, attempt, victim })),
      );
      expect(answer.status, answer.text).toBeLessThan(500);
      expectNoLeak(answer, victim);
    });
  },
);
