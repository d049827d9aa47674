import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Calibration } from "@/lib/library/documents/calibration";
import type { Collection } from "@/lib/library/documents/collections";
import type { Comparison, Filter } from "@/lib/library/documents/filter-schema";
import { indexDocuments, toIndexEntry } from "@/lib/library/documents/write/index-document";
import { replaceEmbedder } from "@/lib/models/embedding";
import type { KeyContext } from "@/lib/platform/auth/context";
import { execute, transaction } from "@/lib/platform/db/client";
import { setCalibration } from "@/lib/testing/calibration";
import { keyContext, makeAccount } from "@/lib/testing/factories";
import { passageWordsOf } from "@/lib/text/analyzer";
import { termWeights } from "@/lib/text/bm25";
import { fuse, type Ranked } from "../fuse";
import { search } from "./search";

const DOCUMENTS = 2500;
const PASSAGES_EACH = 4;
const DOCUMENTS_PER_STATEMENT = 250;
/** So few that all of their passages are scored, by a scan without a filter. */
const DOCUMENTS_PER_SCAN = 500;
const TOP = 20;
/** What each retriever returns for them. */
const DEPTH = 50;
const DIMENSIONS = 16;
const SPACE = `filtered@${DIMENSIONS}`;
const CALIBRATION: Calibration = { mean: 0, deviation: 0.25, separation: 5 };

type Attributes = Record<string, string | number | boolean>;

interface TestDocument {
  id: string;
  attributes: Attributes;
  passages: { text: string; point: Float32Array }[];
}

const teams = ["legal", "sales", "Recht 営業", "sales ", "Sales", ""];

/** From 0 to 1, the same in every run. */
function makeRandom(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = makeRandom(47);
const below = (limit: number) => Math.floor(random() * limit);
const makePoint = () => Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
const wordAt = (place: number) => `wort${place.toString(8)}x`;
/** Few are frequent, and most are rare. */
const makeWord = () => wordAt(Math.floor(300 * random() ** 3));

function makeDocument(index: number): TestDocument {
  const day = String(1 + below(28)).padStart(2, "0");
  return {
    id: `doc_filtered_${String(index).padStart(5, "0")}`,
    attributes: {
      share: index % 2000,
      ...(random() < 0.8 && { team: teams[below(teams.length)] ?? "" }),
      ...(random() < 0.5 && { isFinal: random() < 0.5 }),
      ...(random() < 0.5 && { due: `2026-0${1 + below(9)}-${day}` }),
      ...(random() < 0.3 && { mixed: [below(3), String(below(3)), random() < 0.5][below(3)] ?? 0 }),
    },
    passages: Array.from({ length: PASSAGES_EACH }, () => ({
      text: Array.from({ length: 12 }, makeWord).join(" "),
      point: makePoint(),
    })),
  };
}

const documents = Array.from({ length: DOCUMENTS }, (_, index) => makeDocument(index));

async function store(collection: Collection, some: readonly TestDocument[]): Promise<void> {
  const { id: collectionId, accountId } = collection;
  const entries = await Promise.all(
    some.map(({ id, passages }) =>
      toIndexEntry(
        { id, collectionId, accountId },
        {
          ...{ mediaType: "text/plain", title: id, text: "", pages: null, emptyPages: null },
          ...{ pageConfidence: null, pageStarts: null, pageBoxes: [], warnings: [] },
          words: new Map(),
          chunks: passages.map(({ text }, index) => ({
            ...{ text, charStart: index, charEnd: index + 1, pageStart: null, pageEnd: null },
            ...{ headings: [], tokenCount: 12, warnings: [], ...termWeights(passageWordsOf(text)) },
          })),
        },
        { space: SPACE, points: passages.map(({ point }) => point) },
      ),
    ),
  );
  await transaction(async (tx) => {
    await tx.execute(
      `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash, metadata)
       SELECT id, $3, $4, 'customer_kb', id, 'note', 'text/plain', 1, decode(md5(id), 'hex'), metadata::jsonb
         FROM unnest($1::text[], $2::text[]) AS d(id, metadata)`,
      [
        some.map(({ id }) => id),
        some.map(({ attributes }) => JSON.stringify(attributes)),
        collectionId,
        accountId,
      ],
    );
    await indexDocuments(tx, collection, entries);
  });
}

/** As the documentation describes comparisons, without the product's code. */
function matches(attributes: Attributes, filter: Filter): boolean {
  if ("filters" in filter) {
    const each = filter.filters.map((one) => matches(attributes, one));
    return filter.type === "and" ? each.every(Boolean) : each.some(Boolean);
  }
  const stored = attributes[filter.key];
  return compare(filter, stored);
}

function compare({ type, value }: Comparison, stored: Attributes[string] | undefined): boolean {
  switch (type) {
    case "eq":
      return stored === value;
    case "ne":
      return stored !== value;
    case "in":
      return stored !== undefined && value.includes(stored);
    case "nin":
      return stored === undefined || !value.includes(stored);
    default:
      return typeof stored === typeof value && inOrder(type, stored ?? "", value);
  }
}

/** The stored texts and dates here sort by UTF-16 units as by code points. */
function inOrder(type: string, stored: Attributes[string], value: string | number): boolean {
  switch (type) {
    case "gt":
      return stored > value;
    case "gte":
      return stored >= value;
    case "lt":
      return stored < value;
    default:
      return stored <= value;
  }
}

const scalar = fc.oneof(
  fc.constantFrom(...teams),
  fc.constantFrom("0", "1", "2", true, false),
  fc.integer({ min: 0, max: 3 }),
);
const key = fc.constantFrom("team", "isFinal", "mixed", "share");
const due = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 28 }))
  .map(([month, day]) => `2026-0${month}-${String(day).padStart(2, "0")}`);
