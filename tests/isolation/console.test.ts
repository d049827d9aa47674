import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPreset } from "@/lib/answers/presets/write";
import { newId } from "@/lib/id";
import { closeAccount } from "@/lib/operations/accounts/write";
import type { MemberContext } from "@/lib/platform/auth/context";
import { endSession } from "@/lib/platform/auth/write/session";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { makeSession } from "@/lib/testing/session";
import { anyAnswer, makeKeyPair, makeStoredAnswer } from "@/lib/testing/stored-answer";
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
import { endpoints, fill, hasParameter } from "./endpoints";
import {
  browserAt,
  createFixture,
  type Fixture,
  fillTables,
  joinMember,
  type Kind,
  makeInvitation,
  makeLink,
  makePreset,
  makeUpload,
  TOPIC,
  textOf,
  upload,
} from "./fixtures";
import { withoutPredicates } from "./without-predicates";

interface EndpointRow extends Attempt {
  /** Allowed only for owners. */
  owner?: true;
}

const secretOf = ({ secret }: Fixture) => secret;
const question = [{ role: "user", content: TOPIC }];
const changes = { name: "renamed" };

/** One attempt per console endpoint, and whether it requires an owner. */
const CONSOLE: Record<string, EndpointRow> = {
  "POST /api/billing/checkout-sessions": {
    body: { amount: 2500 },
    headers: { "idempotency-key": "order-1" },
  },
  "GET /api/billing/checkout-sessions/{id}": { id: "checkout" },
  "GET /api/billing/credits": {},
  "GET /api/billing/ledger": {
    query: ({ ids }: Fixture) => `?after=${ids.ledgerEntry}`,
    expects: ({ id }: Fixture) => id,
  },
  "GET /api/billing/ledger/export": { expects: ({ id }: Fixture) => id },
  "GET /api/billing/statement": { query: () => "?month=2026-11" },
  "GET /api/billing/low-balance": {},
  "POST /api/billing/low-balance": { body: { threshold_usd: "1.00" }, owner: true },
  "GET /api/documents": { expects: secretOf },
  "POST /api/documents": {
    body: ({ secret }: Fixture) => ({ scope: "customer_kb", text: textOf(secret) }),
  },
  // They name ids in the body and repeat them in the response; app/api/documents/update has the foreign ones.
  "POST /api/documents/delete": { body: { ids: ["doc_unknown"] } },
  "POST /api/documents/stores": {
    body: { ids: ["doc_unknown"], remove: ["vs_unknown"] },
    refusal: { status: 404, code: "not_found" },
  },
  "POST /api/documents/update": { body: { ids: ["doc_unknown"], standing: "superseded" } },
  "PATCH /api/documents/{id}": { id: "document", body: { standing: "superseded" } },
  "DELETE /api/documents/{id}": { id: "document" },
  "GET /api/documents/{id}/content": { id: "document", expects: secretOf },
  "GET /api/documents/{id}/pages/{page}": { id: "pdf", expects: () => "PNG" },
  "GET /api/documents/{id}/text": { id: "document", query: "?from=0", expects: secretOf },
  "GET /api/documents/jobs": {
    query: ({ ids }: Fixture) => `?ids=${ids.job}`,
    expects: ({ ids }: Fixture) => ids.job,
  },
  "POST /api/documents/jobs/{job_id}/cancel": { id: "job" },
  "POST /api/documents/search": { body: { query: TOPIC, preset: "company" }, expects: secretOf },
  "GET /api/keys": { expects: secretOf },
  "POST /api/keys": { body: { ...changes, mode: "test", scopes: ["billing:read"] } },
  "POST /api/keys/first": {},
  "GET /api/keys/{id}": { id: "key", expects: secretOf },
  "POST /api/keys/{id}": { id: "key", body: changes },
  "POST /api/keys/{id}/revoke": { id: "key" },
  "POST /api/keys/{id}/rotate": { id: "key", body: { overlap_seconds: 0 } },
  "POST /api/members/{id}/remove": { id: "member", owner: true },
  "POST /api/members/{id}/role": { id: "member", body: { role: "member" }, owner: true },
  "POST /api/members/invitations": {
    body: { email: "new@example.org", role: "member" },
    owner: true,
  },
  "POST /api/members/invitations/{id}/revoke": { id: "invitation", owner: true },
  "GET /api/overview": { expects: secretOf },
  "POST /api/overview/steps": { body: { is_dismissed: true } },
  "POST /api/playground/chat": {
    body: {
      preset: "company",
      model: "footnote-extract-1",
      messages: question,
      citations: { enabled: true },
    },
    expects: secretOf,
  },
  "GET /api/presets": { expects: secretOf },
  "POST /api/presets": { body: { name: "isolated", model: "footnote-extract-1" } },
  "POST /api/presets/{id}": { id: "preset", body: { citations: {} } },
  "DELETE /api/presets/{id}": { id: "preset" },
  "GET /api/settings": { expects: secretOf },
  "GET /api/settings/activity": { owner: true, expects: secretOf },
  "POST /api/settings/account": { body: changes, owner: true },
  "POST /api/settings/close": {
    body: ({ secret }: Fixture) => ({ confirmation: secret }),
    owner: true,
  },
  "POST /api/settings/email/confirm": { body: { token: "A".repeat(43) } },
  "POST /api/settings/email/resend": {},
  "POST /api/settings/originals": { body: { keep_originals: false }, owner: true },
  "POST /api/settings/password": {
    body: { current_password: "correct horse battery", password: "another horse battery" },
  },
  "POST /api/settings/profile": { body: changes },
  "POST /api/settings/sharing": { body: { is_enabled: true }, owner: true },
  "POST /api/settings/sessions/{id}/end": { id: "session" },
  "POST /api/settings/sessions/end-others": {},
  "GET /api/shared-links": {
    query: ({ request }: Fixture) => `?request_id=${request}`,
    expects: ({ ids }: Fixture) => ids.sharedLink,
  },
  "POST /api/shared-links": {
    body: ({ request }: Fixture) => ({ request_id: request }),
    expects: () => "shared_link",
  },
  "DELETE /api/shared-links/{id}": { id: "sharedLink" },
  "GET /api/stores": { expects: secretOf },
  "POST /api/stores": { body: { name: "Own" } },
  "PATCH /api/stores/{id}": { id: "store", body: changes },
  "DELETE /api/stores/{id}": { id: "store" },
  "POST /api/uploads": { body: { bytes: 10, filename: "a.txt" } },
  "GET /api/uploads/{id}": { id: "upload" },
  // The upload is found before the body is looked at, which isn't a form.
  "POST /api/uploads/{id}/parts": {
    id: "upload",
    body: { data: "text" },
    refusal: { status: 415, code: "unsupported_media_type" },
  },
  "POST /api/uploads/{id}/complete": { id: "upload", body: { scope: "customer_kb" } },
  "POST /api/uploads/{id}/cancel": { id: "upload" },
  "GET /api/usage": { query: ({ ids }: Fixture) => `?key=${ids.key}`, expects: secretOf },
  "DELETE /api/usage/answers/{completion_id}": { id: "completion" },
  "GET /api/usage/export": { query: ({ ids }: Fixture) => `?key=${ids.key}`, expects: secretOf },
  "GET /api/usage/summary": { expects: secretOf },
};

