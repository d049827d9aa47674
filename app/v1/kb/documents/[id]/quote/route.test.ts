import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { PublicDocument } from "@/lib/library/documents/identity";
import { permalinkOf } from "@/lib/library/documents/permalink";
import { hashOf, quoteRefOf } from "@/lib/library/documents/quote-ref";
import { importDocuments } from "@/lib/library/documents/write/import";
import { removePublicBatch, writeTombstones } from "@/lib/library/documents/write/remove";
import { db, transaction } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { drawLines, pdf } from "@/lib/testing/document-files";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const WORDS = "The zebrafish clinic opens at 07:45 on Tuesdays.";
const MARKDOWN = `# Zebrafish clinic\n\nWelcome.\n\n## Opening hours\n\n${WORDS}\n\n${"Come early. ".repeat(60)}`;
const NOTHING = {
  text: null,
  char_start: null,
  char_end: null,
  page: null,
  section: null,
  before: null,
  after: null,
};

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

async function ingest(
  key: string,
  content: string | Uint8Array = MARKDOWN,
  scope = "customer_kb",
): Promise<string> {
  const form = new FormData();
  form.set("scope", scope);
  form.set("file", new File([Buffer.from(content)], "clinic.md"));
  const { json } = await call("POST", "/v1/kb/documents", { key, raw: form });
  await call("GET", `/v1/kb/jobs/${json.job_id}?wait=15`, { key });
  return json.id;
}

/** The permalink ref of this quote in the document's stored text. */
async function refTo(id: string, words: string): Promise<string> {
  const { text } = await db().document.findFirstOrThrow({ where: { id } });
  const start = text?.indexOf(words) ?? -1;
  expect(start).toBeGreaterThanOrEqual(0);
  return quoteRefOf({ text: words, start, end: start + words.length });
}

function ask(key: string, id: string, ref: string) {
  return call("GET", `/v1/kb/documents/${id}/quote?ref=${encodeURIComponent(ref)}`, { key });
}

