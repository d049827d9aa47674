import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAccount } from "@/lib/accounts/write";
import { SCOPES, type Scope } from "@/lib/auth/schema";
import { generateApiKey } from "@/lib/auth/secret";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/id";
import { revokeKey, rotateKey } from "@/lib/keys/write/keys";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { anyAnswer, makeKeyPair, makeStoredAnswer } from "@/lib/testing/stored-answer";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";
import {
  type Ask,
  expectAnswered,
  expectError,
  expectSilence,
  kindOf,
  leavesAlone,
  nobodysId,
  send,
  visible,
} from "./attempts";
import { endpoints, hasParameter, operations } from "./endpoints";
import {
  createFixture,
  type Fixture,
  fillTables,
  type Kind,
  makeCheckout,
  stopClocks,
  TOPIC,
  textOf,
  upload,
} from "./fixtures";
import { digestOf, unknownTables } from "./snapshot";
import { withoutPredicates } from "./without-predicates";

const secretOf = ({ secret }: Fixture) => secret;
const question = [{ role: "user", content: TOPIC }];

/** One row for each operation of public/openapi.json: how it is asked. */
const OPERATIONS: Record<string, Ask> = {
  "GET /v1/billing/checkout-config": {},
  "POST /v1/billing/checkout-sessions": {
    body: { amount: 2500 },
    headers: { "idempotency-key": "order-1" },
  },
  "GET /v1/billing/credits": {},
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
  "GET /v1/kb/documents": { expects: secretOf },
  "POST /v1/kb/documents": {
    body: ({ secret }: Fixture) => ({ scope: "customer_kb", text: textOf(secret) }),
  },
  "GET /v1/kb/documents/{id}": { id: "document", expects: secretOf },
  "DELETE /v1/kb/documents/{id}": { id: "document" },
  "GET /v1/kb/documents/{id}/quote": { id: "document", query: "?ref=0-9-0123456789ab" },
  "GET /v1/kb/jobs/{job_id}": { id: "job" },
  "POST /v1/kb/jobs/{job_id}/cancel": { id: "job" },
  "POST /v1/kb/search": { body: { query: TOPIC }, expects: secretOf },
  "GET /v1/models": {},
  "GET /v1/models/{model}": { id: { shared: "footnote-extract-1" } },
};

/** The lists whose cursor may be an id of somebody else's. */
const CURSORS: Record<string, Kind> = {
  "GET /v1/chat/completions": "completion",
  "GET /v1/kb/documents": "document",
};

const rows = Object.entries(OPERATIONS).map(([endpoint, ask]) => ({ endpoint, ask }));
const withId = rows.filter(({ ask }) => kindOf(ask));
const withoutId = rows.filter(({ ask }) => !kindOf(ask));

const OTHERS = ["a key of another person", "a key of no person"] as const;

let victim: Fixture;
/** Keys of the victim's account that prove nothing, or too little. */
let spoilt: Record<"revoked" | "expired" | "replaced", string>;
let lacking: Record<Scope, string>;
/** A key of another account, and two of the victim's for other persons than the owner. */
let outsiders: string;
let others: Record<(typeof OTHERS)[number], string>;

beforeAll(async () => {
  await startBackgroundWork();
  victim = await createFixture();
  await stopBackgroundWork();
  await fillTables(victim);
  spoilt = await makeSpoiltKeys(victim);
  const without = (scope: Scope) => SCOPES.filter((each) => each !== scope);
  const pairs = SCOPES.map(async (scope) => [
    scope,
    (await makeKey(victim.ctx, { scopes: without(scope) })).secret,
  ]);
  lacking = Object.fromEntries(await Promise.all(pairs));
  outsiders = (await makeKey((await makeAccount()).ctx)).secret;
  const knowledge_scopes = ["customer_kb", "personal_kb"] as ("customer_kb" | "personal_kb")[];
  const patient = await makeKey(victim.ctx, { knowledge_scopes, person: "patient-2" });
  others = { "a key of another person": patient.secret, "a key of no person": victim.key };
  await stopClocks();
});
afterAll(() => closeAccount(victim.ctx, { confirmation: victim.secret }));