/** The endpoints without a session, and the reason. */
const PUBLIC: Record<string, string> = {
  "GET /api/health": "load balancers call it, and it only reports this server's state",
  "GET /api/live": "platforms call it, and it only says that this process answers",
  "GET /api/metrics": "requires METRICS_TOKEN, and doesn't exist unless that is set",
  "POST /api/demo": "visitors ask the public knowledge base only",
  "POST /api/account/sign-up": "a new user has no account yet",
  "POST /api/account/forgot-password": "a user who forgot the password can't sign in",
  "POST /api/account/reset-password": "the link's token proves the recipient",
  "POST /api/account/invitation": "the link's token proves the recipient",
  "POST /api/account/join": "the link's token proves the recipient",
  "POST /api/checkout/simulated/{id}":
    "a payer doesn't have to be a member, as with a real provider",
  "POST /api/webhooks/stripe": "the event's signature proves the sender",
  "ANY /api/auth/{nextauth}": "sign-in itself, with next-auth's own CSRF protection",
  "GET /api/docs/search": "finds words in the documentation, which everyone may read",
  "GET /sources/{id}/card.png": "a picture of a public source, which everyone may read",
  "GET /llms.txt": "the documentation, for programs",
  "GET /docs/{slug}/markdown": "the documentation, for programs",
};

