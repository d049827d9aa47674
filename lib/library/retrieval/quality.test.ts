import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { dataFolder, readClaims } from "@/e2e/bench/quality/judgments";
import { mean, ndcg, recall } from "@/lib/answers/evaluation/measures";
import { newId } from "@/lib/id";
import { readDocuments } from "@/lib/library/documents/processes/parser-pool";
import { indexDocuments, toIndexEntry } from "@/lib/library/documents/write/index-document";
import { transaction } from "@/lib/platform/db/client";
import { DocumentError } from "@/lib/reading/document-error";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";

const CLAIMS = 100;
/** Unrelated abstracts to add to those that the selected claims are about. */
const OTHERS = 900;
/** Measured 0.764 and 0.930 on this subset; lower values mean a regression. */
const MIN_NDCG = 0.75;
const MIN_RECALL = 0.915;

interface Abstract {
  id: string;
  title: string;
  text: string;
}

const folder = dataFolder();

/** A subset of SciFact's training claims, with their abstracts mixed into others. */
function subset(from: string) {
  const claims = readClaims(from, "train").slice(0, CLAIMS);
  const wanted = new Set(claims.flatMap(({ relevant }) => [...relevant.keys()]));
  const corpus: Abstract[] = gunzipSync(readFileSync(path.join(from, "scifact/corpus.jsonl.gz")))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const others = corpus.filter(({ id }) => !wanted.has(id)).slice(0, OTHERS);
  return { claims, abstracts: [...corpus.filter(({ id }) => wanted.has(id)), ...others] };
}

async function load(accountId: string, abstracts: readonly Abstract[]): Promise<void> {
  const collectionId = `customer_kb:${accountId}`;
  const read = await readDocuments(
    abstracts.map(({ title, text }) => ({
      bytes: new TextEncoder().encode(text),
      name: null,
      title,
      mediaType: "text/plain",
    })),
  );
  await transaction(async (tx) => {
    await tx.execute(
      "INSERT INTO collection (id, scope, account_id) VALUES ($1, 'customer_kb', $2)",
      [collectionId, accountId],
    );
    const entries = [];
    for (const [index, one] of read.entries()) {
      if (one instanceof DocumentError) {
        throw one;
      }
      const id = newId("document");
      await tx.execute(
        `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash, metadata)
         VALUES ($1, $2, $3, 'customer_kb', $4, 'abstract', 'text/plain', 1, decode(md5($5), 'hex'), jsonb_build_object('id', $5::text))`,
        [id, collectionId, accountId, one.title, abstracts[index]?.id],
      );
      const document = { id, collectionId, accountId };
      entries.push(await toIndexEntry(document, one, null));
    }
    await indexDocuments(tx, { id: collectionId, accountId }, entries);
  });
}

describe("search quality", () => {
  it.skipIf(!folder)(
    "doesn't regress on judged claims (skipped: no data)",
    async () => {
      const { claims, abstracts } = subset(folder ?? "");
      const { key, id } = await makeKeyedAccount();
      await load(id, abstracts);
      const rankings: string[][] = [];
      for (const { text } of claims) {
        const { json } = await call("POST", "/v1/kb/search", {
          key,
          body: { query: text, sources: ["customer_kb"], top_k: 50, min_score: 0 },
        });
        const ids = json.data.map((found: { metadata: { id: string } }) => found.metadata.id);
        rankings.push([...new Set<string>(ids)]);
      }
      const each = (
        score: (ranking: string[], relevant: (typeof claims)[number]["relevant"]) => number,
      ) => mean(claims.map(({ relevant }, index) => score(rankings[index] ?? [], relevant)));
      expect(each((ranking, relevant) => ndcg(ranking, relevant, 10))).toBeGreaterThan(MIN_NDCG);
      expect(each((ranking, relevant) => recall(ranking, relevant, 50))).toBeGreaterThan(
        MIN_RECALL,
      );
    },
    120_000,
  );
});
