import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import type { Collection } from "@/lib/library/documents/collections";
import { quoteRefOf } from "@/lib/library/documents/quote-ref";
import type { MemberContext } from "@/lib/platform/auth/context";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { indexText } from "@/lib/testing/index-text";
import { signedIn } from "@/lib/testing/session";
import { makeKeyPair, makeStoredAnswer } from "@/lib/testing/stored-answer";
import { openLink } from "./read";

const TEXT = "Confidential preface. Quibblezol lowers glimmerosis within 7 days. Private end.";
const WORDS = "Quibblezol lowers glimmerosis within 7 days.";

async function makeSharer({ isEnabled = true } = {}) {
  const { ctx } = await makeAccount();
  const headers = await signedIn(ctx.actor.id);
  if (isEnabled) {
    await call("POST", "/api/settings/sharing", { headers, body: { is_enabled: true } });
  }
  return { ctx, headers };
}

/** The request of a stored answer, and the answer's id. */
async function storeAnswer(ctx: MemberContext) {
  const key = await makeKeyPair(ctx);
  const id = await makeStoredAnswer(key.ctx);
  const { requestId } = await db().storedCompletion.findFirstOrThrow({ where: { id } });
  return { id, requestId };
}

async function share(headers: Record<string, string>, body: object) {
  const { status, json } = await call("POST", "/api/shared-links", { headers, body });
  return { status, json, token: String(json.url).split("/s/")[1] ?? "" };
}

/** Another member of the account. */
async function joinAccount(ctx: MemberContext) {
  const id = newId("member");
  await db().member.create({
    data: { id, accountId: ctx.account.id, email: `${id}@example.org`, role: "member" },
  });
  return { id, headers: await signedIn(id) };
}