/** Public endpoints that change state, which must also reject requests from other sites. */
const OWN_PAGES = Object.keys(PUBLIC).filter(
  (endpoint) => endpoint.startsWith("POST ") && endpoint !== "POST /api/webhooks/stripe",
);

const rows = Object.entries(CONSOLE).map(([endpoint, attempt]) => ({ endpoint, attempt }));
const withId = rows.filter(({ attempt }) => kindOf(attempt));
const withoutId = rows.filter(({ attempt }) => !kindOf(attempt));
/** Rows of these kinds can be personal; other kinds belong to the account or require an owner. */
const personal = withId.filter(({ attempt }) =>
  ["document", "pdf", "job", "completion", "session", "key"].includes(kindOf(attempt) ?? ""),
);
/** Every member may see an account's key, but only its creator and owners may change it. */
const created = withId.filter(
  ({ attempt, endpoint }) => kindOf(attempt) === "key" && !endpoint.startsWith("GET "),
);
const ofPresets = withId.filter(({ attempt }) => kindOf(attempt) === "preset");
const changing = rows.filter(({ endpoint }) => !endpoint.startsWith("GET "));

type Headers = Record<string, string>;
let victim: Fixture;
/** Headers of the victim's owner, a plain member of that account, and another account's owner. */
let owner: Headers;
let colleague: Headers;
let attacker: Headers;

beforeAll(async () => {
  await startBackgroundWork();
  victim = await createFixture();
  await stopBackgroundWork();
  await fillTables(victim);
  owner = await browserAt(victim.ctx.actor.id);
  colleague = await browserAt((await joinMember(victim.id)).id);
  attacker = await browserAt((await makeAccount()).ctx.actor.id);
});
afterAll(() => closeAccount(victim.ctx, { confirmation: victim.secret }));

/** Invalid session cookies of the victim's owner. */
const COOKIES: [name: string, cookie: () => Promise<string | undefined>][] = [
  ["a missing session", async () => undefined],
  ["an ended session", () => endedSession()],
  ["an unknown session", () => cookieOf(newId("session"))],
  ["a session with a forged signature", () => cookieOf(victim.ids.session, "another secret")],
];

async function endedSession(): Promise<string> {
  const sid = await makeSession(victim.ctx.actor.id);
  await endSession(sid);
  return cookieOf(sid);
}

async function cookieOf(
  sid: string,
  secret = "a-secret-for-tests-alone-0123456789",
): Promise<string> {
  const token = await encode({ token: { sub: victim.ctx.actor.id, sid }, secret });
  return `next-auth.session-token=${token}`;
}

const FOREIGN: [name: string, headers: Headers][] = [
  ["another site", { origin: "https://evil.example" }],
  ["an opaque origin, such as a sandboxed frame", { origin: "null" }],
  ["a cross-site page, per sec-fetch-site", { "sec-fetch-site": "cross-site" }],
  ["another subdomain", { "sec-fetch-site": "same-site" }],
];

/** Creates an account with an owner, a plain member, and a row of the given kind. */
async function makeOwn(kind: Kind | null, role: "owner" | "member") {
  const { ctx, id: accountId, email } = await makeAccount();
  const member = await joinMember(accountId);
  const callerId = role === "owner" ? ctx.actor.id : member.id;
  const pair = await makeKeyPair({ ...ctx, actor: { ...ctx.actor, id: callerId } });
  const made = async () => {
    switch (kind) {
      case "completion":
        return makeStoredAnswer(pair.ctx, { response: anyAnswer() });
      case "session":
        return makeSession(callerId);
      case "invitation":
        return makeInvitation(ctx, newId("person"));
      case "checkout":
        return makeCheckout(pair.secret);
      case "member":
        return member.id;
      case "key":
        return pair.id;
      case "sharedLink":
        return makeLink({ ...ctx, actor: { ...ctx.actor, id: callerId } }, newId("request"));
      case "upload":
        return makeUpload({ headers: await browserAt(callerId) }, newId("person"));
      case "store": {
        const body = { name: newId("person") };
        return (await call("POST", "/v1/vector_stores", { key: pair.secret, body })).json.id;
      }
      case "preset":
        return makeOwnPreset({ ...ctx, actor: { ...ctx.actor, id: callerId } });
      default: {
        const { json } = await upload(pair.secret, {
          scope: "customer_kb",
          secret: newId("person"),
        });
        return kind === "job" ? json.job_id : json.id;
      }
    }
  };
  // A new account is named after its owner.
  const accountName = email.split("@")[0] ?? "";
  return { accountName, headers: await browserAt(callerId), id: await made() };
}

