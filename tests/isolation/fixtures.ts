import { newId } from "@/lib/id";
import type { MemberContext } from "@/lib/platform/auth/context";
import { db, execute } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { drawLines, pdf } from "@/lib/testing/document-files";
import { makeAccount } from "@/lib/testing/factories";
import { issueKey } from "@/lib/testing/issue-key";
import { makeSession, signedIn } from "@/lib/testing/session";
import {
  anyAnswer,
  makeKeyPair,
  makeStoredAnswer,
  makeStoredResponse,
} from "@/lib/testing/stored-answer";
import { makeCheckout, payAndRefund } from "./checkouts";
import { keepIdempotent } from "./idempotent";
import { makeStore, type StoreKind } from "./make-store";

/** The kinds of rows that an endpoint's path can name. */
export type Kind =
  | "document"
  | "pdf"
  | "job"
  | "completion"
  | "response"
  | "key"
  | "issuedKey"
  | "member"
  | "session"
  | "invitation"
  | "checkout"
  | "ledgerEntry"
  | "preset"
  | "sharedLink"
  | "upload"
  | StoreKind;

/** An account with an owner and a row of each kind. */
export interface Fixture {
  id: string;
  ctx: MemberContext;
  email: string;
  /** A key with every scope but no access to personal documents, and one bound to the owner. */
  key: string;
  personalKey: string;
  ids: Record<Kind, string>;
  /** The request of the stored answer that the link shows. */
  request: string;
  /** Rows that belong only to the owner, not to the whole account. */
  personal: Record<
    | "document"
    | "pdf"
    | "job"
    | "completion"
    | "response"
    | "session"
    | "key"
    | "issuedKey"
    | "upload"
    | StoreKind,
    string
  >;
  /** Included in every text, title and name of this account, and nowhere else. */
  secret: string;
}

/** The topic of every document. Any account can search for it, but only the text includes the secret. */
export const TOPIC = "zebrafish aquaculture thermostat calibration";

export function textOf(secret: string): string {
  return `The ${TOPIC} takes place on Tuesdays with the code ${secret}.`;
}

/** Calls the upload endpoint, so background work must be running. */
export async function createFixture(): Promise<Fixture> {
  const account = await makeAccount();
  const { ctx } = account;
  const secret = newId("person").slice(4);
  const company = await makeKeyPair(ctx, { name: secret });
  const personal = await makeKeyPair(ctx, { name: secret, knowledge_scopes: ["personal_kb"] });
  await db().account.update({ where: { id: account.id }, data: { name: secret } });
  await db().member.update({ where: { id: ctx.actor.id }, data: { name: secret } });
  const shared = await ingest(company.secret, "customer_kb", secret);
  const own = await ingest(personal.secret, "personal_kb", secret);
  const entry = await db().ledgerEntry.findFirstOrThrow({
    where: { accountId: account.id },
    orderBy: { id: "desc" },
  });
  const completion = await makeStoredAnswer(company.ctx, { response: anyAnswer(secret) });
  await keepIdempotent(company.ctx, secret);
  const { requestId } = await db().storedCompletion.findFirstOrThrow({ where: { id: completion } });
  return {
    ...account,
    key: company.secret,
    personalKey: personal.secret,
    secret,
    ids: {
      document: shared.id,
      pdf: await ingestPdf(company.secret, "customer_kb", secret),
      job: shared.job_id,
      completion,
      response: await makeStoredResponse(company.ctx, { response: anyAnswer(secret) }),
      key: company.id,
      issuedKey: await issueKey(company.secret, secret),
      member: ctx.actor.id,
      session: await makeSession(ctx.actor.id, secret),
      invitation: await makeInvitation(ctx, secret),
      checkout: await makeCheckout(company.secret),
      preset: await makePreset(company.secret, secret),
      ledgerEntry: entry.id,
      sharedLink: await makeLink(ctx, requestId),
      upload: await makeUpload({ key: company.secret }, secret),
      ...(await makeStore(company.secret, { file: shared.id, secret })),
    },
    request: requestId,
    personal: await makePersonal(personal, own, { memberId: ctx.actor.id, secret }),
  };
}

/** Rows of the owner alone, made with their personal key. */
async function makePersonal(
  personal: Awaited<ReturnType<typeof makeKeyPair>>,
  own: { id: string; job_id: string },
  { memberId, secret }: { memberId: string; secret: string },
): Promise<Fixture["personal"]> {
  return {
    document: own.id,
    pdf: await ingestPdf(personal.secret, "personal_kb", secret),
    job: own.job_id,
    completion: await makeStoredAnswer(personal.ctx, {
      response: anyAnswer(secret),
      knowledgeScopes: ["personal_kb"],
    }),
    response: await makeStoredResponse(personal.ctx, {
      response: anyAnswer(secret),
      knowledgeScopes: ["personal_kb"],
    }),
    session: await makeSession(memberId, secret),
    key: personal.id,
    issuedKey: await issueKey(personal.secret, secret),
    upload: await makeUpload({ key: personal.secret }, secret),
    ...(await makeStore(personal.secret, { file: own.id, secret })),
  };
}

async function ingest(
  key: string,
  scope: string,
  secret: string,
): Promise<{ id: string; job_id: string }> {
  const { json } = await upload(key, { scope, secret });
  await call("GET", `/v1/kb/jobs/${json.job_id}?wait=30`, { key });
  return json;
}

