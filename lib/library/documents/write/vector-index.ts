import "server-only";

import { createHash } from "node:crypto";
import pg from "pg";
import { embedder } from "@/lib/models/embedding";
import { type LockConnection, withAdvisoryLock } from "@/lib/platform/db/advisory-lock";
import { execute, query, type Row } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";

/** Below this, an exact scan is about as fast as an index, and complete. */
const VECTOR_INDEX_FROM = 5000;

const DROP_BATCH = 5000;
const PREFIX = "chunk_vector_near_";
/** Building a graph that doesn't fit in memory is several times slower. */
const BUILD_MEMORY = "512MB";
/** SQLSTATE class 53: insufficient resources. */
const NO_RESOURCES = "53";

interface Wanted {
  collectionId: string;
  space: string;
  dimensions: number;
  name: string;
}

/** Creates a vector index for each large collection in the configured space, and drops unused ones, online. */
export async function maintainVectorIndexes(from = defaultFrom()): Promise<void> {
  const model = await embedder(new AbortController().signal);
  const wanted = model && Number.isFinite(from) ? await findUnindexed(model, from) : [];
  if (wanted.length === 0 && (await findExistingIndexes()).every(isNeeded)) {
    return;
  }
  await withAdvisoryLock("vectorIndexes", async (connection) => {
    await dropUnneeded(wanted);
    for (const index of wanted) {
      await build(index, connection);
    }
  });
}

/** None on the embedded database: building one for 5,000 vectors blocks it for a minute; scanning them takes 30 ms. */
function defaultFrom(): number {
  return env.DATABASE_URL ? VECTOR_INDEX_FROM : Number.POSITIVE_INFINITY;
}

async function findUnindexed(
  { space, dimensions }: { space: string; dimensions: number },
  from: number,
): Promise<Wanted[]> {
  const rows = await query<{ id: string }>(
    "documents_unindexed",
    `SELECT o.id FROM collection o
      WHERE o.chunk_count >= $2 AND NOT EXISTS
            (SELECT 1 FROM vector_index i WHERE i.collection_id = o.id AND i.space = $1)
        AND (SELECT count(*) FROM (SELECT 1 FROM chunk_vector v
              WHERE v.collection_id = o.id AND v.space = $1 LIMIT $2::int) AS found) >= $2`,
    [space, from],
  );
  return rows.map(({ id }) => ({
    collectionId: id,
    space,
    dimensions,
    name: `${PREFIX}${createHash("sha256").update(`${id}\n${space}`).digest("hex").slice(0, 24)}`,
  }));
}

interface ExistingIndex extends Row {
  name: string;
  is_valid: boolean;
  is_recorded: boolean;
  is_used: boolean;
}

/** The indexes that exist or are recorded. */
function findExistingIndexes(): Promise<ExistingIndex[]> {
  return query<ExistingIndex>(
    "documents_standing_indexes",
    `SELECT coalesce(p.name, r.name) AS name, coalesce(p.is_valid, false) AS is_valid,
            r.name IS NOT NULL AS is_recorded,
            EXISTS (SELECT 1 FROM chunk_vector v WHERE v.collection_id = r.collection_id AND v.space = r.space) AS is_used
       FROM (SELECT c.relname::text AS name, i.indisvalid AS is_valid
               FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
              WHERE i.indrelid = 'chunk_vector'::regclass AND c.relname LIKE $1) AS p
       FULL JOIN vector_index r ON r.name = p.name`,
    [`${PREFIX.replaceAll("_", "\\_")}%`],
  );
}

const isNeeded = (index: ExistingIndex) => index.is_valid && index.is_recorded && index.is_used;

/** Also drops what a killed build left. A complete index that lacks its record is recorded by `build`. */
async function dropUnneeded(wanted: readonly Wanted[]): Promise<void> {
  const names = new Set(wanted.map(({ name }) => name));
  for (const index of await findExistingIndexes()) {
    if (!isNeeded(index) && !(index.is_valid && names.has(index.name))) {
      await drop(index.name);
    }
  }
}

/** Deletes the record first, so that searches stop using the index. */
async function drop(name: string): Promise<void> {
  await query("documents_delete_index", "DELETE FROM vector_index WHERE name = $1", [name]);
  await execute(
    `DROP INDEX ${env.DATABASE_URL ? "CONCURRENTLY" : ""} IF EXISTS ${pg.escapeIdentifier(name)}`,
  );
}

async function build(index: Wanted, connection: LockConnection): Promise<void> {
  const existing = await findExistingIndexes();
  if (!existing.some(({ name, is_valid }) => name === index.name && is_valid)) {
    await (connection ? buildOnline(index, connection) : execute(createIndexSql(index, "")));
  }
  // Records nothing if the collection was deleted meanwhile. The next run then drops its index.
  await query(
    "documents_record_index",
    `INSERT INTO vector_index (collection_id, account_id, space, name)
     SELECT o.id, o.account_id, $2, $3 FROM collection o WHERE o.id = $1 ON CONFLICT DO NOTHING`,
    [index.collectionId, index.space, index.name],
  );
}

/** Parallel builds need shared memory, which containers often lack. Retries without parallelism. */
async function buildOnline(index: Wanted, connection: NonNullable<LockConnection>): Promise<void> {
  await connection.query(`SET maintenance_work_mem = '${BUILD_MEMORY}'`);
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

function createIndexSql({ name, collectionId, space, dimensions }: Wanted, how: string): string {
  return `CREATE INDEX ${how} ${pg.escapeIdentifier(name)} ON chunk_vector
       USING hnsw ((embedding::halfvec(${Math.trunc(dimensions)})) halfvec_cosine_ops)
        WITH (m = 16, ef_construction = 128)
       WHERE collection_id = ${pg.escapeLiteral(collectionId)} AND space = ${pg.escapeLiteral(space)}`;
}

/**
 * Deletes vectors of other spaces from collections whose chunks all have one in this space. Returns how many. Only
 * for operators: another process may still search in the old space.
 */
export async function dropOtherSpaces(collectionId: string | null, space: string): Promise<number> {
  const complete = await query<{ id: string }>(
    "documents_complete_in_space",
    `SELECT o.id FROM collection o WHERE ($1::text IS NULL OR o.id = $1)
        AND EXISTS (SELECT 1 FROM chunk_vector v WHERE v.collection_id = o.id AND v.space <> $2)
        AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.collection_id = o.id
              AND NOT EXISTS (SELECT 1 FROM chunk_vector v WHERE v.chunk_id = c.id AND v.space = $2))`,
    [collectionId, space],
  );
  let dropped = 0;
  for (const { id } of complete) {
    for (let some = DROP_BATCH; some === DROP_BATCH; dropped += some) {
      const rows = await query(
        "documents_delete_vectors",
        `DELETE FROM chunk_vector v USING (SELECT chunk_id, space FROM chunk_vector
            WHERE collection_id = $1 AND space <> $2 LIMIT $3) AS old
          WHERE v.chunk_id = old.chunk_id AND v.space = old.space RETURNING 1`,
        [id, space, DROP_BATCH],
      );
      some = rows.length;
    }
  }
  return dropped;
}
