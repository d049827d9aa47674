import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAccount } from "@/lib/accounts/write";
import { createSession, endSession } from "@/lib/auth/write/session";
import { newId } from "@/lib/id";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
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
import { endpoints, fill, hasParameter } from "./endpoints";
import {
  browserAt,
  createFixture,
  type Fixture,
  fillTables,
  joinMember,
  type Kind,
  makeCheckout,
  makeInvitation,
  TOPIC,
  textOf,
  upload,
} from "./fixtures";
import { withoutPredicates } from "./without-predicates";

interface EndpointRow extends Ask {
  /** Only an owner of the account may. */
  owner?: true;
}

const secretOf = ({ secret }: Fixture) => secret;
const question = [{ role: "user", content: TOPIC }];
const changes = { name: "renamed" };

/** One row for each endpoint of the console: how it is asked, and whether an owner must. */
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
  "GET /api/billing/low-balance": {},
  "POST /api/billing/low-balance": { body: { threshold_usd: "1.00" }, owner: true },
  "GET /api/documents": { expects: secretOf },
  "POST /api/documents": {
    body: ({ secret }: Fixture) => ({ scope: "customer_kb", text: textOf(secret) }),
  },
  "DELETE /api/documents/{id}": { id: "document" },
  "GET /api/documents/{id}/text": { id: "document", query: "?from=0", expects: secretOf },
  "GET /api/documents/jobs": {
    query: ({ ids }: Fixture) => `?ids=${ids.job}`,
    expects: ({ ids }: Fixture) => ids.job,
  },
  "POST /api/documents/jobs/{job_id}/cancel": { id: "job" },
  "POST /api/documents/search": { body: { query: TOPIC, preset: "company" }, expects: secretOf },
  "GET /api/keys": { expects: secretOf },
  "POST /api/keys": { body: { ...changes, mode: "test", scopes: ["billing:read"] } },
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
  "GET /api/settings": { expects: secretOf },
  "GET /api/settings/activity": { owner: true, expects: secretOf },
  "POST /api/settings/account": { body: changes, owner: true },
  "POST /api/settings/close": {
    body: ({ secret }: Fixture) => ({ confirmation: secret }),
    owner: true,
  },
  "POST /api/settings/password": {
    body: { current_password: "correct horse battery", password: "another horse battery" },
  },
  "POST /api/settings/profile": { body: changes },
  "POST /api/settings/sessions/{id}/end": { id: "session" },
  "POST /api/settings/sessions/end-others": {},
  "GET /api/usage": { query: ({ ids }: Fixture) => `?key=${ids.key}`, expects: secretOf },
  "DELETE /api/usage/answers/{completion_id}": { id: "completion" },
  "GET /api/usage/export": { query: ({ ids }: Fixture) => `?key=${ids.key}`, expects: secretOf },
  "GET /api/usage/summary": { expects: secretOf },
};

/** The endpoints without a session, and why they have none. */
const PUBLIC: Record<string, string> = {
  "GET /api/health": "load balancers ask it, and it expects of this server alone",
  "GET /api/metrics": "METRICS_TOKEN proves who asks, and there is no such path without it",
  "POST /api/account/sign-up": "nobody has an account before",
  "POST /api/account/forgot-password": "who forgot a password cannot sign in",
  "POST /api/account/reset-password": "the link's token proves who it was sent to",
  "POST /api/account/invitation": "the link's token proves who it was sent to",
  "POST /api/account/join": "the link's token proves who it was sent to",
  "POST /api/checkout/simulated/{id}": "a payer need not be a member, as at a real provider",
  "POST /api/webhooks/stripe": "the event's signature proves the provider",
  "ANY /api/auth/{nextauth}": "signing in itself, by next-auth with its own check of forgery",
  "GET /llms.txt": "the documentation, for programs",
  "GET /docs/{slug}/markdown": "the documentation, for programs",
};

/** Public endpoints that change something: a page of another site may not ask them either. */
const OWN_PAGES = Object.keys(PUBLIC).filter(
  (endpoint) => endpoint.startsWith("POST ") && endpoint !== "POST /api/webhooks/stripe",
);

const rows = Object.entries(CONSOLE).map(([endpoint, ask]) => ({ endpoint, ask }));
const withId = rows.filter(({ ask }) => kindOf(ask));
const withoutId = rows.filter(({ ask }) => !kindOf(ask));
/** Rows of these kinds may be one member's alone; the others are the account's, or for owners. */
const personal = withId.filter(({ ask }) =>
  ["document", "job", "completion", "session"].includes(kindOf(ask) ?? ""),
);
const changing = rows.filter(({ endpoint }) => !endpoint.startsWith("GET "));

