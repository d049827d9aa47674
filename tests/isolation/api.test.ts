import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "@/lib/auth/schema";
import { generateApiKey } from "@/lib/auth/secret";
import { closeAccount } from "@/lib/accounts/write";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/id";
import { startBackgroundWork, stopBackgroundWork } from "@/lib/jobs/write";
import { revokeKey, rotateKey } from "@/lib/keys/write/keys";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { anyAnswer, keepAnswer, makeKeyPair } from "@/lib/testing/stored-answer";
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
import { doors, hasParameter, operations } from "./endpoints";
import {
  fillTables,
  type Kind,
  makeCheckout,
  makeWorld,
  stopClocks,
  TOPIC,
  textOf,
  upload,
  type World,
} from "./fixtures";
import { digestOf, unknownTables } from "./snapshot";
import { withoutPredicates } from "./without-predicates";

const secretOf = ({ secret }: World) => secret;
const question = [{ role: "user", content: TOPIC }];

/** One row for each operation of public/openapi.json: how it is asked. */
const OPERATIONS: Record<string, Ask> = {
  "GET /v1/billing/checkout-config": {},
  "POST /v1/billing/checkout-sessions": {
    body: { amount: 2500 },
    headers: { "idempotency-key": "order-1" },
  },
  "GET /v1/billing/credits": {},
  "GET /v1/billing/usage": { query: "?group_by=key", tells: secretOf },
  "GET /v1/chat/completions": { tells: secretOf },
  "POST /v1/chat/completions": {
    body: { model: "footnote-extract-1", messages: question, citations: { enabled: true } },
    tells: secretOf,
  },
  "GET /v1/chat/completions/{completion_id}": { id: "completion", tells: secretOf },
  "POST /v1/chat/completions/{completion_id}": { id: "completion", body: { metadata: { a: "b" } } },
  "DELETE /v1/chat/completions/{completion_id}": { id: "completion" },
  "GET /v1/chat/completions/{completion_id}/messages": { id: "completion" },
  "GET /v1/kb/documents": { tells: secretOf },
  "POST /v1/kb/documents": {
    body: ({ secret }: World) => ({ scope: "customer_kb", text: textOf(secret) }),
  },
  "GET /v1/kb/documents/{id}": { id: "document", tells: secretOf },
  "DELETE /v1/kb/documents/{id}": { id: "document" },
  "GET /v1/kb/documents/{id}/quote": { id: "document", query: "?ref=0-9-0123456789ab" },
  "GET /v1/kb/jobs/{job_id}": { id: "job" },
  "POST /v1/kb/jobs/{job_id}/cancel": { id: "job" },
  "POST /v1/kb/search": { body: { query: TOPIC }, tells: secretOf },
  "GET /v1/models": {},
  "GET /v1/models/{model}": { id: { shared: "footnote-extract-1" } },
};

/** The lists whose cursor may be an id of somebody else's. */
const CURSORS: Record<string, Kind> = {
  "GET /v1/chat/completions": "completion",
  "GET /v1/kb/documents": "document",
};

const rows = Object.entries(OPERATIONS).map(([door, ask]) => ({ door, ask }));
const withId = rows.filter(({ ask }) => kindOf(ask));
const withoutId = rows.filter(({ ask }) => !kindOf(ask));

const OTHERS = ["a key of another person", "a key of no person"] as const;

let victim: World;
/** Keys of the victim's account that prove nothing, or too little. */
let spoilt: Record<"revoked" | "expired" | "replaced", string>;
let lacking: Record<Scope, string>;
/** A key of another account, and two of the victim's for other persons than the owner. */
let strangers: string;
let others: Record<(typeof OTHERS)[number], string>;

beforeAll(async () => {
  await startBackgroundWork();
  victim = await makeWorld();
  await stopBackgroundWork();
  await fillTables(victim);
  spoilt = await makeSpoiltKeys(victim);
  const without = (scope: Scope) => SCOPES.filter((each) => each !== scope);
  const pairs = SCOPES.map(async (scope) => [
    scope,
    (await makeKey(victim.ctx, { scopes: without(scope) })).secret,
  ]);
  lacking = Object.fromEntries(await Promise.all(pairs));
  strangers = (await makeKey((await makeAccount()).ctx)).secret;
  const knowledge_scopes = ["customer_kb", "personal_kb"] as ("customer_kb" | "personal_kb")[];
  const patient = await makeKey(victim.ctx, { knowledge_scopes, person: "patient-2" });
  others = { "a key of another person": patient.secret, "a key of no person": victim.key };
  await stopClocks();
});
afterAll(() => closeAccount(victim.ctx, { confirmation: victim.secret }));

