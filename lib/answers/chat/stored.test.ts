import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UrlCitation } from "@/lib/answers/citations/schema";
import { newId } from "@/lib/id";
import { requestedCollections } from "@/lib/library/documents/collections";
import { permalinkOf } from "@/lib/library/documents/permalink";
import type { Passage } from "@/lib/library/retrieval/read/passages";
import { search } from "@/lib/library/retrieval/read/search";
import type { KeyContext } from "@/lib/platform/auth/context";
import { db, query } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount, readMoney } from "@/lib/testing/factories";
import { setLimit } from "@/lib/testing/set-limit";
import { anyAnswer, makeKeyPair, makeStoredAnswer } from "@/lib/testing/stored-answer";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";
import { findStoredByRequest, getStored, listStored, listStoredMessages } from "./read/stored";
import { ListMessages, ListStored, StoredCompletion, StoredForConsole } from "./stored-schema";
import { deleteExpiredCompletions, deleteStored } from "./write/delete-stored";
import { requireStorageRoom } from "./write/storage";
import { updateStored } from "./write/stored";

const everything = ListStored.parse({ limit: 100 });

async function makeKey(knowledge: KeyContext["actor"]["knowledgeScopes"] = ["public_kb"]) {
  const account = await makeAccount();
  const key = await makeKeyPair(account.ctx, { knowledge_scopes: [...knowledge] });
  return { member: account.ctx, ...key };
}

async function find(ctx: KeyContext, text: string): Promise<Passage[]> {
  const { passages } = await search(ctx, {
    query: text,
    collections: requestedCollections(ctx, undefined, "sources"),
    topK: 3,
    minScore: 0,
  });
  expect(passages.length).toBeGreaterThan(0);
  return passages;
}

/** The annotation of one marker, quoting the passage's first words. */
function annotationOf({ passage, id }: { passage: Passage; id: number }): UrlCitation {
  const text = passage.text.slice(0, 40);
  const end = passage.charStart + text.length;
  return {
    type: "url_citation",
    url_citation: {
      start_index: 5,
      end_index: 8,
      title: passage.title,
      url: "https://example.org/",
      citation_id: id,
      claim: { start_index: 0, end_index: 4, text: "So it" },
      verification: { verdict: "partial", score: 0.5, method: "rules", reason: "missing_terms" },
      quote: {
        text,
        char_start: passage.charStart,
        char_end: end,
        page: null,
        section: null,
        permalink: permalinkOf(passage.documentId, { text, start: passage.charStart, end }),
      },
    },
  };
}

/** An answer whose only message has these annotations. */
function answerWith(annotations: unknown[]) {
  const answer = anyAnswer();
  const choices = answer.choices.map((choice) => ({
    ...choice,
    message: { ...choice.message, annotations },
  }));
  return { ...answer, choices };
}

describe("a list of long stored answers", () => {
  it("ends a page early, with more to come, and reads on to the last one", async () => {
    const { ctx } = await makeKey();
    const ids: string[] = [];
    const maxBytes = 10_000;
    const long = "x".repeat(0.4 * maxBytes);
    for (const content of [long, long, long, "Short.", "x".repeat(2 * maxBytes)]) {
      ids.push(await makeStoredAnswer(ctx, { response: anyAnswer(content) }));
    }
    const pages: string[][] = [];
    for (let after: string | undefined, more = true; more; ) {
      const page = await listStored(ctx, { ...everything, after }, maxBytes);
      pages.push(page.data.map(({ id }) => id));
      more = page.has_more;
      after = page.last_id ?? undefined;
    }
    expect(pages.flat()).toEqual(ids);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  it("reads on over its batches", async () => {
    const { ctx } = await makeKey();
    const ids: string[] = [];
    for (let count = 0; count < 26; count += 1) {
      ids.push(await makeStoredAnswer(ctx));
    }
    for (const [limit, length, has_more] of [
      [11, 11, true],
      [12, 12, true],
      [25, 25, true],
      [26, 26, false],
      [100, 26, false],
    ] as const) {
      const page = await listStored(ctx, { ...everything, limit });
      expect([page.data.length, page.has_more]).toEqual([length, has_more]);
      expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, length));
    }
  });
});