const order = fc.constantFrom("gt", "gte", "lt", "lte");
const comparison: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ type: fc.constantFrom("eq", "ne"), key, value: scalar }),
  fc.record({
    type: fc.constantFrom("in", "nin"),
    key,
    value: fc.array(scalar, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ type: order, key: fc.constant("share"), value: fc.integer({ min: 0, max: 2000 }) }),
  fc.record({ type: order, key: fc.constant("due"), value: due }),
  fc.record({ type: order, key: fc.constant("team"), value: fc.constantFrom(...teams) }),
);
const anyFilter = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small" },
    { arbitrary: comparison, weight: 3 },
    {
      arbitrary: fc.record({
        type: fc.constantFrom("and", "or"),
        filters: fc.array(tie("filter"), { minLength: 1, maxLength: 3 }),
      }),
      weight: 2,
    },
  ),
})).filter;

let ctx: KeyContext;
let collection: Collection;

beforeAll(async () => {
  const account = await makeAccount();
  const id = `customer_kb:${account.id}`;
  collection = { id, scope: "customer_kb", accountId: account.id, personId: null };
  ctx = keyContext(account.ctx, {});
  await execute("INSERT INTO collection (id, scope, account_id) VALUES ($1, 'customer_kb', $2)", [
    id,
    account.id,
  ]);
  for (let start = 0; start < DOCUMENTS; start += DOCUMENTS_PER_STATEMENT) {
    await store(collection, documents.slice(start, start + DOCUMENTS_PER_STATEMENT));
  }
  await execute("ANALYZE document, chunk, chunk_vector, document_attribute");
  await setCalibration(SPACE, CALIBRATION);
});

afterAll(() => replaceEmbedder(undefined));

function searchFor(query: string, selection: { filter?: Filter; ids?: string[] }, topK: number) {
  return search(ctx, {
    ...{ query, topK, minScore: 0 },
    ...{ collections: [collection], documents: selection },
  });
}

type Scored = Ranked & { document: TestDocument };

/** Every passage that has a word or a vector, with its scores. */
async function scoreAll(query: string): Promise<Scored[]> {
  const all: Scored[] = [];
  for (let start = 0; start < DOCUMENTS; start += DOCUMENTS_PER_SCAN) {
    const some = documents.slice(start, start + DOCUMENTS_PER_SCAN);
    const byId = new Map(some.map((document) => [document.id, document]));
    const { passages } = await searchFor(
      query,
      { ids: [...byId.keys()] },
      DOCUMENTS_PER_SCAN * PASSAGES_EACH,
    );
    for (const { documentId, ranks } of passages) {
      const document = byId.get(documentId);
      if (document) {
        all.push({ ...ranks, document });
      }
    }
  }
  return all;
}

/** The best of each retriever among the passages that match, fused. */
function bestOf(all: readonly Scored[], filter: Filter): Ranked[] {
  const matching = all.filter(({ document }) => matches(document.attributes, filter));
  const top = (scoreOf: (each: Scored) => number) =>
    matching
      .filter((each) => scoreOf(each) > Number.NEGATIVE_INFINITY)
      .toSorted((a, b) => scoreOf(b) - scoreOf(a) || (a.id < b.id ? -1 : 1))
      .slice(0, DEPTH);
  const words = top(({ bm25 }) => (bm25 > 0 ? bm25 : Number.NEGATIVE_INFINITY));
  const vectors = top(({ cosine }) => cosine ?? Number.NEGATIVE_INFINITY);
  return fuse([words, vectors], CALIBRATION).slice(0, TOP);
}

async function expectBest(query: string, filter: Filter, all: readonly Scored[]): Promise<void> {
  const expected = bestOf(all, filter).map(({ id }) => id);
  const { passages } = await searchFor(query, { filter }, TOP);
  expect(passages.map(({ chunkId }) => chunkId)).toEqual(expected);
}

const point = makePoint();
/** So rare that every passage with one of them is a candidate: of more frequent ones, not all are. */
const WORDS = [40, 70, 100, 150, 200, 280].map(wordAt).join(" ");

/** In each, the other retriever has nothing to search with. */
const SEARCHES: [name: string, query: string, point: Float32Array | null][] = [
  ["words", WORDS, null],
  ["vectors", "the of and", point],
  ["both", WORDS, point],
];

describe.each(SEARCHES)("a filtered search of 10,000 passages by %s", (_, query, queryPoint) => {
  let all: Scored[];
  beforeAll(async () => {
    replaceEmbedder(
      queryPoint && {
        ...{ space: SPACE, dimensions: DIMENSIONS, embedQuery: async () => queryPoint },
        embedPassages: () => Promise.reject(new Error("no passage is embedded here")),
      },
    );
    all = await scoreAll(query);
  });

  it("finds what a scan of everything finds, at any selectivity", async () => {
    expect(all.length).toBeGreaterThan(queryPoint ? DOCUMENTS * PASSAGES_EACH - 1 : 1000);
    for (const value of [1000, 100, 10, 1]) {
      await expectBest(query, { type: "lt", key: "share", value }, all);
    }
  });

  it("finds it with any filter", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, (filter) => expectBest(query, filter, all)),
      { numRuns: 40 },
    );
  });
});
