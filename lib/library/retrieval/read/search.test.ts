import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { newId } from "@/lib/id";
import { type Collection, PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import { indexDocuments, toIndexEntry } from "@/lib/library/documents/write/index-document";
import { type Embedder, replaceEmbedder } from "@/lib/models/embedding";
import type { KeyContext } from "@/lib/platform/auth/context";
import { execute, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { setCalibration } from "@/lib/testing/calibration";
import { keyContext, makeAccount } from "@/lib/testing/factories";
import { fakeVector } from "@/lib/testing/fake-embeddings";
import { upstream } from "@/lib/testing/fake-upstream";
import { setLimit } from "@/lib/testing/set-limit";
import { passageWordsOf } from "@/lib/text/analyzer";
import { termWeights } from "@/lib/text/bm25";
import { excerptOf } from "./passages";
import { type SearchInput, search } from "./search";
import { readVectorState } from "./vector-state";

const vectorsSkipped = (reason: string) => ({
  code: "vectors_skipped",
  message: expect.stringContaining(`The embedding model ${reason}`),
});
const LATE = vectorsSkipped("did not answer in time");
const FAILED = vectorsSkipped("could not be used");

const DIMENSIONS = 32;
const SPACE = `scripted@${DIMENSIONS}`;

const input = {
  query: "How is warfarin monitored?",
  collections: [PUBLIC_COLLECTION],
  topK: 8,
  minScore: 0,
};

/** Synonyms that replace an embedding model: each word is mapped to the word it means. */
const MEANINGS: Record<string, string> = { feline: "cat", canine: "dog", purrs: "cat" };

function meaningOf(text: string): Float32Array {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return fakeVector(words.map((word) => MEANINGS[word] ?? word).join(" "), DIMENSIONS);
}

function useEmbedder(overrides: Partial<Embedder> = {}): void {
  replaceEmbedder({
    space: SPACE,
    dimensions: DIMENSIONS,
    embedPassages: async (texts) => texts.map(meaningOf),
    embedQuery: async (text) => meaningOf(text),
    ...overrides,
  });
  onTestFinished(() => replaceEmbedder(undefined));
}

let configured = 0;

/** Configures a model at the fake upstream, which begins to follow the script after some requests. */
function configureUpstream(script: object): void {
  const before = {
    EMBEDDING_MODEL: env.EMBEDDING_MODEL,
    EMBEDDING_BASE_URL: env.EMBEDDING_BASE_URL,
  };
  configured += 1;
  Object.assign(env, {
    EMBEDDING_MODEL: `embed script:${JSON.stringify({ name: `search-${configured}`, ...script })}`,
    EMBEDDING_BASE_URL: upstream().url,
  });
  replaceEmbedder(undefined);
  onTestFinished(() => {
    Object.assign(env, before);
    replaceEmbedder(undefined);
  });
}

interface TestDocument {
  text: string;
  sourceType?: string;
  /** The vector's space if it is not the embedder's; null for no vector. */
  space?: string | null;
}

/** A new account's collection of one-chunk documents, and the context of a key that may read it. */
async function makeCollection(documents: readonly TestDocument[]) {
  const account = await makeAccount();
  const collection: Collection = {
    id: `customer_kb:${account.id}`,
    scope: "customer_kb",
    accountId: account.id,
    personId: null,
  };
  await transaction(async (tx) => {
    await tx.execute(
      "INSERT INTO collection (id, scope, account_id) VALUES ($1, 'customer_kb', $2)",
      [collection.id, account.id],
    );
    const entries: Awaited<ReturnType<typeof toEntry>>[] = [];
    for (const one of documents) {
      entries.push(await toEntry(tx, collection, one));
    }
    await indexDocuments(tx, collection, entries);
  });
  return { collection, ctx: keyContext(account.ctx, {}) };
}

async function toEntry(
  tx: Parameters<Parameters<typeof transaction>[0]>[0],
  collection: Collection,
  { text, sourceType = "note", space = SPACE }: TestDocument,
) {
  const id = newId("document");
  await tx.execute(
    `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash)
     VALUES ($1, $2, $3, 'customer_kb', 'Untitled', $4, 'text/plain', 1, decode(md5($5), 'hex'))`,
    [id, collection.id, collection.accountId, sourceType, text],
  );
  const chunk = {
    text,
    charStart: 0,
    charEnd: text.length,
    pageStart: null,
    pageEnd: null,
    headings: [],
    tokenCount: 5,
    warnings: [],
    ...termWeights(passageWordsOf(text)),
  };
  return toIndexEntry(
    { id, collectionId: collection.id, accountId: collection.accountId },
    {
      mediaType: "text/plain",
      title: "Untitled",
      text,
      pages: null,
      emptyPages: null,
      pageConfidence: null,
      pageStarts: null,
      pageBoxes: [],
      warnings: [],
      chunks: [chunk],
      words: new Map(),
    },
    space === null ? null : { space, points: [meaningOf(text)] },
  );
}

function base64Of(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString("base64");
}

type Overrides = Partial<SearchInput>;

function find(ctx: KeyContext, collection: Collection, overrides: Overrides = {}) {
  return search(ctx, { ...input, collections: [collection], ...overrides });
}

beforeAll(() => setCalibration(SPACE));

const CAT = "The cat sleeps on the mat.";
const FELINE = "A feline rests upon that rug.";
const DOG = "The dog barks at night.";

describe("a search", () => {
  it("finds passages", async () => {
    const { ctx } = await makeAccount();
    const { passages } = await search(keyContext(ctx, {}), input);
    expect(passages.length).toBeGreaterThan(0);
  });

  it("does not start for a client that has disconnected", async () => {
    const { ctx } = await makeAccount();
    const gone = { ...keyContext(ctx, {}), signal: AbortSignal.abort() };
    await expect(search(gone, input)).rejects.toMatchObject({ code: "retrieval_unavailable" });
  });

  it("returns similarities from 0 to 1 and ranks from 1", async () => {
    useEmbedder();
    const { ctx, collection } = await makeCollection([{ text: CAT }, { text: DOG }]);
    const { passages } = await find(ctx, collection, { query: "cat dog sleeps" });
    expect(passages.map(({ ranks }) => [ranks.vectorRank, ranks.lexicalRank])).toContainEqual([
      1, 1,
    ]);
    for (const { similarity } of passages) {
      expect(similarity).toBeGreaterThanOrEqual(0);
      expect(similarity).toBeLessThanOrEqual(1);
    }
  });

  it.skipIf(!env.DATABASE_URL)(
    "that the client abandons is canceled on the database server too",
    async () => {
      const { ctx, collection } = await makeCollection([{ text: CAT }]);
      const disconnect = new AbortController();
      const running = () =>
        execute(
          "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%term_keys &&%' AND pid <> pg_backend_pid() AND datname = current_database()",
        ).then(({ rows }) => rows.length);
      await transaction(async (tx) => {
        await tx.exec("LOCK TABLE chunk IN ACCESS EXCLUSIVE MODE");
        const searching = find({ ...ctx, signal: disconnect.signal }, collection, { query: "cat" });
        await expect.poll(running).toBe(1);
        disconnect.abort();
        await expect(searching).rejects.toMatchObject({ code: "retrieval_unavailable" });
        await expect.poll(running).toBe(0);
      });
      await sleep(0);
      expect((await find(ctx, collection, { query: "cat" })).passages).toHaveLength(1);
    },
  );
});

describe("a search with an embedding model", () => {
  it("includes chunks that only one retriever finds, with the other's score", async () => {
    useEmbedder();
    const { ctx, collection } = await makeCollection([
      { text: CAT },
      { text: FELINE },
      { text: DOG },
    ]);
    const { passages } = await find(ctx, collection, { query: "cat rests" });
    const [first, second] = passages;
    expect([first?.text, second?.text].toSorted()).toEqual([FELINE, CAT].toSorted());
    expect(passages.find(({ text }) => text === FELINE)?.ranks).toMatchObject({
      cosine: expect.any(Number),
      bm25: expect.any(Number),
    });
    const dog = passages.find(({ text }) => text === DOG);
    expect(dog?.ranks).toMatchObject({ lexicalRank: null, bm25: 0, vectorRank: 3 });
  });

  it("applies min_score to a similarity of words and meaning, after fusion", async () => {
    useEmbedder();
    const { ctx, collection } = await makeCollection([{ text: CAT }, { text: DOG }]);
    const query = "the cat sleeps on the mat";
    const all = await find(ctx, collection, { query });
    expect(all.passages[0]?.similarity).toBeGreaterThan(0.9);
    const strict = await find(ctx, collection, { query, minScore: 0.9, isExplained: true });
    expect(strict.passages.map(({ text }) => text)).toEqual([CAT]);
    expect(strict.cut.map(({ text }) => text)).toEqual([DOG]);
    expect(strict.cut[0]?.similarity).toBeLessThan(0.9);
    expect(strict.candidates).toBe(2);
  });

  it("never removes the passage that both retrievers put first", async () => {
    useEmbedder();
    const { ctx, collection } = await makeCollection([{ text: CAT }, { text: DOG }]);
    const { passages, cut } = await find(ctx, collection, {
      query: "cat",
      minScore: 1,
      isExplained: true,
    });
    expect(passages.map(({ text }) => text)).toEqual([CAT]);
    expect(passages[0]?.similarity).toBeLessThan(1);
    expect(cut).toHaveLength(1);
  });

  it.each([
    ["isn't calibrated yet", undefined],
    ["doesn't tell passages apart", { separation: 1.9 }],
  ])("searches by words, without asking a model that %s", async (_, calibration) => {
    const space = newId("document");
    if (calibration) {
      await setCalibration(space, calibration);
    }
    const { ctx, collection } = await makeCollection([
      { text: CAT, space },
      { text: DOG, space },
    ]);
    const byWords = await find(ctx, collection, { query: "cat" });
    const embedQuery = vi.fn(async (text: string) => meaningOf(text));
    useEmbedder({ space, embedQuery });
    expect(await find(ctx, collection, { query: "cat" })).toEqual(byWords);
    expect(embedQuery).not.toHaveBeenCalled();
    expect(await readVectorState()).toEqual({ vectors: calibration ? "unused" : "uncalibrated" });
    await setCalibration(space);
    expect(await readVectorState()).toEqual({ vectors: "used" });
    const [first] = (await find(ctx, collection, { query: "cat" })).passages;
    expect(first?.ranks.vectorRank).toBe(1);
  });

  it("never compares vectors of another space, but finds such chunks by their terms", async () => {
    useEmbedder();
    const { ctx, collection } = await makeCollection([
      { text: CAT, space: "older@32" },
      { text: FELINE, space: "older@32" },
      { text: DOG, space: null },
    ]);
    const { passages } = await find(ctx, collection, { query: "cat" });
    expect(passages.map(({ text }) => text)).toEqual([CAT]);
    expect(passages[0]?.ranks).toMatchObject({ cosine: null, vectorRank: null, lexicalRank: 1 });
    expect(passages[0]?.similarity).toBeGreaterThan(0);
  });

  it("filters by source type and collection in both retrievers", async () => {
    useEmbedder();
    const mine = await makeCollection([{ text: CAT }, { text: FELINE, sourceType: "leaflet" }]);
    const other = await makeCollection([{ text: CAT }]);
    const { passages } = await find(mine.ctx, mine.collection, {
      query: "cat",
      documents: { sourceTypes: ["leaflet"] },
    });
    expect(passages.map(({ text }) => text)).toEqual([FELINE]);
    const shouted = { query: "cat", documents: { sourceTypes: ["LeafLET"] } };
    expect((await find(mine.ctx, mine.collection, shouted)).passages).toEqual(passages);
    // Even if a foreign collection id gets this far, row-level security hides its rows.
    expect((await find(mine.ctx, other.collection, { query: "cat" })).passages).toEqual([]);
  });

  it("finds passages of the named documents only, in both retrievers", async () => {
    useEmbedder();
    const mine = await makeCollection([{ text: CAT }, { text: FELINE }, { text: DOG }]);
    const other = await makeCollection([{ text: CAT }]);
    const all = await find(mine.ctx, mine.collection, { query: "cat" });
    const [first, second] = all.passages;
    const documents = { ids: [second?.documentId ?? ""] };
    const { passages } = await find(mine.ctx, mine.collection, { query: "cat", documents });
    expect(passages.map(({ text }) => text)).toEqual([second?.text]);
    expect(first?.documentId).not.toBe(second?.documentId);
    const foreign = await find(other.ctx, other.collection, { query: "cat", documents });
    expect(foreign.passages).toEqual([]);
    replaceEmbedder(undefined);
    const byWords = { query: "feline", documents: { ids: [first?.documentId ?? ""] } };
    const withoutModel = await find(mine.ctx, mine.collection, byWords);
    expect(withoutModel.passages.every(({ text }) => text === first?.text)).toBe(true);
  });

  it("finds passages only by meaning if the query has only stop words", async () => {
    useEmbedder();
    const { ctx, collection } = await makeCollection([{ text: "Feline." }, { text: "Canine." }]);
    const { passages } = await find(ctx, collection, { query: "purrs" });
    expect(passages[0]).toMatchObject({ text: "Feline.", ranks: { lexicalRank: null } });
  });

  it("cuts a query that is too long for the model, and searches all of its words", async () => {
    configureUpstream({});
    setLimit("EMBEDDING_MAX_TOKENS", 16);
    await setCalibration(`${env.EMBEDDING_MODEL}@64`);
    const { ctx, collection } = await makeCollection([{ text: CAT }, { text: DOG }]);
    const query = `${"dog ".repeat(40)}cat`;
    const { passages, notices } = await find(ctx, collection, { query });
    expect(passages.map(({ text }) => text).toSorted()).toEqual([CAT, DOG]);
    expect(notices).toEqual([]);
    expect(upstream().seen.at(-1)?.body.input).toEqual(["dog ".repeat(16).trim()]);
  });

  it.each<[string, object, Embedder["embedQuery"]]>([
    ["is down", FAILED, () => Promise.reject(new Error("away"))],
    ["is late", LATE, () => new Promise(() => {})],
    [
      "throws",
      FAILED,
      () => {
        throw new Error("broken");
      },
    ],
  ])("falls back to words, with a notice, if the model %s", async (_, notice, embedQuery) => {
    const { ctx, collection } = await makeCollection([{ text: CAT }, { text: DOG }]);
    const byWords = await find(ctx, collection, { query: "cat", minScore: 0.3 });
    useEmbedder({ embedQuery });
    setLimit("RETRIEVAL_DEADLINE_MS", 1000);
    const { passages, notices } = await find(ctx, collection, { query: "cat", minScore: 0.3 });
    expect(passages.map(({ text }) => text)).toEqual([CAT]);
    expect(passages).toEqual(byWords.passages);
    expect(notices).toEqual([notice]);
    const stopWords = await find(ctx, collection, { query: "the of" });
    expect(stopWords).toMatchObject({ passages: [], notices: [notice] });
  });

  it.each([
    ["refuses connections", { fault: "resets" }],
    ["refuses the query", { status: 400 }],
    ["refuses the key", { status: 401 }],
    ["is overloaded", { status: 429 }],
    ["answers nonsense", { data: [{ embedding: "nonsense" }] }],
    ["answers no numbers", { noBase64: true, item: { embedding: Array(64).fill(null) } }],
    ["answers NaN", { item: { embedding: base64Of(Array(64).fill(Number.NaN)) } }],
    ["cuts its answer short", { fault: "ends in the middle" }],
    ["answers zeros", { noBase64: true, item: { embedding: Array(64).fill(0) } }],
    ["answers too many dimensions", { dimensions: 3801 }],
    ["answers too many vectors", { data: [{ embedding: [1] }, { embedding: [1] }] }],
  ])(
    "falls back to words, with a notice, if the upstream %s, before or after it was opened",
    async (_, script) => {
      const { ctx, collection } = await makeCollection([{ text: CAT }]);
      // The first request opens the model.
      for (const after of [0, 1]) {
        configureUpstream({ ...script, after });
        await setCalibration(`${env.EMBEDDING_MODEL}@64`);
        const { passages, notices } = await find(ctx, collection, { query: "cat" });
        expect(passages.map(({ text }) => text)).toEqual([CAT]);
        expect(notices).toEqual([FAILED]);
      }
    },
  );

  it("stops waiting for a model that failed several times in a row", async () => {
    const { ctx, collection } = await makeCollection([{ text: CAT }]);
    const embedQuery = vi.fn(() => Promise.reject(new Error("away")));
    useEmbedder({ embedQuery });
    const paused = vectorsSkipped("has kept failing and was not asked");
    for (const notice of [...Array(5).fill(FAILED), ...Array(3).fill(paused)]) {
      expect((await find(ctx, collection, { query: "cat" })).notices).toEqual([notice]);
    }
    expect(embedQuery).toHaveBeenCalledTimes(5);
    expect(await readVectorState()).toEqual({ vectors: "unavailable" });
  });
});

describe("excerpts", () => {
  it("are at most 300 characters, cut at a word", () => {
    const text = "Wörter ".repeat(100);
    const excerpt = excerptOf(text);
    expect(excerpt.length).toBeLessThanOrEqual(300);
    expect(excerpt).toMatch(/Wörter…$/);
    expect(excerptOf("short")).toBe("short");
    expect(excerptOf("x".repeat(400)).length).toBeLessThanOrEqual(300);
    expect(excerptOf("😀".repeat(200)).isWellFormed()).toBe(true);
  });
});

describe("a search with many candidates", () => {
  const words = ["aspirin", "heparin", "insulin", "codeine", "digoxin"];
  /** Chunk n has the words of n's binary digits, each up to four times. */
  const documents = Array.from({ length: 640 }, (_, index) => ({
    text: words
      .flatMap((word, digit) =>
        (index >> digit) % 2 ? Array.from({ length: 1 + ((index >> 5) % 4) }, () => word) : [],
      )
      .concat("tablet", `number${index}`)
      .join(" "),
  }));
  const overrides = { query: words.join(" "), topK: 50 };

  it("finds what it finds if it scores all of them", async () => {
    const { ctx, collection } = await makeCollection(documents);
    const ranked = async (more: Overrides = {}) => {
      const { passages, cut, candidates } = await find(ctx, collection, { ...overrides, ...more });
      return {
        candidates,
        cut,
        passages: passages.map(({ ranks, similarity }) => ({ ranks, similarity })),
      };
    };
    // With a filter, all are scored.
    const all = { documents: { sourceTypes: ["note"] } };
    const found = await ranked();
    expect(found.passages).toHaveLength(50);
    expect(found).toEqual(await ranked(all));
    // Now the best score less than the frequencies of the words suggest.
    await execute(
      `UPDATE chunk SET is_retracted = true WHERE collection_id = $1 AND text ~ 'aspirin|heparin|insulin'`,
      [collection.id],
    );
    const left = await ranked();
    expect(left.passages[0]?.ranks.bm25).toBeLessThan(found.passages.at(-1)?.ranks.bm25 ?? 0);
    expect(left).toEqual(await ranked(all));
  });
});