describe("the evidence of a stored answer", () => {
  it("records each source: document version, passage hash, quote and verdict", async () => {
    const { ctx } = await makeKey();
    const passages = await find(ctx, "What are the symptoms of asthma?");
    const [first, second] = passages as [Passage, Passage];
    const response = answerWith([annotationOf({ passage: second, id: 2 })]);
    const { evidence } = await getStored(ctx, await makeStoredAnswer(ctx, { response, passages }));
    const { contentHash } = await db().document.findFirstOrThrow({
      where: { id: second.documentId },
    });
    expect(evidence.map(({ citation_id }) => citation_id)).toEqual(passages.map((_, at) => at + 1));
    expect(evidence[0]).toMatchObject({ chunk_id: first.chunkId, quotes: [] });
    expect(evidence[1]).toEqual({
      citation_id: 2,
      scope: "public_kb",
      document_id: second.documentId,
      title: second.title,
      source_type: second.sourceType,
      url: second.url,
      published_at: second.publishedAt?.toISOString().slice(0, 10) ?? null,
      document_version: Buffer.from(contentHash).toString("hex"),
      chunk_id: second.chunkId,
      chunk_hash: createHash("sha256").update(second.text, "utf8").digest("hex"),
      char_start: second.charStart,
      char_end: second.charEnd,
      page: second.pageStart,
      page_end: second.pageEnd,
      section: second.headings.join(" › ") || null,
      excerpt: expect.stringContaining(second.text.slice(0, 40)),
      permalink: permalinkOf(second.documentId, {
        text: second.text,
        start: second.charStart,
        end: second.charEnd,
      }),
      quotes: [
        {
          choice_index: 0,
          claim: "So it",
          text: second.text.slice(0, 40),
          char_start: second.charStart,
          char_end: second.charStart + 40,
          permalink: expect.stringMatching(new RegExp(`/documents/${second.documentId}\\?quote=`)),
          verdict: "partial",
          score: 0.5,
          reason: "missing_terms",
          method: "rules",
        },
      ],
    });
  });

  it("includes claims without quote or verdict, and ignores annotations from the upstream", async () => {
    const { ctx } = await makeKey();
    const passages = await find(ctx, "What are the symptoms of asthma?");
    const [passage] = passages as [Passage];
    const { type, url_citation } = annotationOf({ passage, id: 1 });
    const { verification: _, quote: __, ...bare } = url_citation;
    const foreign = { type, url_citation: { start_index: 0, end_index: 1, title: "x", url: "y" } };
    const response = answerWith([{ type, url_citation: bare }, foreign, null]);
    const { evidence } = await getStored(ctx, await makeStoredAnswer(ctx, { response, passages }));
    expect(evidence[0]?.quotes).toEqual([
      {
        choice_index: 0,
        claim: "So it",
        text: null,
        char_start: null,
        char_end: null,
        permalink: null,
        verdict: null,
        score: null,
        reason: null,
        method: null,
      },
    ]);
  });

  it("has no version for a document deleted before the answer was stored", async () => {
    const { ctx, secret } = await makeKey(["customer_kb"]);
    const upload = await call("POST", "/v1/kb/documents", {
      key: secret,
      body: { scope: "customer_kb", text: "The zebrafish clinic opens at 07:45 on Tuesdays." },
    });
    await call("GET", `/v1/kb/jobs/${upload.json.job_id}?wait=15`, { key: secret });
    const passages = await find(ctx, "When does the zebrafish clinic open?");
    const before = await getStored(
      ctx,
      await makeStoredAnswer(ctx, { passages, knowledgeScopes: [] }),
    );
    await call("DELETE", `/v1/kb/documents/${upload.json.id}`, { key: secret });
    const after = await getStored(
      ctx,
      await makeStoredAnswer(ctx, { passages, knowledgeScopes: [] }),
    );
    expect(before.evidence[0]?.document_version).toMatch(/^[0-9a-f]{64}$/);
    expect(after.evidence[0]).toEqual({ ...before.evidence[0], document_version: null });
  });

  beforeAll(startBackgroundWork);
  afterAll(() => stopBackgroundWork());

  it("is immutable, like the answer and its messages", async () => {
    const { ctx, member } = await makeKey();
    const id = await makeStoredAnswer(ctx, { metadata: { ward: "7" } });
    const before = await getStored(ctx, id);
    const changes = [
      'response = response || \'{"model": "other"}\'',
      "response = '{}'",
      "evidence = '[{}]'",
      "messages = '[]'",
      "created_at = created_at - interval '1 day'",
      "person_id = NULL, model = 'other'",
      "knowledge_scopes = '{}'",
      `account_id = '${(await makeAccount()).id}'`,
      `id = '${newId("completion")}'`,
      "request_id = 'req_other'",
      "metadata = '{}', evidence = '[1]'",
    ];
    for (const [at, change] of changes.entries()) {
      const update = query(
        `test_change_stored_${at}`,
        `UPDATE stored_completion SET ${change} WHERE id = $1`,
        [id],
      );
      await expect(update, change).rejects.toThrow(/is immutable/);
    }
    const row = { where: { id }, data: { evidence: [1] } };
    await expect(db().storedCompletion.updateMany(row)).rejects.toThrow(/is immutable/);
    expect(await getStored(ctx, id)).toEqual(before);
    expect((await findStoredByRequest(member, before.request_id))?.access).toBe("shown");
  });
});

