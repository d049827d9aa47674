import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newId } from "@/lib/id";
import { type Embedder, replaceEmbedder } from "@/lib/models/embedding";
import { execute, transaction } from "@/lib/platform/db/client";
import { makeAccount } from "@/lib/testing/factories";
import { fakeVector } from "@/lib/testing/fake-embeddings";
import { LEAST_SEPARATION } from "../calibration";
import { readCalibration } from "../read/calibration";
import { calibrateSpace } from "./calibrate-space";
import { toVectorSql, upsertCollection } from "./index-document";

const DIMENSIONS = 32;

const sentenceOf = (place: number) => `Drug${place} treats sign${place} of the organ${place}.`;

function use(space: string, overrides: Partial<Embedder> = {}) {
  const embedQuery = vi.fn(async (text: string) => fakeVector(text, DIMENSIONS));
  replaceEmbedder({
    space,
    dimensions: DIMENSIONS,
    embedPassages: () => Promise.reject(new Error("nothing is embedded here")),
    embedQuery,
    ...overrides,
  });
  onTestFinished(() => replaceEmbedder(undefined));
  return embedQuery;
}

/** Inserts only chunks and vectors: a calibration reads nothing else. */
async function fill(space: string, count: number) {
  const { id: accountId } = await makeAccount();
  const collection = { id: `customer_kb:${accountId}`, accountId };
  const document = newId("document");
  const rows = Array.from({ length: count }, (_, ordinal) => ({
    ordinal,
    id: newId("chunk"),
    text: sentenceOf(ordinal),
    embedding: toVectorSql(fakeVector(sentenceOf(ordinal), DIMENSIONS)),
  }));
  await transaction(async (tx) => {
    await upsertCollection(tx, { ...collection, scope: "customer_kb", personId: null });
    await tx.execute(
      `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash)
       VALUES ($1, $2, $3, 'customer_kb', 'Pilot', 'book', 'text/plain', 1, sha256($1::text::bytea))`,
      [document, collection.id, accountId],
    );
    await tx.execute(
      `INSERT INTO chunk (id, document_id, collection_id, account_id, ordinal, text, char_start, char_end, headings,
                          token_count, warnings, lexicon_version, term_keys, weights)
       SELECT c.id, $1, $2, $3, c.ordinal, c.text, 0, 1, '{}', 1, '{}', 'none', '{}', '{}/1000000000'
         FROM json_to_recordset($4::json) AS c(id text, ordinal int, text text)`,
      [document, collection.id, accountId, JSON.stringify(rows)],
    );
    await tx.execute(
      `INSERT INTO chunk_vector (space, chunk_id, collection_id, account_id, embedding)
       SELECT $1, c.id, $2, $3, c.embedding::halfvec FROM json_to_recordset($4::json) AS c(id text, embedding text)`,
      [space, collection.id, accountId, JSON.stringify(rows)],
    );
  });
  return collection;
}

describe("the calibration of an embedding space", () => {
  it("is measured once, and again when the passages have grown by half", async () => {
    const space = newId("document");
    const { id } = await fill(space, 40);
    const embedQuery = use(space);
    expect(await readCalibration(space)).toBeNull();
    const measured = await calibrateSpace({ when: "grown" });
    expect(measured?.separation).toBeGreaterThan(LEAST_SEPARATION);
    expect(await readCalibration(space)).toEqual(measured);
    expect(embedQuery).toHaveBeenCalledTimes(40);
    expect(await calibrateSpace({ when: "grown" })).toBeNull();
    await execute("UPDATE vector_space SET passages = 1 WHERE space = $1", [space]);
    await execute("UPDATE collection SET chunk_count = 40 WHERE id = $1", [id]);
    expect(await calibrateSpace({ when: "missing" })).toBeNull();
    expect(await calibrateSpace({ when: "grown" })).toEqual(measured);
    expect(await calibrateSpace({ when: "always" })).toEqual(measured);
  });

  it("needs a few passages, and a model", async () => {
    const space = newId("document");
    await fill(space, 19);
    use(space);
    expect(await calibrateSpace({ when: "always" })).toBeNull();
    replaceEmbedder(null);
    expect(await calibrateSpace({ when: "always" })).toBeNull();
  });

  it("shows a model that answers noise", async () => {
    const space = newId("document");
    await fill(space, 60);
    let noise = 0;
    const embedQuery = async () => {
      noise += 1;
      return fakeVector(`noise${noise}`, DIMENSIONS);
    };
    use(space, { embedQuery });
    const { separation = Number.NaN } = (await calibrateSpace({ when: "missing" })) ?? {};
    expect(separation).toBeLessThan(LEAST_SEPARATION);
  });

  it("leaves out what the model refuses, and fails if it refuses all", async () => {
    const space = newId("document");
    await fill(space, 40);
    let asked = 0;
    const embedQuery = async (text: string) => {
      asked += 1;
      if (asked % 5 === 0) {
        throw new Error("refused");
      }
      return fakeVector(text, DIMENSIONS);
    };
    use(space, { embedQuery });
    expect((await calibrateSpace({ when: "missing" }))?.separation).toBeGreaterThan(2);
    const other = newId("document");
    await fill(other, 40);
    use(other, { embedQuery: () => Promise.reject(new Error("away")) });
    await expect(calibrateSpace({ when: "missing" })).rejects.toThrow("away");
  });

  it("lets no collection decide for the others", async () => {
    const space = newId("document");
    await fill(space, 400);
    const small = await fill(space, 30);
    const texts = new Set<string>();
    await execute("UPDATE chunk SET text = 'Small ' || text WHERE collection_id = $1", [small.id]);
    use(space, {
      embedQuery: async (text) => {
        texts.add(text);
        return fakeVector(text, DIMENSIONS);
      },
    });
    await calibrateSpace({ when: "missing" });
    expect([...texts].filter((text) => text.startsWith("Small"))).toHaveLength(30);
  });
});
