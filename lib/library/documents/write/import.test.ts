import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { replaceEmbedder } from "@/lib/models/embedding";
import { db, execute, transaction } from "@/lib/platform/db/client";
import { WRONG_CHUNK_COUNTS, WRONG_TERM_COUNTS } from "@/lib/testing/recount";
import type { PublicDocument } from "../identity";
import { type Imported, importDocuments } from "./import";
import { countPublic, removePublicBatch } from "./remove";
import { setStanding } from "./versions";

const sourceType = "import_test";
const { signal } = new AbortController();

function text(content: string, about: Partial<PublicDocument> = {}): PublicDocument {
  return {
    key: null,
    path: null,
    name: null,
    title: "Sailing",
    sourceType,
    url: null,
    publishedAt: null,
    metadata: {},
    mediaType: "text/plain",
    bytes: Buffer.from(content),
    ...about,
  };
}

function load(...documents: PublicDocument[]): Promise<Imported[]> {
  return importDocuments(documents, { seen: new Map(), signal });
}

function stored() {
  return db().document.findMany({ where: { sourceType }, orderBy: { title: "asc" } });
}

async function removeAll(): Promise<void> {
  while ((await removePublicBatch({ sourceType }, "")).length > 0) {
    // Repeat until nothing is left.
  }
}

async function expectExactCounts(): Promise<void> {
  expect((await execute(WRONG_TERM_COUNTS)).rows).toEqual([]);
  expect((await execute(WRONG_CHUNK_COUNTS)).rows).toEqual([]);
}

beforeEach(async () => {
  replaceEmbedder(null);
  await removeAll();
});
afterAll(async () => {
  await removeAll();
  replaceEmbedder(undefined);
});

describe("an import", () => {
  it("adds each document once, no matter how often it runs", async () => {
    const documents = [text("A tack is a turn."), text("A gybe is another.", { key: "gybe" })];
    expect(await load(...documents)).toEqual([
      { state: "added", chunks: 1 },
      { state: "added", chunks: 1 },
    ]);
    expect(await load(...documents)).toEqual([{ state: "unchanged" }, { state: "unchanged" }]);
    expect(await countPublic({ sourceType })).toBe(2);
    await expectExactCounts();
  });

  it.each([
    ["id", { key: "winch" }],
    ["url and title", { url: "https://sea.example/winch" }],
    ["path", { path: "/kb/winch.txt" }],
  ])(
    "replaces a different text with the same %s, and the document keeps its id",
    async (_, name) => {
      await load(text("A winch pulls sheets, old words.", name));
      const [before] = await stored();
      expect(await load(text("A winch pulls halyards.", name))).toEqual([
        { state: "replaced", chunks: 1 },
      ]);
      const after = await stored();
      expect(after.map(({ id, text }) => [id, text])).toEqual([
        [before?.id, "A winch pulls halyards."],
      ]);
      await expectExactCounts();
    },
  );

  it("replaces a document whose metadata changed", async () => {
    const about = { key: "knot", metadata: { edition: 1 } };
    await load(text("A bowline is a knot.", about));
    const again = text("A bowline is a knot.", { ...about, metadata: { edition: 2 } });
    expect(await load(again)).toEqual([{ state: "replaced", chunks: 1 }]);
    expect((await stored()).map(({ metadata }) => metadata)).toEqual([{ edition: 2 }]);
  });

  it("keeps the standing of a document that it replaces", async () => {
    await load(text("A bowline is a knot.", { key: "knot" }));
    const ids = (await stored()).map(({ id }) => id);
    await transaction((tx) => setStanding(tx, ids, "retracted"));
    await load(text("A bowline is a loop.", { key: "knot" }));
    expect(await stored()).toMatchObject([{ text: "A bowline is a loop.", standing: "retracted" }]);
    expect(await db().chunk.count({ where: { documentId: { in: ids }, isRetracted: true } })).toBe(
      1,
    );
  });

  it("replaces a document that an older version stored under its URL and title", async () => {
    const url = "https://sea.example/old";
    await load(text("Old words of the keel.", { url }));
    const [made] = await stored();
    await execute(
      `INSERT INTO document SELECT (jsonb_populate_record(d, '{"id": "doc_01jold", "content_hash": "old"}')).*
         FROM document d WHERE id = $1`,
      [made?.id],
    );
    await execute("UPDATE chunk SET document_id = 'doc_01jold' WHERE document_id = $1", [made?.id]);
    await execute("DELETE FROM document WHERE id = $1", [made?.id]);
    expect(await load(text("New words of the keel.", { url }))).toEqual([
      { state: "replaced", chunks: 1 },
    ]);
    expect((await stored()).map((document) => document.text)).toEqual(["New words of the keel."]);
  });

  it("rejects a second text with the same id, and imports the others", async () => {
    const outcomes = await load(
      text("One.", { key: "a" }),
      text("Two.", { key: "a" }),
      text("One.", { key: "a" }),
      text("Three.", { key: "b" }),
    );
    expect(outcomes.map(({ state }) => state)).toEqual(["added", "failed", "unchanged", "added"]);
  });

  it("reports why a document can't be read, and imports the others", async () => {
    const [failed, added] = await load(text(" \n "), text("Words."));
    expect(failed).toMatchObject({ state: "failed", message: expect.stringContaining("text") });
    expect(added).toEqual({ state: "added", chunks: 1 });
  });

  it("adds each document once if several processes import it at the same time", async () => {
    const documents = Array.from({ length: 20 }, (_, at) => text(`Buoy ${at}.`, { key: `b${at}` }));
    const runs = await Promise.all([1, 2, 3].map(() => load(...documents)));
    expect(runs.flat().filter(({ state }) => state === "added")).toHaveLength(20);
    expect(runs.flat().filter(({ state }) => state === "unchanged")).toHaveLength(40);
    await expectExactCounts();
  });
});

describe("a removal", () => {
  it("deletes only the given document or source type, with its counts", async () => {
    const others = await db().document.count({ where: { sourceType: { not: sourceType } } });
    await load(
      text("Jib.", { key: "1" }),
      text("Genoa.", { key: "2" }),
      text("Spi.", { key: "3" }),
    );
    const [first] = await stored();
    expect(await removePublicBatch({ id: first?.id ?? "" }, "")).toEqual([first?.id]);
    expect(await countPublic({ sourceType })).toBe(2);
    expect(await removePublicBatch({ sourceType }, "")).toHaveLength(2);
    expect(await removePublicBatch({ sourceType }, "")).toEqual([]);
    expect(await db().document.count({ where: { sourceType: { not: sourceType } } })).toBe(others);
    await expectExactCounts();
  });
});
