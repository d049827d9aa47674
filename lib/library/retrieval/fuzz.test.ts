import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import type { Collection } from "@/lib/library/documents/collections";
import type { Comparison, Filter } from "@/lib/library/documents/filter-schema";
import { findSelected } from "@/lib/library/documents/read/selection";
import { indexDocuments, toIndexEntry } from "@/lib/library/documents/write/index-document";
import { type Embedder, replaceEmbedder } from "@/lib/models/embedding";
import type { KeyContext } from "@/lib/platform/auth/context";
import { execute, transaction } from "@/lib/platform/db/client";
import { asSystem } from "@/lib/platform/db/tenant-context";
import { setCalibration } from "@/lib/testing/calibration";
import { keyContext, makeAccount } from "@/lib/testing/factories";
import { fakeVector } from "@/lib/testing/fake-embeddings";
import { passageWordsOf } from "@/lib/text/analyzer";
import { termWeights } from "@/lib/text/bm25";
import type { Passage } from "./read/passages";
import { search } from "./read/search";

const DOCUMENTS = 2500;
const PASSAGES = 4;
const DIMENSIONS = 8;
const SPACE = `filtered@${DIMENSIONS}`;
const RUNS = 25;
const TOP = 10;
/** Of each retriever. */
const DEPTH = 50;
/** All passages are candidates. */
const ALL = DOCUMENTS * PASSAGES;

type Value = string | number | boolean;
interface Stored {
  id: string;
  fields: Record<string, Value>;
}

/** A seeded generator, so that a failure can be repeated. */
let state = 42;
function below(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

const VALUES: Record<string, readonly Value[]> = {
  team: ["legal", "sales", "Recht", "営業", "o'neil; DROP TABLE document --"],
  year: [2019, 2020, 2024.5, -3, 0, 1e21],
  isFinal: [true, false],
  due: [
    "2026-10-31",
    "2026-10-31T09:30:00+02:00",
    "2026-10-31T23:59:59.999Z",
    "2026-11-01",
    "soon",
  ],
  mixed: ["7", 7, true, "2026-01-01"],
  rank: Array.from({ length: 400 }, (_, index) => index),
};
const NAMES = Object.keys(VALUES);

const words = Array.from({ length: 600 }, (_, index) => `w${index.toString(36)}qx`);
const sentence = () => Array.from({ length: 7 }, () => words[below(words.length)]).join(" ");

let ctx: KeyContext;
let collection: Collection;
const stored = new Map<string, Stored>();

beforeAll(async () => {
  const account = await makeAccount();
  ctx = keyContext(account.ctx, {});
  const id = `customer_kb:${account.id}`;
  collection = { id, scope: "customer_kb", accountId: account.id, personId: null };
  await setCalibration(SPACE);
  await transaction(async (tx) => {
    await tx.execute(
      "INSERT INTO collection (id, scope, account_id) VALUES ($1, 'customer_kb', $2)",
      [id, account.id],
    );
    const entries = await Promise.all(Array.from({ length: DOCUMENTS }, makeEntry));
    await tx.execute(
      `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash, metadata)
       SELECT r.id, $2, $3, 'customer_kb', 'Notes', r.source_type, 'text/plain', 1, decode(md5(r.id), 'hex'), r.metadata
         FROM json_to_recordset($1::json) AS r(id text, source_type text, metadata jsonb)`,
      [
        JSON.stringify(
          [...stored.values()].map(({ id: key, fields: { source_type, ...metadata } }) => ({
            ...{ id: key, source_type, metadata },
          })),
        ),
        ...[id, account.id],
      ],
    );
    await indexDocuments(tx, collection, entries);
  });
  await execute("ANALYZE document, document_attribute, chunk, chunk_vector");
});

function makeEntry() {
  const id = newId("document");
  const fields: Record<string, Value> = { source_type: ["note", "faq"][below(2)] ?? "" };
  for (const name of NAMES.filter(() => below(4) > 0)) {
    const values = VALUES[name] ?? [];
    fields[name] = values[below(values.length)] ?? "";
  }
  stored.set(id, { id, fields });
  const texts = Array.from({ length: PASSAGES }, sentence);
  const document = { id, collectionId: collection.id, accountId: collection.accountId };
  const chunks = texts.map((text) => ({
    ...{ text, charStart: 0, charEnd: text.length, pageStart: null, pageEnd: null },
    ...{ headings: [], tokenCount: 9, warnings: [], ...termWeights(passageWordsOf(text)) },
  }));
  const read = {
    ...{ mediaType: "text/plain", title: "Notes", text: texts.join("\n"), pages: null },
    ...{ emptyPages: null, pageConfidence: null, pageStarts: null, pageBoxes: [] },
    ...{ warnings: [], words: new Map<string, number>(), chunks },
  };
  const points = texts.map((text) => fakeVector(text, DIMENSIONS));
  return toIndexEntry(document, read as never, { space: SPACE, points });
}

/** Text that is a date has its time; a date without one has its whole day. */
function spanOf(value: Value): [kind: string, low: Value, high: Value] {
  const isDate = typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value);
  if (!isDate) {
    return [typeof value, value, value];
  }
  const start = Date.parse(value);
  return ["date", start, value.includes("T") ? start : start + 86_399_999];
}

