import "server-only";

import pg from "pg";
import { embedder } from "@/lib/models/embedding";
import { type LockConnection, withAdvisoryLock } from "@/lib/platform/db/advisory-lock";
import { execute, query, type Row } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { indexNameSql, MAX_INDEX_RATIO, VECTOR_INDEX_PREFIX } from "../vector-index";

const DROP_BATCH = 5000;
/** SQLSTATE class 53: insufficient resources. */
const NO_RESOURCES = "53";

/** Collections that have at least $1 passages and 1/$2 of all passages in the index that they share. */
const LARGE_SQL = `SELECT id, account_id
       FROM (SELECT id, account_id, chunk_count::float8 AS size,
                    sum(chunk_count) OVER (PARTITION BY right(id, 1))::float8 AS shared FROM collection) AS o
      WHERE size >= $1::float8 AND size * $2::float8 >= shared`;

/** Creates the vector indexes of large collections in the configured space, and drops unused ones, online. */
export async function maintainVectorIndexes(from = defaultFrom()): Promise<void> {
  const model = await embedder(new AbortController().signal);
  const findUnneeded = async () => (await findIndexes(from)).filter(({ is_needed }) => !is_needed);
  const findMissing = async () => (model ? findUnindexed(model, from) : []);
  if ((await findUnneeded()).length + (await findMissing()).length > 0) {
    await withAdvisoryLock("vectorIndexes", async (connection) => {
      for (const { name } of await findUnneeded()) {
        await drop(name);
      }
      for (const index of await findMissing()) {
        await build(index, connection);
      }
    });
  }
}

/** None on the embedded database: building one for 5,000 vectors blocks it for a minute; scanning them takes 30 ms. */
function defaultFrom(): number {
  return env.DATABASE_URL ? env.VECTOR_INDEX_FROM : Number.POSITIVE_INFINITY;
}

interface MissingIndex {
  name: string;
  letter: string;
  space: string;
  dimensions: number;
}

/** The indexes that large collections need in the space, without those that exist and are valid. */
async function findUnindexed(
  { space, dimensions }: { space: string; dimensions: number },
  from: number,
): Promise<MissingIndex[]> {
  const rows = await query<{ name: string; letter: string }>(
    "documents_unindexed",
    `SELECT DISTINCT ${indexNameSql("o.id", "$3")} AS name, right(o.id, 1) AS letter FROM (${LARGE_SQL}) AS o
      WHERE (SELECT count(*) FROM (SELECT FROM chunk_vector v WHERE v.collection_id = o.id AND v.account_id = o.account_id
              AND v.space = $3 LIMIT least($1, 2147483647)::int) AS found) >= $1
        AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indisvalid
              AND i.indexrelid = to_regclass(quote_ident(${indexNameSql("o.id", "$3")})))`,
    [from, MAX_INDEX_RATIO, space],
  );
  return rows.map((row) => ({ ...row, space, dimensions }));
}

interface ExistingIndex extends Row {
  name: string;
  is_needed: boolean;
}

/**
 * The vector indexes, also those that a killed build left and the ones per collection of earlier versions. One is needed
 * while a collection has half of what building it takes, whether or not its space is still the configured one.
 */
function findIndexes(from: number): Promise<ExistingIndex[]> {
  return query<ExistingIndex>(
    "documents_vector_indexes",
    `WITH large AS (${LARGE_SQL})
     SELECT c.relname::text AS name, i.indisvalid AND EXISTS (SELECT FROM large o
              WHERE c.relname = ${indexNameSql("o.id", "obj_description(c.oid, 'pg_class')")}
                AND EXISTS (SELECT FROM chunk_vector v WHERE v.collection_id = o.id AND v.account_id = o.account_id
                      AND v.space = obj_description(c.oid, 'pg_class'))) AS is_needed
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = 'chunk_vector'::regclass AND c.relname LIKE $3`,
    [from / 2, 2 * MAX_INDEX_RATIO, `${VECTOR_INDEX_PREFIX.replaceAll("_", "\\_")}%`],
  );
}

async function drop(name: string): Promise<void> {
  await execute(
    `DROP INDEX ${env.DATABASE_URL ? "CONCURRENTLY" : ""} IF EXISTS ${pg.escapeIdentifier(name)}`,
  );
}

async function build(index: MissingIndex, connection: LockConnection): Promise<void> {
  await (connection ? buildOnline(index, connection) : execute(createIndexSql(index, "")));
  // Records which space the index is for. An index without it is dropped.
  await execute(
    `COMMENT ON INDEX ${pg.escapeIdentifier(index.name)} IS ${pg.escapeLiteral(index.space)}`,
  );
}

/** Parallel builds need shared memory, which containers often lack. Retries without parallelism. */
async function buildOnline(
  index: MissingIndex,
  connection: NonNullable<LockConnection>,
): Promise<void> {
  await connection.query(`SET maintenance_work_mem = '${env.VECTOR_INDEX_MEMORY_MB}MB'`);
  try {
    await connection.query(createIndexSql(index, "CONCURRENTLY"));
  } catch (thrown) {
    if (!(thrown instanceof pg.DatabaseError) || !thrown.code?.startsWith(NO_RESOURCES)) {
      throw thrown;
    }
    await drop(index.name);
    await connection.query("SET max_parallel_maintenance_workers = 0");
    await connection.query(createIndexSql(index, "CONCURRENTLY"));
  }
}

function createIndexSql({ name, letter, space, dimensions }: MissingIndex, how: string): string {
  return `CREATE INDEX ${how} ${pg.escapeIdentifier(name)} ON chunk_vector
       USING hnsw ((embedding::halfvec(${Math.trunc(dimensions)})) halfvec_cosine_ops)
        WITH (m = 16, ef_construction = 128)
       WHERE right(collection_id, 1) = ${pg.escapeLiteral(letter)} AND space = ${pg.escapeLiteral(space)}`;
}

/**
 * Deletes vectors of other spaces from collections whose chunks all have one in this space. Returns how many. Only
 * for operators: another process may still search in the old space.
 */
export async function dropOtherSpaces(collectionId: string | null, space: string): Promise<number> {
  const complete = await query<{ id: string; account_id: string }>(
    "documents_complete_in_space",
    `SELECT o.id, o.account_id FROM collection o WHERE ($1::text IS NULL OR o.id = $1)
        AND EXISTS (SELECT 1 FROM chunk_vector v
              WHERE v.collection_id = o.id AND v.account_id = o.account_id AND v.space <> $2)
        AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.collection_id = o.id AND c.account_id = o.account_id
              AND NOT EXISTS (SELECT 1 FROM chunk_vector v
                    WHERE v.chunk_id = c.id AND v.account_id = c.account_id AND v.space = $2))`,
    [collectionId, space],
  );
  let dropped = 0;
  for (const { id, account_id } of complete) {
    for (let some = DROP_BATCH; some === DROP_BATCH; dropped += some) {
      const rows = await query(
        "documents_delete_vectors",
        `DELETE FROM chunk_vector v USING (SELECT chunk_id, space, account_id FROM chunk_vector
            WHERE collection_id = $1 AND account_id = $4 AND space <> $2 LIMIT $3) AS old
          WHERE v.chunk_id = old.chunk_id AND v.space = old.space AND v.account_id = old.account_id RETURNING 1`,
        [id, space, DROP_BATCH, account_id],
      );
      some = rows.length;
    }
  }
  return dropped;
}
