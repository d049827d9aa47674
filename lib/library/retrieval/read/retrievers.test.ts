import { describe, expect, it } from "vitest";
import type { Collection } from "@/lib/library/documents/collections";
import { query } from "@/lib/platform/db/client";
import { makeAccount } from "@/lib/testing/factories";
import { indexText } from "@/lib/testing/index-text";
import { queryWords } from "@/lib/text/bm25";
import { keysOf, termsToCount } from "../query-terms";
import { effortFor, readStatistics } from "./retrievers";

describe("the statistics of a query's terms", () => {
  it("have every key that the collection has of them", async () => {
    const { id: accountId } = await makeAccount();
    const id = `customer_kb:${accountId}`;
    const collection: Collection = { id, scope: "customer_kb", accountId, personId: null };
    await indexText(collection, "Glibberexol glibberexol glibberexol glibberexol.");
    await indexText(collection, "Glibberexol is a tablet.");
    const terms = termsToCount(queryWords("glibberexol tablet qwyxkfqt"));
    const keys = keysOf(id, terms).flat();
    const stored = await query<{ term_key: number; chunk_count: number }>(
      "test_document_frequency",
      "SELECT term_key, chunk_count FROM document_frequency WHERE collection_id = $1 AND term_key = ANY($2)",
      [id, keys],
    );
    expect(stored.length).toBeGreaterThan(2);
    const { signal } = new AbortController();
    for (const words of [2, 100]) {
      const options = { terms, words, space: null };
      const { sizes, counts } = await readStatistics(signal, [collection], options);
      expect(sizes.get(id)).toBe(2);
      const asked = new Set(keysOf(id, terms, words).flat());
      const expected = stored.filter(({ term_key }) => asked.has(term_key));
      const counted = [...(counts.get(id) ?? [])].filter(([, count]) => count > 0);
      expect(new Map(counted)).toEqual(
        new Map(expected.map(({ term_key, chunk_count }) => [term_key, chunk_count])),
      );
    }
  });
});

describe("how many neighbors a vector index considers", () => {
  it("grows with the index, up to 200", () => {
    const sizes = [0, 7000, 50_000, 100_000, 200_000, 500_000, 5_000_000];
    expect(sizes.map((size) => effortFor(size, 50))).toEqual([60, 60, 64, 90, 127, 200, 200]);
  });

  it("has no jump", () => {
    const sizes = Array.from({ length: 1000 }, (_, index) => index * 1000);
    const steps = sizes.map((size) => effortFor(size + 1000, 50) - effortFor(size, 50));
    expect(Math.max(...steps)).toBe(1);
  });

  it("is never less than the candidates that are asked for", () => {
    expect(effortFor(1000, 100)).toBe(100);
    expect(effortFor(5_000_000, 300)).toBe(300);
  });
});