type Headers = Record<string, string>;
let victim: Fixture;
/** Browsers of the victim's owner, of a plain member beside them, and of another account's owner. */
let owner: Headers;
let colleague: Headers;
let outsider: Headers;

beforeAll(async () => {
  await startBackgroundWork();
  victim = await createFixture();
  await stopBackgroundWork();
  await fillTables(victim);
  owner = await browserAt(victim.ctx.actor.id);
  colleague = await browserAt((await joinMember(victim.id)).id);
  outsider = await browserAt((await makeAccount()).ctx.actor.id);
});
afterAll(() => closeAccount(victim.ctx, { confirmation: victim.secret }));

/** A cookie of the victim's owner that proves nothing. */
const COOKIES: [name: string, cookie: () => Promise<string | undefined>][] = [
  ["no session", async () => undefined],
  ["a session that was ended", () => endedSession()],
  ["a session that never was", () => cookieOf(newId("session"))],
  ["a session signed by somebody else", () => cookieOf(victim.ids.session, "another secret")],
];

async function endedSession(): Promise<string> {
  const sid = await createSession(victim.ctx.actor.id, null);
  await endSession(sid);
  return cookieOf(sid);
}

async function cookieOf(sid: string, secret = "a-secret-for-tests-alone"): Promise<string> {
  const token = await encode({ token: { sub: victim.ctx.actor.id, sid }, secret });
  return `next-auth.session-token=${token}`;
}

const FOREIGN: [name: string, headers: Headers][] = [
  ["a page of another site", { origin: "https://evil.example" }],
  ["a page of no site, such as a sandboxed frame", { origin: "null" }],
  ["a page of another site, as the browser says", { "sec-fetch-site": "cross-site" }],
  ["a page of a neighbouring site", { "sec-fetch-site": "same-site" }],
];