async function makeOwnPreset(ctx: MemberContext): Promise<string> {
  const citations = { enabled: true, required: true, on_empty: "say_so" } as const;
  return (await createPreset(ctx, { name: "own", model: "footnote-extract-1", citations })).id;
}

describe("the attempts against the console", () => {
  it("cover exactly the methods of all route files", () => {
    // mcp.test.ts has the attempts against each of its tools.
    const all = endpoints.filter((endpoint) => !/ \/(?:v1|mcp)/.test(endpoint));
    const known = { ...CONSOLE, ...PUBLIC };
    const missing = all.filter((endpoint) => !known[endpoint]);
    const gone = Object.keys(known).filter((endpoint) => !all.includes(endpoint));
    const idless = rows.filter(
      ({ endpoint, attempt }) => hasParameter(endpoint) !== (attempt.id !== undefined),
    );
    expect(missing, "add attempts to CONSOLE, or entries with the reason to PUBLIC").toEqual([]);
    expect(gone, "these endpoints no longer exist: remove their entries").toEqual([]);
    expect(idless, "set `id` if and only if the path has a parameter").toEqual([]);
  });
});

describe.each(rows)("$endpoint", ({ endpoint, attempt }) => {
  it.each(COOKIES)("rejects %s and changes nothing", async (_name, makeCookie) => {
    const cookie = await makeCookie();
    const headers = { ...owner, cookie: cookie ?? "theme=dark" };
    const answer = await expectUnchanged(victim, () =>
      send({ headers }, { endpoint, attempt, victim }),
    );
    expectError(answer, 401, "missing_session");
    expectNoLeak(answer, victim);
  });

  it("rejects an API key in place of a session", async () => {
    const answer = await expectUnchanged(victim, () =>
      send({ key: victim.key }, { endpoint, attempt, victim }),
    );
    expectError(answer, 401, "missing_session");
  });

  it("responds to an authorized member", async () => {
    if (attempt.expects) {
      const answer = await send(
        { headers: attempt.owner ? owner : colleague },
        { endpoint, attempt, victim },
      );
      expectAnswered(answer, attempt.expects(victim));
      return;
    }
    const own = await makeOwn(kindOf(attempt), attempt.owner ? "owner" : "member");
    const asFixture = { ...victim, secret: own.accountName };
    const answer = await send(own, { endpoint, attempt, victim: asFixture, id: own.id });
    expectAnswered(answer, "", attempt.refusal);
  });
});

describe.each(changing)("$endpoint", ({ endpoint, attempt }) => {
  it.each(FOREIGN)("rejects a request from %s", async (_name, foreign) => {
    const headers = { ...owner, ...foreign };
    const answer = await expectUnchanged(victim, () =>
      send({ headers }, { endpoint, attempt, victim }),
    );
    expectError(answer, 403, "insufficient_scope");
    expectNoLeak(answer, victim);
  });
});

describe.each(rows.filter(({ attempt }) => attempt.owner))("$endpoint", ({ endpoint, attempt }) => {
  it("rejects a member who isn't an owner", async () => {
    const answer = await expectUnchanged(victim, () =>
      send({ headers: colleague }, { endpoint, attempt, victim }),
    );
    expectError(answer, 403, "insufficient_scope");
  });
});

describe.each(withId)("$endpoint", ({ endpoint, attempt }) => {
  it("hides another account's row as if it didn't exist", async () => {
    const sender = { headers: attacker };
    const answer = await expectUnchanged(victim, () => send(sender, { endpoint, attempt, victim }));
    expectError(answer, 404, "not_found");
    const id = unknownId(kindOf(attempt) as Kind);
    expect(visible(answer)).toEqual(visible(await send(sender, { endpoint, attempt, victim, id })));
  });
});