describe("a link to a stored answer", () => {
  it("shows it to anyone until it is revoked", async () => {
    const { ctx, headers } = await makeSharer();
    const { id, requestId } = await storeAnswer(ctx);
    const { status, json, token } = await share(headers, { request_id: requestId });
    expect(status).toBe(201);
    expect(await openLink(token)).toMatchObject({
      kind: "answer",
      stored: { completion: { id }, messages: [{ content: "How does salbutamol work?" }] },
    });
    const list = await call("GET", `/api/shared-links?request_id=${requestId}`, { headers });
    expect(list.json).toMatchObject({
      data: [{ id: json.id, url: json.url }],
      is_sharing_enabled: true,
    });
    const path = `/api/shared-links/${json.id}`;
    expect((await call("DELETE", path, { headers })).status).toBe(200);
    expect(await openLink(token)).toBeNull();
    expect((await call("DELETE", path, { headers })).status).toBe(404);
  });

  it("opens with its own signature only", async () => {
    const { ctx, headers } = await makeSharer();
    const { requestId } = await storeAnswer(ctx);
    const one = await share(headers, { request_id: requestId });
    const two = await share(headers, { request_id: requestId });
    const forged = one.token.slice(0, 26) + two.token.slice(26);
    for (const token of [
      forged,
      one.token.slice(0, 26),
      "",
      `${one.token}x`,
      "../x",
      one.json.id,
    ]) {
      expect(await openLink(token)).toBeNull();
    }
  });

  it("ends when the answer is deleted, or the link expires", async () => {
    const { ctx, headers } = await makeSharer();
    const { id, requestId } = await storeAnswer(ctx);
    const deleted = await share(headers, { request_id: requestId, expires_in_days: null });
    expect(deleted.json.expires_at).toBeNull();
    await call("DELETE", `/api/usage/answers/${id}`, { headers });
    expect(await openLink(deleted.token)).toBeNull();

    const other = await storeAnswer(ctx);
    const expired = await share(headers, { request_id: other.requestId, expires_in_days: 1 });
    expect(await openLink(expired.token)).not.toBeNull();
    await db().sharedLink.updateMany({
      where: { id: expired.json.id },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    expect(await openLink(expired.token)).toBeNull();
  });

  it("doesn't open while sharing is off, and can't be made then", async () => {
    const { ctx, headers } = await makeSharer();
    const { requestId } = await storeAnswer(ctx);
    const { token } = await share(headers, { request_id: requestId });
    const set = (is_enabled: boolean) =>
      call("POST", "/api/settings/sharing", { headers, body: { is_enabled } });
    await set(false);
    expect(await openLink(token)).toBeNull();
    const refused = await share(headers, { request_id: requestId });
    expect(refused).toMatchObject({ status: 403, json: { error: { code: "insufficient_scope" } } });
    await set(true);
    expect(await openLink(token)).not.toBeNull();
  });

  it("ends when its creator leaves, and may be revoked by its creator and owners alone", async () => {
    const { ctx, headers } = await makeSharer();
    const { requestId } = await storeAnswer(ctx);
    const [creator, colleague] = [await joinAccount(ctx), await joinAccount(ctx)];
    const first = await share(creator.headers, { request_id: requestId });
    const path = `/api/shared-links/${first.json.id}`;
    expect((await call("DELETE", path, { headers: colleague.headers })).status).toBe(404);
    expect((await call("DELETE", path, { headers })).status).toBe(200);

    const second = await share(creator.headers, { request_id: requestId });
    expect(await openLink(second.token)).not.toBeNull();
    await call("POST", `/api/members/${creator.id}/remove`, { headers });
    expect(await openLink(second.token)).toBeNull();
  });

  it("isn't made for another account's answer", async () => {
    const { ctx } = await makeSharer();
    const { requestId } = await storeAnswer(ctx);
    const { headers } = await makeSharer();
    expect(await share(headers, { request_id: requestId })).toMatchObject({ status: 404 });
    const list = await call("GET", `/api/shared-links?request_id=${requestId}`, { headers });
    expect(list.json.data).toEqual([]);
  });

  it("is refused to a member who doesn't own the account when they try to allow sharing", async () => {
    const { ctx } = await makeSharer({ isEnabled: false });
    const { headers } = await joinAccount(ctx);
    const body = { is_enabled: true };
    expect((await call("POST", "/api/settings/sharing", { headers, body })).status).toBe(403);
  });
});

describe("a link to a quote", () => {
  async function indexOwn(ctx: MemberContext) {
    const accountId = ctx.account.id;
    const own: Collection = {
      id: `customer_kb:${accountId}`,
      scope: "customer_kb",
      accountId,
      personId: null,
    };
    const id = await indexText(own, TEXT);
    const start = TEXT.indexOf(WORDS);
    return { id, quote: quoteRefOf({ text: WORDS, start, end: start + WORDS.length }) };
  }

  it("shows its words, until the document is gone", async () => {
    const { ctx, headers } = await makeSharer();
    const { id, quote } = await indexOwn(ctx);
    const { status, token } = await share(headers, { document_id: id, quote });
    expect(status).toBe(201);
    expect(await openLink(token)).toMatchObject({ kind: "quote", quote: { text: WORDS } });
    expect((await call("DELETE", `/api/documents/${id}`, { headers })).status).toBe(200);
    expect(await openLink(token)).toBeNull();
  });

  it("isn't made for words the document doesn't have, or for another account's document", async () => {
    const { ctx, headers } = await makeSharer();
    const { id, quote } = await indexOwn(ctx);
    const other = quote.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    const wrong = await share(headers, { document_id: id, quote: other });
    expect(wrong).toMatchObject({ status: 404, json: { error: { param: "quote" } } });
    const stranger = await makeSharer();
    expect(await share(stranger.headers, { document_id: id, quote })).toMatchObject({
      status: 404,
    });
  });
});

it.each([
  [{}, "request_id"],
  [{ request_id: "req_1", document_id: "doc_1" }, "request_id"],
  [{ document_id: "doc_1" }, "request_id"],
  [{ document_id: "doc_1", quote: "x" }, "quote"],
  [{ request_id: "req_1", expires_in_days: 0 }, "expires_in_days"],
  [{ request_id: "req_1", expires_in_days: 400 }, "expires_in_days"],
])("answers 400 to %o, naming %s", async (body, param) => {
  const { headers } = await makeSharer();
  const { status, json } = await share(headers, body);
  expect([status, json.error.param]).toEqual([400, param]);
});