async function makeSpoiltKeys({ ctx }: Fixture) {
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

/** A new row of a kind, for an account to do with as it likes. */
async function makeOwn(kind: Kind): Promise<{ key: string; id: string }> {
  const { ctx } = await makeAccount();
  const pair = await makeKeyPair(ctx);
  const made = async () => {
    switch (kind) {
      case "completion":
        return makeStoredAnswer(pair.ctx, { response: anyAnswer() });
      case "checkout":
        return makeCheckout(pair.secret);
      default: {
        const { json } = await upload(pair.secret, {
          scope: "customer_kb",
          secret: newId("person"),
        });
        return kind === "job" ? json.job_id : json.id;
      }
    }
  };
  return { key: pair.secret, id: await made() };
}

const CREDENTIALS: [name: string, headers: () => Record<string, string>, number, string][] = [
  ["no credential", () => ({}), 401, "missing_api_key"],
  ["another scheme", () => ({ authorization: "Basic Zm9v" }), 401, "missing_api_key"],
  ["an empty bearer", () => ({ authorization: "Bearer " }), 401, "missing_api_key"],
  ["a malformed key", () => bearer(`${victim.key}x`), 403, "invalid_api_key"],
  ["an unknown key", () => bearer(generateApiKey("live")), 403, "invalid_api_key"],
  ["a revoked key", () => bearer(spoilt.revoked), 403, "invalid_api_key"],
  ["an expired key", () => bearer(spoilt.expired), 403, "invalid_api_key"],
  ["a secret that was replaced", () => bearer(spoilt.replaced), 403, "invalid_api_key"],
];

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

describe("the table of the API's operations", () => {
  it("has a row for each operation of the description, and no other", () => {
    const missing = Object.keys(operations).filter((name) => !OPERATIONS[name]);
    const gone = Object.keys(OPERATIONS).filter((name) => !operations[name]);
    const idless = rows.filter(
      ({ endpoint, ask }) => hasParameter(endpoint) !== (ask.id !== undefined),
    );
    expect(missing, "add a row to OPERATIONS that says how each of these is asked").toEqual([]);
    expect(gone, "these are no operations any more: take their rows away").toEqual([]);
    expect(idless, "say with `id` which row the path names, where it names one").toEqual([]);
  });

  it("names every method of every route file under /v1", () => {
    const files = endpoints.filter((name) => name.split(" ")[1]?.startsWith("/v1"));
    expect(files.toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it("stands on digests of every table, each with something of the victim's to lose", async () => {
    expect(await unknownTables(), "say in OWNED or NOBODYS whose rows these hold").toEqual([]);
    const digest = Object.entries(await digestOf(victim.id));
    expect(digest.filter(([, value]) => value.startsWith("0 rows"))).toEqual([]);
  });
});

describe.each(rows)("$endpoint", ({ endpoint, ask }) => {
  it.each(CREDENTIALS)("does nothing for %s", async (_name, headers, status, code) => {
    const answer = await leavesAlone(victim, () =>
      send({ headers: headers() }, { endpoint, ask, victim }),
    );
    expectError(answer, status, code);
    expectSilence(answer, victim);
  });

  it("does nothing for a key that lacks its scope", async () => {
    const key = lacking[operations[endpoint] as Scope];
    const answer = await leavesAlone(victim, () => send({ key }, { endpoint, ask, victim }));
    expectError(answer, 403, "insufficient_scope");
    expectSilence(answer, victim);
  });

  it("answers who may ask", async () => {
    const kind = kindOf(ask);
    const own = kind && !ask.expects ? await makeOwn(kind) : { key: victim.key };
    const answer = await send({ key: own.key }, { endpoint, ask, victim, ...own });
    expectAnswered(answer, ask.expects?.(victim) ?? "");
  });
});

describe.each(withId)("$endpoint", ({ endpoint, ask }) => {
  it("finds nothing of another account, just as if it did not exist", async () => {
    const answer = await leavesAlone(victim, () =>
      send({ key: outsiders }, { endpoint, ask, victim }),
    );
    expectError(answer, 404, "not_found");
    const id = nobodysId(kindOf(ask) as Kind);
    const twin = await send({ key: outsiders }, { endpoint, ask, victim, id });
    expect(visible(answer)).toEqual(visible(twin));
  });

  it.each(OTHERS)("finds nothing of a person for %s of the same account", async (who) => {
    const kind = kindOf(ask) as keyof Fixture["personal"];
    const id = victim.personal[kind];
    const key = others[who];
    const answer = await leavesAlone(victim, () => send({ key }, { endpoint, ask, victim, id }));
    expectError(answer, 404, "not_found");
    const twin = await send({ key }, { endpoint, ask, victim, id: nobodysId(kind) });
    expect(visible(answer)).toEqual(visible(twin));
    if (endpoint.startsWith("GET ")) {
      const own = await send({ key: victim.personalKey }, { endpoint, ask, victim, id });
      expect(own.status).toBe(200);
    }
  });
});

describe.each(withoutId)("$endpoint", ({ endpoint, ask }) => {
  it("gives another account nothing of the victim's", async () => {
    const answer = await leavesAlone(victim, () =>
      send({ key: outsiders }, { endpoint, ask, victim }),
    );
    expect(answer.status, answer.text).toBeLessThan(300);
    expectSilence(answer, victim);
  });
});

describe.each(Object.entries(CURSORS))("%s", (endpoint, kind) => {
  it("starts at somebody else's row without showing any", async () => {
    const ask = { query: `?after=${victim.ids[kind]}` };
    const answer = await leavesAlone(victim, () =>
      send({ key: outsiders }, { endpoint, ask, victim }),
    );
    expect(answer.json?.data).toEqual([]);
  });
});

describe("a key of another person", () => {
  it.each(["GET /v1/kb/documents", "GET /v1/chat/completions", "POST /v1/kb/search"])(
    "is shown nothing personal by %s",
    async (endpoint) => {
      const ask = OPERATIONS[endpoint] as Ask;
      const mine = await send({ key: victim.personalKey }, { endpoint, ask, victim });
      expect(mine.text).toContain(personalIdIn(endpoint));
      for (const key of Object.values(others)) {
        const answer = await send({ key }, { endpoint, ask, victim });
        expect(answer.status).toBe(200);
        expect(answer.text).not.toContain(personalIdIn(endpoint));
      }
    },
  );

  function personalIdIn(endpoint: string): string {
    return endpoint.includes("/chat/") ? victim.personal.completion : victim.personal.document;
  }
});

describe.each(withId)("$endpoint, without the application's predicates", ({ endpoint, ask }) => {
  it("finds nothing of another account all the same", async () => {
    const { result: answer, bared } = await withoutPredicates(() =>
      leavesAlone(victim, () => send({ key: outsiders }, { endpoint, ask, victim })),
    );
    expectError(answer, 404, "not_found");
    expect(bared.size).toBeGreaterThan(0);
  });
});

describe.each(withoutId)("$endpoint, without the application's predicates", ({ endpoint, ask }) => {
  it("gives another account nothing of the victim's all the same", async () => {
    // Its own rows hold nothing of what others have sent before.
    const { secret: key } = await makeKey((await makeAccount()).ctx);
    const { result: answer } = await withoutPredicates(() =>
      leavesAlone(victim, () => send({ key }, { endpoint, ask, victim })),
    );
    expect(answer.status, answer.text).toBeLessThan(500);
    expectSilence(answer, victim);
  });
});