/** A document whose pages can be drawn. */
async function ingestPdf(key: string, scope: string, secret: string): Promise<string> {
  const bytes = await pdf(1, (page, _, { plain }) => {
    drawLines(page, [`The pages of ${secret} have a drawing of the tank.`], { font: plain });
  });
  const form = new FormData();
  form.set("scope", scope);
  form.set("title", secret);
  form.set("file", new File([Buffer.from(bytes)], `${secret}.pdf`));
  const { json } = await call("POST", "/v1/kb/documents", { key, raw: form });
  await call("GET", `/v1/kb/jobs/${json.job_id}?wait=30`, { key });
  return json.id;
}

/** Uploads a document. Its job stays queued unless background work is running. */
export function upload(key: string, { scope, secret }: { scope: string; secret: string }) {
  const body = { scope, title: secret, text: textOf(secret), metadata: { code: secret } };
  return call("POST", "/v1/kb/documents", { key, body });
}

/** Allows sharing in the account. */
export async function makeLink({ account, actor }: MemberContext, requestId: string) {
  const id = newId("sharedLink");
  await db().account.update({ where: { id: account.id }, data: { sharingEnabled: true } });
  await db().sharedLink.create({
    data: { id, accountId: account.id, memberId: actor.id, requestId },
  });
  return id;
}

export async function makeInvitation(ctx: MemberContext, secret: string): Promise<string> {
  const id = newId("invitation");
  await db().invitation.create({
    data: {
      id,
      accountId: ctx.account.id,
      invitedById: ctx.actor.id,
      email: `${secret}-${id}@example.org`,
      role: "member",
      tokenHash: Buffer.from(id),
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  });
  return id;
}

/** An upload whose only part has arrived. */
export async function makeUpload(
  caller: { key: string } | { headers: Record<string, string> },
  secret: string,
): Promise<string> {
  const text = textOf(secret);
  const body = { bytes: text.length, filename: `${secret}.txt`, purpose: "user_data" };
  const path = "key" in caller ? "/v1/uploads" : "/api/uploads";
  const { json } = await call("POST", path, { ...caller, body });
  const form = new FormData();
  form.set("part_number", "1");
  form.set("data", new File([text], "part"));
  await call("POST", `${path}/${json.id}/parts`, { ...caller, raw: form });
  return json.id;
}

export async function makePreset(key: string, secret: string): Promise<string> {
  const body = { name: secret, model: "footnote-extract-1", citations: { source_types: [secret] } };
  const { json } = await call("POST", "/v1/presets", { key, body });
  return json.id;
}

/** Adds a plain member to an account, with the owner's password. */
export async function joinMember(accountId: string): Promise<{ id: string }> {
  const { passwordHash } = await db().member.findFirstOrThrow({ where: { accountId } });
  const id = newId("member");
  await db().member.create({
    data: {
      id,
      accountId,
      email: `${id}@example.org`,
      role: "member",
      passwordHash,
      emailConfirmedAt: new Date(),
    },
  });
  return { id };
}

/** A signed-in member's browser headers. Later requests don't update "last seen". */
export async function browserAt(
  memberId: string,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const browser = await signedIn(memberId, headers);
  await stopClocks();
  return browser;
}

/** Sets every "last used" and "last seen" to the future, so that later requests don't update them. */
export async function stopClocks(): Promise<void> {
  const future = "now() + interval '1 day'";
  await execute(`UPDATE key_secret SET last_used_at = ${future}`);
  await execute(`UPDATE member_session SET last_seen_at = ${future}`);
}

/** Adds rows that no endpoint creates on its own, so that every table has a row to protect. */
export async function fillTables({ id: accountId, ctx, ids, key, secret }: Fixture): Promise<void> {
  const memberId = ctx.actor.id;
  const expiresAt = new Date(Date.now() + 86_400_000);
  await db().passwordReset.create({
    data: { tokenHash: Buffer.from(newId("person")), memberId, expiresAt },
  });
  await db().memberIdentity.create({
    data: { provider: "google", subject: newId("person"), memberId },
  });
  const { collectionId } = await db().document.findFirstOrThrow({ where: { id: ids.document } });
  await execute(
    `INSERT INTO chunk_vector (space, chunk_id, collection_id, account_id, embedding)
     SELECT 'isolation', id, collection_id, account_id, '[1,0,0]'
       FROM chunk WHERE document_id = $1`,
    [ids.document],
  );
  await db().documentTombstone.create({
    data: { documentId: newId("document"), collectionId, accountId },
  });
  await db().refusedRequest.create({
    data: {
      id: newId("request"),
      accountId,
      keyId: newId("key"),
      endpoint: "/v1/kb/search",
      status: 400,
      code: "invalid_request",
      message: `${secret} is not valid.`,
      latencyMs: 1,
    },
  });
  await db().recognizedPage.create({
    data: { jobId: ids.job, accountId, page: 1, content: Buffer.from(secret), costMicros: 0n },
  });
  await payAndRefund(ids.checkout);
  await db().paymentCustomer.create({
    data: { accountId, provider: "stripe", providerId: newId("person"), email: null },
  });
  // Background work has stopped, so these bytes aren't deleted.
  await upload(key, { scope: "customer_kb", secret: `${secret} again` });
}