describe("GET /v1/kb/documents/{id}/quote", () => {
  it("names the columns of a quoted row's cells", async () => {
    const { key } = await makeKeyedAccount();
    const id = await ingest(
      key,
      "| Drug | Noon | Evening |\n| --- | --- | --- |\n| Abaril | 5 mg | |\n| Bexacor | | 20 mg |\n",
    );
    const { json } = await ask(key, id, await refTo(id, "Bexacor | | 20 mg"));
    expect(json.cells).toEqual([
      { column: "Drug", text: "Bexacor" },
      { column: "Evening", text: "20 mg" },
    ]);
  });

  it("returns a permalink's quote with its range and context", async () => {
    const { key } = await makeKeyedAccount();
    const id = await ingest(key);
    const ref = await refTo(id, "opens at 07:45");
    const { status, json } = await ask(key, id, ref);
    const { text } = await db().document.findFirstOrThrow({ where: { id } });
    expect([status, json]).toEqual([
      200,
      {
        object: "kb.quote",
        document_id: id,
        status: "current",
        text: "opens at 07:45",
        char_start: text?.indexOf("opens at"),
        char_end: Number(text?.indexOf("opens at")) + 14,
        page: null,
        section: "Zebrafish clinic › Opening hours",
        before: text?.slice(0, text.indexOf("opens at")),
        after: expect.stringMatching(/^ on Tuesdays\.\n\nCome early\. .*\S$/s),
      },
    ]);
    expect(json.after.length).toBeLessThanOrEqual(200);
    expect(text?.slice(json.char_end).startsWith(json.after)).toBe(true);
    expect(text?.charAt(json.char_end + json.after.length)).toBe(" ");
  });

  it("says where the words of a PDF are on their page, and on which page", async () => {
    const { key } = await makeKeyedAccount();
    const bytes = await pdf(3, (page, number, { plain }) => {
      drawLines(page, [`Page ${number} begins here.`, number === 2 ? WORDS : "Nothing else."], {
        font: plain,
      });
    });
    const id = await ingest(key, bytes);
    const { json } = await ask(key, id, await refTo(id, "opens at 07:45"));
    expect(json.page).toBe(2);
    expect(json.boxes).toEqual([
      {
        page: 2,
        x0: expect.closeTo(0.29, 1),
        y0: expect.closeTo((842 - 760 + 5) / 842, 1),
        x1: expect.closeTo(0.42, 1),
        y1: expect.closeTo((842 - 760 + 17) / 842, 1),
      },
    ]);
  });

  it("resolves the permalink of a search result", async () => {
    const { key } = await makeKeyedAccount();
    const id = await ingest(key);
    const found = await call("POST", "/v1/kb/search", {
      key,
      body: { query: "zebrafish clinic opening", sources: ["customer_kb"] },
    });
    const { text, metadata } = found.json.data[0];
    const quote = { text, start: metadata.char_start, end: metadata.char_end };
    const ref = new URL(permalinkOf(id, quote)).searchParams.get("quote") ?? "";
    expect((await ask(key, id, ref)).json).toMatchObject({ status: "current", text });
  });

  it("returns the page on which the quote begins, not the first one of its passage", async () => {
    const { key } = await makeKeyedAccount();
    const bytes = await pdf(4, (page, number, { plain }) => {
      const lines = number === 2 ? [] : [`Only page ${number} says this.`];
      drawLines(page, lines, { font: plain });
    });
    const id = await ingest(key, bytes);
    expect(await db().chunk.count({ where: { documentId: id } })).toBe(1);
    for (const number of [1, 3, 4]) {
      const ref = await refTo(id, `Only page ${number} says this.`);
      expect((await ask(key, id, ref)).json.page).toBe(number);
    }
  });

  it("returns the first page of the quote's passage if it isn't known where pages begin", async () => {
    const { key } = await makeKeyedAccount();
    const id = await ingest(key);
    await db().chunk.updateMany({ where: { documentId: id }, data: { pageStart: 7, pageEnd: 8 } });
    expect((await ask(key, id, await refTo(id, WORDS))).json.page).toBe(7);
  });

  it("rejects a malformed ref by name before looking up the document", async () => {
    const { key } = await makeKeyedAccount();
    const hash = hashOf("x");
    const refs = ["", "x", "1-2", `2-1-${hash}`, `1-1-${hash}`, `0-1-${hash}z`, "9".repeat(5000)];
    for (const ref of refs) {
      const { status, json } = await ask(key, "doc_none", ref);
      expect([status, json.error.code, json.error.param], ref).toEqual([
        400,
        "invalid_request",
        "ref",
      ]);
    }
    for (const query of ["", "?ref=%00", `?ref=0-1-${hash}&person=x`]) {
      const { status } = await call("GET", `/v1/kb/documents/doc_none/quote${query}`, { key });
      expect(status, query).toBe(400);
    }
  });

  it("reports a quote as changed if it isn't in the text or is out of range", async () => {
    const { key } = await makeKeyedAccount();
    const id = await ingest(key);
    for (const ref of [`0-10-${hashOf("other words")}`, `900000000-999999999-${hashOf("x")}`]) {
      const { status, json } = await ask(key, id, ref);
      expect([status, json]).toEqual([
        200,
        { object: "kb.quote", document_id: id, status: "changed", ...NOTHING },
      ]);
    }
  });

  it("returns no quote for a document that was never processed", async () => {
    const { key } = await makeKeyedAccount();
    const id = await ingest(key, " \n\n ");
    expect((await ask(key, id, `0-1-${hashOf(" ")}`)).json.status).toBe("changed");
  });

  it("requires a key with the scope, and GET", async () => {
    const { ctx } = await makeAccount();
    const { secret } = await makeKey(ctx, { scopes: ["kb:documents:write", "kb:search"] });
    const ref = `0-1-${hashOf("x")}`;
    expect((await call("GET", `/v1/kb/documents/doc_1/quote?ref=${ref}`)).status).toBe(401);
    expect((await ask(secret, "doc_1", ref)).json.error.code).toBe("insufficient_scope");
    const posted = await call("POST", "/v1/kb/documents/doc_1/quote", { key: secret });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
  });
});