describe.each(personal)("$endpoint", ({ endpoint, attempt }) => {
  it("hides another member's personal row", async () => {
    const sender = { headers: colleague };
    const kind = kindOf(attempt) as keyof Fixture["personal"];
    const id = victim.personal[kind];
    const answer = await expectUnchanged(victim, () =>
      send(sender, { endpoint, attempt, victim, id }),
    );
    expectError(answer, 404, "not_found");
    const twin = await send(sender, { endpoint, attempt, victim, id: unknownId(kind) });
    expect(visible(answer)).toEqual(visible(twin));
    if (endpoint.startsWith("GET ")) {
      expectAnswered(
        await send({ headers: owner }, { endpoint, attempt, victim, id }),
        kind === "pdf" ? "PNG" : victim.secret,
      );
    }
  });
});

describe.each(ofPresets)("$endpoint", ({ endpoint, attempt }) => {
  it("rejects a member for a preset that someone else made, but not an owner", async () => {
    const answer = await expectUnchanged(victim, () =>
      send({ headers: colleague }, { endpoint, attempt, victim }),
    );
    expectError(answer, 403, "insufficient_scope");
    const id = await makePreset(victim.key, newId("preset").slice(4));
    expectAnswered(await send({ headers: owner }, { endpoint, attempt, victim, id }), id);
  });
});

describe.each(created)("$endpoint", ({ endpoint, attempt }) => {
  it("rejects a member for a key that someone else created", async () => {
    const answer = await expectUnchanged(victim, () =>
      send({ headers: colleague }, { endpoint, attempt, victim }),
    );
    expectError(answer, 403, "insufficient_scope");
  });

  it("lets an owner only revoke a key that reads another member's documents", async () => {
    const { ctx, id: accountId } = await makeAccount();
    const member = await joinMember(accountId);
    const asMember = { ...ctx, actor: { ...ctx.actor, id: member.id } };
    const { id } = await makeKeyPair(asMember, { knowledge_scopes: ["personal_kb"] });
    const sender = { headers: await browserAt(ctx.actor.id) };
    const { status } = await send(sender, { endpoint, attempt, victim, id });
    expect(status).toBe(endpoint.endsWith("/revoke") ? 200 : 403);
  });
});

describe.each(withoutId)("$endpoint", ({ endpoint, attempt }) => {
  it("leaks nothing to another account and changes nothing", async () => {
    const answer = await expectUnchanged(victim, () =>
      send({ headers: attacker }, { endpoint, attempt, victim }),
    );
    expect(answer.status, answer.text).toBeLessThan(500);
    expectNoLeak(answer, victim);
  });
});

describe("a plain member", () => {
  it("sees none of the owner's personal rows", async () => {
    const { personal: own } = victim;
    const lists = [
      `/api/documents/jobs?ids=${own.job}`,
      "/api/documents",
      "/api/settings",
      "/api/keys",
    ];
    for (const path of lists) {
      const [mine, theirs] = await Promise.all(
        [owner, colleague].map((headers) => call("GET", path, { headers })),
      );
      const shown = Object.values(own).filter((id) => JSON.stringify(mine?.json).includes(id));
      const seen = shown.filter((id) => JSON.stringify(theirs?.json).includes(id));
      expect([shown.length > 0, seen], path).toEqual([true, []]);
    }
  });
});

describe.each(OWN_PAGES)("%s", (endpoint) => {
  it.each(FOREIGN)("rejects a request from %s", async (_name, foreign) => {
    const { method, path } = fill(endpoint, victim.ids.checkout);
    const answer = await expectUnchanged(victim, () =>
      send({ headers: foreign }, { endpoint: `${method} ${path}`, attempt: { body: {} }, victim }),
    );
    expectError(answer, 403, "insufficient_scope");
  });
});

describe.each(withId)(
  "$endpoint, without the application's predicates",
  ({ endpoint, attempt }) => {
    it("still hides another account's row", async () => {
      const { result: answer, stripped } = await withoutPredicates(() =>
        expectUnchanged(victim, () => send({ headers: attacker }, { endpoint, attempt, victim })),
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
      const headers = await browserAt((await makeAccount()).ctx.actor.id);
      const { result: answer } = await withoutPredicates(() =>
        expectUnchanged(victim, () => send({ headers }, { endpoint, attempt, victim })),
      );
      expect(answer.status, answer.text).toBeLessThan(500);
      expectNoLeak(answer, victim);
    });
  },
);