/** A new account of an owner and a plain member, with a new row of a kind. */
async function makeOwn(kind: Kind | null, role: "owner" | "member") {
  const { ctx, id: accountId, email } = await makeAccount();
  const pair = await makeKeyPair(ctx);
  const member = await joinMember(accountId);
  const asker = role === "owner" ? ctx.actor.id : member.id;
  const made = async () => {
    switch (kind) {
      case "completion":
        return makeStoredAnswer(pair.ctx, { response: anyAnswer() });
      case "session":
        return createSession(asker, null);
      case "invitation":
        return makeInvitation(ctx, newId("person"));
      case "checkout":
        return makeCheckout(pair.secret);
      case "member":
        return member.id;
      case "key":
        return pair.id;
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
  return { accountName, headers: await browserAt(asker), id: await made() };
}

describe("the table of the console's endpoints", () => {
  it("has a row for each method of every route file, and no other", () => {
    const all = endpoints.filter((endpoint) => !endpoint.includes(" /v1"));
    const known = { ...CONSOLE, ...PUBLIC };
    const missing = all.filter((endpoint) => !known[endpoint]);
    const gone = Object.keys(known).filter((endpoint) => !all.includes(endpoint));
    const idless = rows.filter(
      ({ endpoint, ask }) => hasParameter(endpoint) !== (ask.id !== undefined),
    );
    expect(missing, "add rows to CONSOLE, or to PUBLIC with the reason").toEqual([]);
    expect(gone, "these are no endpoints any more: take their rows away").toEqual([]);
    expect(idless, "say with `id` which row the path names, where it names one").toEqual([]);
  });
});

describe.each(rows)("$endpoint", ({ endpoint, ask }) => {
  it.each(COOKIES)("does nothing for %s", async (_name, makeCookie) => {
    const cookie = await makeCookie();
    const headers = { ...owner, cookie: cookie ?? "theme=dark" };
    const answer = await leavesAlone(victim, () => send({ headers }, { endpoint, ask, victim }));
    expectError(answer, 401, "missing_session");
    expectSilence(answer, victim);
  });

  it("does nothing for an API key in the place of a session", async () => {
    const answer = await leavesAlone(victim, () =>
      send({ key: victim.key }, { endpoint, ask, victim }),
    );
    expectError(answer, 401, "missing_session");
  });

  it("answers who may ask", async () => {
    if (ask.expects) {
      const answer = await send(
        { headers: ask.owner ? owner : colleague },
        { endpoint, ask, victim },
      );
      expectAnswered(answer, ask.expects(victim));
      return;
    }
    const own = await makeOwn(kindOf(ask), ask.owner ? "owner" : "member");
    const asFixture = { ...victim, secret: own.accountName };
    expectAnswered(await send(own, { endpoint, ask, victim: asFixture, id: own.id }), "");
  });
});

describe.each(changing)("$endpoint", ({ endpoint, ask }) => {
  it.each(FOREIGN)("does nothing for %s", async (_name, foreign) => {
    const headers = { ...owner, ...foreign };
    const answer = await leavesAlone(victim, () => send({ headers }, { endpoint, ask, victim }));
    expectError(answer, 403, "insufficient_scope");
    expectSilence(answer, victim);
  });
});

describe.each(rows.filter(({ ask }) => ask.owner))("$endpoint", ({ endpoint, ask }) => {
  it("does nothing for a member who is no owner", async () => {
    const answer = await leavesAlone(victim, () =>
      send({ headers: colleague }, { endpoint, ask, victim }),
    );
    expectError(answer, 403, "insufficient_scope");
  });
});

describe.each(withId)("$endpoint", ({ endpoint, ask }) => {
  it("finds nothing of another account, just as if it did not exist", async () => {
    const sender = { headers: outsider };
    const answer = await leavesAlone(victim, () => send(sender, { endpoint, ask, victim }));
    expectError(answer, 404, "not_found");
    const id = nobodysId(kindOf(ask) as Kind);
    expect(visible(answer)).toEqual(visible(await send(sender, { endpoint, ask, victim, id })));
  });
});

describe.each(personal)("$endpoint", ({ endpoint, ask }) => {
  it("finds nothing of another member's own", async () => {
    const sender = { headers: colleague };
    const kind = kindOf(ask) as keyof Fixture["personal"];
    const id = victim.personal[kind];
    const answer = await leavesAlone(victim, () => send(sender, { endpoint, ask, victim, id }));
    expectError(answer, 404, "not_found");
    const twin = await send(sender, { endpoint, ask, victim, id: nobodysId(kind) });
    expect(visible(answer)).toEqual(visible(twin));
    if (endpoint.startsWith("GET ")) {
      expectAnswered(await send({ headers: owner }, { endpoint, ask, victim, id }), victim.secret);
    }
  });
});

describe.each(withoutId)("$endpoint", ({ endpoint, ask }) => {
  it("gives another account nothing of the victim's, and takes nothing", async () => {
    const answer = await leavesAlone(victim, () =>
      send({ headers: outsider }, { endpoint, ask, victim }),
    );
    expect(answer.status, answer.text).toBeLessThan(500);
    expectSilence(answer, victim);
  });
});

describe("a member beside the owner", () => {
  it("is shown nothing of the owner's own", async () => {
    const { personal: own } = victim;
    const lists = [`/api/documents/jobs?ids=${own.job}`, "/api/documents", "/api/settings"];
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
  it.each(FOREIGN)("does nothing for %s", async (_name, foreign) => {
    const { method, path } = fill(endpoint, victim.ids.checkout);
    const answer = await leavesAlone(victim, () =>
      send({ headers: foreign }, { endpoint: `${method} ${path}`, ask: { body: {} }, victim }),
    );
    expectError(answer, 403, "insufficient_scope");
  });
});

describe.each(withId)("$endpoint, without the application's predicates", ({ endpoint, ask }) => {
  it("finds nothing of another account all the same", async () => {
    const { result: answer, bared } = await withoutPredicates(() =>
      leavesAlone(victim, () => send({ headers: outsider }, { endpoint, ask, victim })),
    );
    expectError(answer, 404, "not_found");
    expect(bared.size).toBeGreaterThan(0);
  });
});

describe.each(withoutId)("$endpoint, without the application's predicates", ({ endpoint, ask }) => {
  it("gives another account nothing of the victim's all the same", async () => {
    // Its own rows hold nothing of what others have sent before.
    const headers = await browserAt((await makeAccount()).ctx.actor.id);
    const { result: answer } = await withoutPredicates(() =>
      leavesAlone(victim, () => send({ headers }, { endpoint, ask, victim })),
    );
    expect(answer.status, answer.text).toBeLessThan(500);
    expectSilence(answer, victim);
  });
});