describe("permalink isolation", () => {
  it("hides the document from other accounts and persons, like a malformed id", async () => {
    const owner = await makeAccount();
    const personal = ["public_kb", "personal_kb"] as const;
    const anna = await makeKey(owner.ctx, { knowledge_scopes: [...personal], person: "anna" });
    const ben = await makeKey(owner.ctx, { knowledge_scopes: [...personal], person: "ben" });
    const company = await makeKey(owner.ctx);
    const stranger = await makeKeyedAccount();
    const own = await ingest(company.secret);
    const annas = await ingest(anna.secret, MARKDOWN, "personal_kb");
    const ref = await refTo(own, WORDS);
    const foreign: [string, string][] = [
      [stranger.key, own],
      [stranger.key, annas],
      [ben.secret, annas],
      [ben.secret, own],
      [company.secret, annas],
      [company.secret, "doc_none"],
      [company.secret, "doc_%00"],
      [company.secret, "../../etc"],
    ];
    for (const [key, id] of foreign) {
      const { status, json } = await ask(key, encodeURIComponent(id), ref);
      expect([status, json.error?.code], id).toEqual([404, "not_found"]);
    }
    expect((await ask(anna.secret, annas, ref)).json.status).toBe("current");
    expect((await ask(company.secret, own, ref)).json.status).toBe("current");
  });

  it("applies to deleted documents too", async () => {
    const owner = await makeAccount();
    const personal = ["public_kb", "personal_kb"] as const;
    const anna = await makeKey(owner.ctx, { knowledge_scopes: [...personal], person: "anna" });
    const ben = await makeKey(owner.ctx, { knowledge_scopes: [...personal], person: "ben" });
    const stranger = await makeKeyedAccount();
    const id = await ingest(anna.secret, MARKDOWN, "personal_kb");
    const ref = await refTo(id, WORDS);
    await call("DELETE", `/v1/kb/documents/${id}`, { key: anna.secret });
    expect(await ask(anna.secret, id, ref)).toMatchObject({
      status: 200,
      json: { object: "kb.quote", document_id: id, status: "deleted", ...NOTHING },
    });
    for (const key of [ben.secret, stranger.key]) {
      expect((await ask(key, id, ref)).status).toBe(404);
    }
    expect(await db().documentTombstone.findFirstOrThrow({ where: { documentId: id } })).toEqual({
      documentId: id,
      collectionId: expect.stringMatching(/^personal_kb:per_/),
      accountId: owner.id,
      deletedAt: expect.any(Date),
    });
  });

  it("leaves the document unchanged when its deletion fails", async () => {
    const { key } = await makeKeyedAccount();
    const id = await ingest(key);
    const ref = await refTo(id, WORDS);
    const failed = transaction(async (tx) => {
      await writeTombstones(tx, [id]);
      throw new Error("the disk is full");
    });
    await expect(failed).rejects.toThrow("the disk is full");
    expect((await ask(key, id, ref)).json.status).toBe("current");
    expect(await db().documentTombstone.findFirst({ where: { documentId: id } })).toBeNull();
  });
});

describe("a public document", () => {
  const sourceType = "quote_test";
  const load = (text: string) => {
    const document: PublicDocument = {
      key: "clinic",
      path: null,
      name: null,
      title: "Clinic",
      sourceType,
      url: null,
      publishedAt: null,
      metadata: {},
      mediaType: "text/markdown",
      bytes: Buffer.from(text),
    };
    const { signal } = new AbortController();
    return importDocuments([document], { seen: new Map(), signal });
  };
  const find = () => db().document.findFirstOrThrow({ where: { sourceType } });

  afterEach(async () => {
    await removePublicBatch({ sourceType }, "");
  });

  it("keeps its permalinks when its text is replaced: moved, then changed", async () => {
    const { key } = await makeKeyedAccount();
    await load(MARKDOWN);
    const { id } = await find();
    const ref = await refTo(id, WORDS);
    expect((await ask(key, id, ref)).json.status).toBe("current");
    await load(MARKDOWN.replace("Welcome.", "Welcome to our house."));
    expect((await find()).id).toBe(id);
    const moved = (await ask(key, id, ref)).json;
    const { text } = await find();
    expect(moved).toMatchObject({ status: "moved", text: WORDS });
    expect(text?.slice(moved.char_start, moved.char_end)).toBe(WORDS);
    await load(MARKDOWN.replace("07:45", "08:15"));
    expect((await ask(key, id, ref)).json).toMatchObject({ status: "changed", ...NOTHING });
  });

  it("is visible only to keys with public_kb, and reported as deleted once removed", async () => {
    const reader = await makeKeyedAccount();
    const closed = await makeKeyedAccount({ knowledge_scopes: ["customer_kb"] });
    await load(MARKDOWN);
    const { id } = await find();
    const ref = await refTo(id, WORDS);
    expect((await ask(reader.key, id, ref)).json.text).toBe(WORDS);
    expect((await ask(closed.key, id, ref)).status).toBe(404);
    await removePublicBatch({ sourceType }, "");
    expect((await ask(reader.key, id, ref)).json).toMatchObject({ status: "deleted", ...NOTHING });
    expect((await ask(closed.key, id, ref)).status).toBe(404);
    await load(MARKDOWN);
    expect((await ask(reader.key, id, ref)).json.status).toBe("current");
  });
});