async function makeSpoiltKeys({ ctx }: World) {
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
        return keepAnswer(pair.ctx, { response: anyAnswer() });
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
    const idless = rows.filter(({ door, ask }) => hasParameter(door) !== (ask.id !== undefined));
    expect(missing, "add a row to OPERATIONS that says how each of these is asked").toEqual([]);
    expect(gone, "these are no operations any more: take their rows away").toEqual([]);
    expect(idless, "say with `id` which row the path names, where it names one").toEqual([]);
  });

  it("names every method of every route file under /v1", () => {
    const files = doors.filter((name) => name.split(" ")[1]?.startsWith("/v1"));
    expect(files.toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it("stands on digests of every table, each with something of the victim's to lose", async () => {
    expect(await unknownTables(), "say in OWNED or NOBODYS whose rows these hold").toEqual([]);
    const digest = Object.entries(await digestOf(victim.id));
    expect(digest.filter(([, value]) => value.startsWith("0 rows"))).toEqual([]);
  });
});

describe.each(rows)("$door", ({ door, ask }) => {
  it.each(CREDENTIALS)("does nothing for %s", async (_name, headers, status, code) => {
    const answer = await leavesAlone(victim, () =>
      send({ headers: headers() }, { door, ask, victim }),
    );
    expectError(answer, status, code);
    expectSilence(answer, victim);
  });

  it("does nothing for a key that lacks its scope", async () => {
    const key = lacking[operations[door] as Scope];
    const answer = await leavesAlone(victim, () => send({ key }, { door, ask, victim }));
    expectError(answer, 403, "insufficient_scope");
    expectSilence(answer, victim);
  });

  it("answers who may ask", async () => {
    const kind = kindOf(ask);
    const own = kind && !ask.tells ? await makeOwn(kind) : { key: victim.key };
    const answer = await send({ key: own.key }, { door, ask, victim, ...own });
    expectAnswered(answer, ask.tells?.(victim) ?? "");
  });
});

describe.each(withId)("$door", ({ door, ask }) => {
  it("finds nothing of another account, just as if it did not exist", async () => {
    const answer = await leavesAlone(victim, () => send({ key: strangers }, { door, ask, victim }));
    expectError(answer, 404, "not_found");
    const id = nobodysId(kindOf(ask) as Kind);
    const twin = await send({ key: strangers }, { door, ask, victim, id });
    expect(visible(answer)).toEqual(visible(twin));
  });

  it.each(OTHERS)("finds nothing of a person for %s of the same account", async (who) => {
    const kind = kindOf(ask) as keyof World["personal"];
    const id = victim.personal[kind];
    const key = others[who];
    const answer = await leavesAlone(victim, () => send({ key }, { door, ask, victim, id }));
    expectError(answer, 404, "not_found");
    const twin = await send({ key }, { door, ask, victim, id: nobodysId(kind) });
    expect(visible(answer)).toEqual(visible(twin));
    if (door.startsWith("GET ")) {
      const own = await send({ key: victim.personalKey }, { door, ask, victim, id });
      expect(own.status).toBe(200);
    }
  });
});

describe.each(withoutId)("$door", ({ door, ask }) => {
  it("gives another account nothing of the victim's", async () => {
    const answer = await leavesAlone(victim, () => send({ key: strangers }, { door, ask, victim }));
    expect(answer.status, answer.text).toBeLessThan(300);
    expectSilence(answer, victim);
  });
});

describe.each(Object.entries(CURSORS))("%s", (door, kind) => {
  it("starts at somebody else's row without showing any", async () => {
    const ask = { query: `?after=${victim.ids[kind]}` };
    const answer = await leavesAlone(victim, () => send({ key: strangers }, { door, ask, victim }));
    expect(answer.json?.data).toEqual([]);
  });
});

describe("a key of another person", () => {
  it.each(["GET /v1/kb/documents", "GET /v1/chat/completions", "POST /v1/kb/search"])(
    "is shown nothing personal by %s",
    async (door) => {
      const ask = OPERATIONS[door] as Ask;
      const mine = await send({ key: victim.personalKey }, { door, ask, victim });
      expect(mine.text).toContain(personalIdIn(door));
      for (const key of Object.values(others)) {
        const answer = await send({ key }, { door, ask, victim });
        expect(answer.status).toBe(200);
        expect(answer.text).not.toContain(personalIdIn(door));
      }
    },
  );

  function personalIdIn(door: string): string {
    return door.includes("/chat/") ? victim.personal.completion : victim.personal.document;
  }
});

describe.each(withId)("$door, without the application's predicates", ({ door, ask }) => {
  it("finds nothing of another account all the same", async () => {
    const { result: answer, bared } = await withoutPredicates(() =>
      leavesAlone(victim, () => send({ key: strangers }, { door, ask, victim })),
    );
    expectError(answer, 404, "not_found");
    expect(bared.size).toBeGreaterThan(0);
  });
});

describe.each(withoutId)("$door, without the application's predicates", ({ door, ask }) => {
  it("gives another account nothing of the victim's all the same", async () => {
    // Its own rows hold nothing of what others have sent before.
    const { secret: key } = await makeKey((await makeAccount()).ctx);
    const { result: answer } = await withoutPredicates(() =>
      leavesAlone(victim, () => send({ key }, { door, ask, victim })),
    );
    expect(answer.status, answer.text).toBeLessThan(500);
    expectSilence(answer, victim);
  });
});
