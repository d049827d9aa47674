import pg from "pg";
import { termKey } from "@/lib/library/documents/term-keys";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { queryWords } from "@/lib/text/bm25";
import { SPACE } from "./corpus";
import { DIMENSIONS } from "./points";
import type { BenchQuery } from "./queries";

const TOP = 10;

/** Exact results of both search methods, without indexes or limits: the ground truth for recall. */
export class Exact {
  private constructor(private readonly client: pg.Client) {}

  static async open(url: string): Promise<Exact> {
    const client = new pg.Client({
      connectionString: url,
      options: "-c max_parallel_workers_per_gather=0 -c work_mem=256MB",
    });
    await client.connect();
    return new Exact(client);
  }

  /** The nearest chunks by a full scan. */
  async nearest(query: BenchQuery): Promise<string[]> {
    const type = `halfvec(${DIMENSIONS})`;
    // Adding 0 to the distance keeps the planner from using the index.
    const { rows } = await this.client.query<{ id: string }>(
      `SELECT chunk_id AS id FROM chunk_vector v
        WHERE collection_id = ANY($1) AND space = $2 AND account_id = ANY($3)
          AND ($4::text[] IS NULL OR (SELECT source_type = ANY($4) FROM chunk c JOIN document d
                ON d.id = c.document_id AND d.account_id = c.account_id WHERE c.id = chunk_id AND c.account_id = v.account_id))
        ORDER BY (embedding::${type} <=> $5::${type}) + 0 LIMIT ${TOP}`,
      [
        query.collections.map(({ id }) => id),
        SPACE,
        [query.accountId, PUBLIC_ACCOUNT_ID],
        query.sourceTypes ?? null,
        `[${query.point.join(",")}]`,
      ],
    );
    return rows.map(({ id }) => id);
  }

  /** The best chunks by exhaustive BM25; `words` is the query's sparse vector. */
  async wordiest(query: BenchQuery, words: unknown): Promise<{ id: string; bm25: number }[]> {
    const terms = queryWords(query.text).flatMap((word) => [...word.terms.keys()]);
    const keys = query.collections.flatMap(({ id }) => terms.map((term) => termKey(id, term, 0)));
    const { rows } = await this.client.query<{ id: string; bm25: number }>(
      `SELECT id, -(weights <#> $1::sparsevec) AS bm25 FROM chunk c
        WHERE term_keys && $2::int[] AND collection_id = ANY($3)
          AND ($4::text[] IS NULL OR (SELECT source_type = ANY($4) FROM document d
                WHERE d.id = c.document_id AND d.account_id = c.account_id))
        ORDER BY bm25 DESC, id LIMIT ${TOP}`,
      [words, keys, query.collections.map(({ id }) => id), query.sourceTypes ?? null],
    );
    return rows;
  }

  close(): Promise<void> {
    return this.client.end();
  }
}

/** Recall against the true top results; 1 if there are none. */
export function recall(found: readonly string[], truth: readonly string[]): number {
  const known = new Set(found);
  return truth.length === 0 ? 1 : truth.filter((id) => known.has(id)).length / truth.length;
}