function holds(fields: Record<string, Value>, filter: Filter): boolean {
  if ("filters" in filter) {
    const each = filter.filters.map((one) => holds(fields, one));
    return filter.type === "and" ? each.every(Boolean) : each.some(Boolean);
  }
  const value = fields[filter.key];
  const asked = [filter.value].flat();
  const isIn = value !== undefined && asked.some((one) => compares(value, "eq", one));
  switch (filter.type) {
    case "eq":
    case "in":
      return isIn;
    case "ne":
    case "nin":
      return !isIn;
    default:
      return value !== undefined && compares(value, filter.type, asked[0] ?? "");
  }
}

function compares(value: Value, type: Comparison["type"], asked: Value): boolean {
  const [kind, at] = spanOf(value);
  const [otherKind, low, high] = spanOf(asked);
  const isBefore = (a: Value, b: Value) =>
    typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) < 0 : a < b;
  if (kind !== otherKind) {
    return false;
  }
  switch (type) {
    case "gt":
      return isBefore(high, at);
    case "gte":
      return !isBefore(at, low);
    case "lt":
      return isBefore(at, low);
    case "lte":
      return !isBefore(high, at);
    default:
      return !isBefore(at, low) && !isBefore(high, at);
  }
}

const comparison: fc.Arbitrary<Filter> = fc.constantFrom(...NAMES).chain((key) => {
  const value = fc.constantFrom(...(VALUES[key] ?? []), ...(key === "due" ? ["2026-10-30"] : []));
  return fc.oneof(
    fc.record({ type: fc.constantFrom("eq", "ne"), key: fc.constant(key), value }),
    fc.record({
      type: fc.constantFrom("in", "nin"),
      key: fc.constant(key),
      value: fc.array(value, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({
      type: fc.constantFrom("gt", "gte", "lt", "lte"),
      key: fc.constant(key),
      value: value.map((one) => (typeof one === "boolean" ? 1 : one)),
    }),
  ) as fc.Arbitrary<Filter>;
});
const filters = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    comparison,
    fc.record({
      type: fc.constantFrom("and", "or"),
      filters: fc.array(tie("filter"), { minLength: 1, maxLength: 3 }),
    }) as fc.Arbitrary<Filter>,
  ),
})).filter;

/** Searches by the vector of these words, by words alone, or by both. */
async function find(
  query: string,
  by: "words" | "vectors" | "both",
  options: { filter?: Filter; topK: number },
) {
  const embedder: Embedder = {
    ...{ space: SPACE, dimensions: DIMENSIONS },
    embedPassages: async (texts) => texts.map((text) => fakeVector(text, DIMENSIONS)),
    embedQuery: async () => fakeVector(query, DIMENSIONS),
  };
  replaceEmbedder(by === "words" ? null : embedder);
  try {
    const { passages } = await search(ctx, {
      // Words that no passage has leave the vectors alone.
      query: by === "vectors" ? "zzzyxq" : query,
      ...{ collections: [collection], topK: options.topK, minScore: 0 },
      documents: { filter: options.filter },
    });
    return passages;
  } finally {
    replaceEmbedder(undefined);
  }
}

const matches = (filter: Filter) => (passage: Passage) =>
  holds(stored.get(passage.documentId)?.fields ?? {}, filter);

/** The best of all passages that match and that one retriever ranks high enough. */
function bestOf(all: readonly Passage[], filter: Filter): Passage[] {
  const matching = all.filter(matches(filter));
  const candidates = [
    (each: Passage) => each.ranks.bm25,
    (each: Passage) => each.ranks.cosine ?? -1,
  ].flatMap((scoreOf) => matching.toSorted((a, b) => scoreOf(b) - scoreOf(a)).slice(0, DEPTH));
  const ids = new Set(candidates.map(({ chunkId }) => chunkId));
  return matching.filter(({ chunkId }) => ids.has(chunkId)).slice(0, TOP);
}

describe("a filtered search", () => {
  it.each(["words", "vectors", "both"] as const)(
    "by %s finds the best of the documents that match",
    async (by) => {
      const query = sentence();
      const all = await find(query, by, { topK: ALL });
      await fc.assert(
        fc.asyncProperty(filters, async (filter) => {
          const found = await find(query, by, { filter, topK: TOP });
          expect(found.map(({ similarity }) => similarity)).toEqual(
            bestOf(all, filter).map(({ similarity }) => similarity),
          );
          expect(found.every(matches(filter))).toBe(true);
        }),
        { numRuns: RUNS, seed: 47 },
      );
    },
  );

  it("selects the documents that match, listed if they are few", async () => {
    const { signal } = new AbortController();
    const where = {
      ...{ collectionIds: [collection.id], accountIds: [collection.accountId], bound: null },
    };
    let listed = 0;
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const selected = await asSystem(() => findSelected(signal, where, { filter }));
        const matching = [...stored.values()].filter(({ fields }) => holds(fields, filter));
        if (selected && "ids" in selected) {
          listed += 1;
          expect(selected.ids.toSorted()).toEqual(matching.map(({ id }) => id).toSorted());
        } else {
          expect(matching.length * PASSAGES).toBeGreaterThan(2000);
        }
      }),
      { numRuns: 3 * RUNS, seed: 48 },
    );
    expect(listed).toBeGreaterThan(RUNS);
    expect(listed).toBeLessThan(3 * RUNS);
  });
});