describe("a stored answer", () => {
  it("is returned as it was sent, with its metadata", async () => {
    const { ctx } = await makeKey();
    const response = answerWith([]);
    const id = await makeStoredAnswer(ctx, { response, metadata: { ward: "7" } });
    const stored = await getStored(ctx, id);
    const { metadata, request_id, evidence, ...answered } = stored;
    expect(answered).toEqual(response);
    expect({ metadata, evidence }).toEqual({ metadata: { ward: "7" }, evidence: [] });
    expect(request_id).toMatch(/^req_/);
    expect(StoredCompletion.parse(stored)).toEqual(stored);
  });

  it("is not stored if the account was closed in the meantime", async () => {
    const { ctx } = await makeKey();
    await db().account.update({ where: { id: ctx.account.id }, data: { closedAt: new Date() } });
    const id = await makeStoredAnswer(ctx);
    expect(await db().storedCompletion.count({ where: { id } })).toBe(0);
  });

  it("preserves characters that jsonb rejects, in the answer and in the messages", async () => {
    const { ctx } = await makeKey();
    const odd = 'NUL \0, half a pair \ud83d, "\\u0000", \\ud800, 😀 and  \u2028';
    const messages = [{ role: "user" as const, content: odd, [odd]: [odd] }];
    const id = await makeStoredAnswer(ctx, { messages, response: anyAnswer(odd) });
    expect((await getStored(ctx, id)).choices[0]?.message.content).toBe(odd);
    const { data } = await listStoredMessages(ctx, { ...ListMessages.parse({}), id });
    expect(data[0]).toMatchObject({ content: odd, [odd]: [odd] });
    expect((await listStored(ctx, everything)).data[0]?.choices[0]?.message.content).toBe(odd);
  });

  it("is not found for another account or person, or with fewer scopes", async () => {
    const { member, ctx: company } = await makeKey(["public_kb", "customer_kb"]);
    const personal = (person: string | null) =>
      makeKeyPair(member, { knowledge_scopes: ["public_kb", "personal_kb"], person });
    const ana = await personal("patient-1");
    const sameAna = await personal("patient-1");
    const ben = await personal("patient-2");
    const own = await personal(null);
    const fewer = await makeKeyPair(member, { knowledge_scopes: ["public_kb"] });
    const stranger = await makeKey(["public_kb", "customer_kb"]);
    const both = ["public_kb", "customer_kb"];
    const ofCompany = await makeStoredAnswer(company, { knowledgeScopes: both });
    const ofAna = await makeStoredAnswer(ana.ctx, { knowledgeScopes: ["personal_kb"] });
    const ofNothing = await makeStoredAnswer(company, { knowledgeScopes: [] });

    const seen = async (ctx: KeyContext) =>
      (await listStored(ctx, everything)).data.map(({ id }) => id);
    expect(await seen(company)).toEqual([ofCompany, ofNothing]);
    expect(await seen(fewer.ctx)).toEqual([ofNothing]);
    expect(await seen(sameAna.ctx)).toEqual([ofAna]);
    for (const ctx of [ben.ctx, own.ctx, stranger.ctx]) {
      expect(await seen(ctx)).toEqual([]);
    }
    const hidden: [KeyContext, string][] = [
      [fewer.ctx, ofCompany],
      [ana.ctx, ofCompany],
      [stranger.ctx, ofCompany],
      [company, ofAna],
      [ben.ctx, ofAna],
      [own.ctx, ofAna],
    ];
    const count = () => db().storedCompletion.count({ where: { accountId: company.account.id } });
    for (const [ctx, id] of hidden) {
      const bounds = ListMessages.parse({});
      for (const attempt of [
        () => getStored(ctx, id),
        () => updateStored(ctx, { id, metadata: { mine: "now" } }),
        () => deleteStored(ctx, id),
        () => listStoredMessages(ctx, { ...bounds, id }),
      ]) {
        await expect(attempt()).rejects.toMatchObject({
          code: "not_found",
          param: "completion_id",
        });
      }
    }
    expect(await count()).toBe(3);
    expect((await getStored(sameAna.ctx, ofAna)).metadata).toEqual({});
  });

  it("requires the scopes of its passages, regardless of the scopes searched", async () => {
    const { member, ctx } = await makeKey(["public_kb", "customer_kb"]);
    const [passage] = (await find(ctx, "asthma")) as [Passage];
    const passages = [{ ...passage, scope: "customer_kb" as const }];
    const id = await makeStoredAnswer(ctx, { passages, knowledgeScopes: [] });
    const fewer = await makeKeyPair(member, { knowledge_scopes: ["public_kb"] });
    await expect(getStored(fewer.ctx, id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is unreadable if it has no scopes", async () => {
    const { ctx } = await makeKey();
    const id = newId("completion");
    await query(
      "test_scopeless_answer",
      `INSERT INTO stored_completion (id, account_id, request_id, key_id, knowledge_scopes, model, messages, response,
                                      evidence) VALUES ($1, $2, 'req_x', $3, NULL, 'm', '[]', '{}', '[]')`,
      [id, ctx.account.id, ctx.actor.id],
    );
    await expect(getStored(ctx, id)).rejects.toMatchObject({ code: "not_found" });
    expect((await listStored(ctx, everything)).data).toEqual([]);
  });
});

describe("the stored answer of a request, for the console", () => {
  it("shows members their company's answers and their own", async () => {
    const { member, ctx: company } = await makeKey();
    const personal = (person: string | null) =>
      makeKeyPair(member, { knowledge_scopes: ["personal_kb"], person });
    const requestOf = async (ctx: KeyContext) => {
      const id = await makeStoredAnswer(ctx, { knowledgeScopes: [] });
      return (await getStored(ctx, id)).request_id;
    };
    const colleague = {
      ...member,
      actor: { ...member.actor, id: newId("member"), email: "b@example.org" },
    };
    const ofCompany = await requestOf(company);
    const ofMember = await requestOf((await personal(null)).ctx);
    const ofPatient = await requestOf((await personal("patient-1")).ctx);
    // A person reference that looks like the member's id still isn't the member.
    const ofNamesake = await requestOf((await personal(member.actor.id)).ctx);

    const shown = await findStoredByRequest(member, ofCompany);
    expect(shown).toMatchObject({
      access: "shown",
      completion: { request_id: ofCompany, evidence: [] },
      messages: [{ role: "user", content: "How does salbutamol work?" }],
      stored_at: expect.stringMatching(/^\d{4}-/),
    });
    expect(StoredForConsole.parse(shown)).toEqual(shown);
    const accesses = async (ctx: typeof member) =>
      Promise.all(
        [ofCompany, ofMember, ofPatient, ofNamesake].map(
          async (request) => (await findStoredByRequest(ctx, request))?.access ?? null,
        ),
      );
    expect(await accesses(member)).toEqual(["shown", "shown", "hidden", "hidden"]);
    expect(await accesses(colleague)).toEqual(["shown", "hidden", "hidden", "hidden"]);
    expect(Object.keys((await findStoredByRequest(member, ofPatient)) ?? {})).toEqual([
      "access",
      "completion_id",
      "stored_at",
    ]);
    expect(await accesses((await makeAccount()).ctx)).toEqual([null, null, null, null]);
    expect(await findStoredByRequest(member, "req_unknown")).toBeNull();
  });
});

describe("the size of stored answers", () => {
  const ask = (key: string, content: unknown, store = true) =>
    call("POST", "/v1/chat/completions", {
      key,
      body: { model: "footnote-extract-1", messages: [{ role: "user", content }], store },
    });

  it("excludes the bytes of images and other files", async () => {
    const { ctx } = await makeKey();
    const bytes = "A".repeat(500_000);
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${bytes}`, detail: "low" } },
      { type: "image_url", image_url: { url: "https://example.org/x.png" } },
      { type: "input_audio", input_audio: { data: bytes, format: "wav" } },
    ];
    const id = await makeStoredAnswer(ctx, { messages: [{ role: "user", content }] });
    const { data } = await listStoredMessages(ctx, { id, ...ListMessages.parse({}) });
    expect(data[0]?.content_parts).toEqual([
      content[0],
      { type: "image_url", image_url: { url: "data:image/png;base64,", detail: "low" } },
      content[2],
      { type: "input_audio", input_audio: { data: "", format: "wav" } },
    ]);
    const { bytes: counted } = await db().storedCompletion.findFirstOrThrow({ where: { id } });
    expect(counted).toBeGreaterThan(500);
    expect(counted).toBeLessThan(5000);
  });

  it("is limited for one answer: longer messages are rejected before they cost anything", async () => {
    const { secret, member } = await makeKey();
    setLimit("MAX_STORED_ANSWER_BYTES", 1024);
    const { status, json } = await ask(secret, "A word. ".repeat(128));
    expect([status, json.error.code, json.error.param]).toEqual([
      413,
      "payload_too_large",
      "messages",
    ]);
    expect(await readMoney(member.account.id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("is refused by the length of its strings alone, before megabytes are written as JSON", async () => {
    const { ctx } = await makeKey();
    const toJSON = () => {
      throw new Error("written as JSON");
    };
    const store = (text: string) =>
      requireStorageRoom(ctx.account.id, [
        { role: "user", content: [{ type: "text", text, toJSON }] },
      ]);
    await expect(store("ä".repeat(600_000))).rejects.toMatchObject({ code: "payload_too_large" });
    await expect(store("ä".repeat(400_000))).rejects.toThrow("written as JSON");
  });

  it("is limited for an account until it deletes answers", async () => {
    const { secret, ctx } = await makeKey();
    const id = await makeStoredAnswer(ctx);
    setLimit("MAX_STORED_BYTES_PER_ACCOUNT", 500);
    const refused = await ask(secret, "What is asthma?");
    expect([refused.status, refused.json.error.code, refused.json.error.param]).toEqual([
      409,
      "conflict",
      "store",
    ]);
    expect((await ask(secret, "What is asthma?", false)).status).toBe(200);
    await deleteStored(ctx, id);
    expect((await ask(secret, "What is asthma?")).status).toBe(200);
  });
});

describe("the retention of stored answers", () => {
  /** Copies a row with an older date, because a stored answer can't be backdated. */
  async function keepAgo(ctx: KeyContext, days: number): Promise<string> {
    const id = await makeStoredAnswer(ctx);
    const copy = newId("completion");
    await query(
      "test_old_answer",
      `INSERT INTO stored_completion SELECT (jsonb_populate_record(s, jsonb_build_object(
         'id', $2::text, 'created_at', now() - make_interval(days => $3)))).* FROM stored_completion s WHERE id = $1`,
      [id, copy, days],
    );
    await deleteStored(ctx, id);
    return copy;
  }

  it("deletes expired answers in batches and keeps newer ones", async () => {
    const { ctx } = await makeKey();
    for (const days of [401, 402, 403, 500]) {
      await keepAgo(ctx, days);
    }
    const young = await keepAgo(ctx, 399);
    expect(await deleteExpiredCompletions({ retentionDays: 0 })).toBe(0);
    expect((await listStored(ctx, everything)).data).toHaveLength(5);
    expect(await deleteExpiredCompletions({ batchSize: 2 })).toBe(4);
    expect((await listStored(ctx, everything)).data.map(({ id }) => id)).toEqual([young]);
    expect(await deleteExpiredCompletions()).toBe(0);
  });
});
