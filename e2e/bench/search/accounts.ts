import type pg from "pg";
import { maintainVectorIndexes } from "@/lib/library/documents/write/vector-index";
import { search } from "@/lib/library/retrieval/read/search";
import { replaceEmbedder } from "@/lib/models/embedding";
import type { KeyContext } from "@/lib/platform/auth/context";
import { closeDatabase } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { BinaryCopy } from "./binary-copy";
import { numeral, SPACE } from "./corpus";
import { recall } from "./exact";
import { DIMENSIONS, Points } from "./points";
import { isVectors, recorded, type Statement } from "./replay";
import { onServer } from "./server";

const { DATABASE_URL: url = "", FOOTNOTE_BENCH_ACCOUNTS = "10x100000,10000x100" } = process.env;
const [LARGE, SMALL] = FOOTNOTE_BENCH_ACCOUNTS.split(",").map((part) => {
  const [count = 0, passages = 0] = part.split("x").map(Number);
  return { count, passages };
}) as [Kind, Kind];
/** Passages that a document, and one upload, has. */
const PER_DOCUMENT = 20;
const UPLOADED = 64;
const QUERIES = 150;
const WRITES = 20;
const TOP = 10;

interface Kind {
  count: number;
  passages: number;
}

const points = new Points(1);
const accountId = (index: number) => `acct_${numeral(index)}`;
const collectionId = (index: number) => `customer_kb:${accountId(index)}`;
/** Documents are numbered through, an account's one after the other. */
const firstDocument = (index: number) =>
  Math.min(index, LARGE.count) * (LARGE.passages / PER_DOCUMENT) +
  Math.max(0, index - LARGE.count) * (SMALL.passages / PER_DOCUMENT);

/** The accounts upload in turns, so that their rows are mixed. */
async function loadVectors(client: pg.Client): Promise<void> {
  const copy = await BinaryCopy.begin(
    client,
    "chunk_vector (space, chunk_id, collection_id, account_id, embedding)",
  );
  const add = async (index: number, from: number, passages: number) => {
    for (let at = from; at < from + passages / PER_DOCUMENT; at += 1) {
      const document = firstDocument(index) + at;
      const point = points.ofDocument(document);
      for (let ordinal = 0; ordinal < PER_DOCUMENT; ordinal += 1) {
        const chunk = document * PER_DOCUMENT + ordinal;
        await copy.row(5);
        for (const value of [
          SPACE,
          `chk_${numeral(chunk)}`,
          collectionId(index),
          accountId(index),
        ]) {
          copy.text(value);
        }
        copy.halfvec(points.ofChunk(point, chunk));
      }
    }
  };
  const turns = 100;
  for (let turn = 0; turn < turns; turn += 1) {
    for (let index = 0; index < LARGE.count; index += 1) {
      const part = LARGE.passages / turns;
      await add(index, (turn * part) / PER_DOCUMENT, part);
    }
    for (let index = turn; index < SMALL.count; index += turns) {
      await add(LARGE.count + index, 0, SMALL.passages);
    }
  }
  await copy.end();
}

/** Passages without words: only vectors find them. */
const FILL = [
  `INSERT INTO account (id, name) SELECT DISTINCT account_id, 'Bench' FROM chunk_vector`,
  `INSERT INTO collection (id, scope, account_id, chunk_count)
   SELECT collection_id, 'customer_kb', account_id, count(*) FROM chunk_vector GROUP BY 1, 3`,
  `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash, chunk_count)
   SELECT 'doc' || substr(account_id, 5), 'customer_kb:' || account_id, account_id, 'customer_kb', 'Bench', 'book', 'text/plain', 1,
          decode(md5(account_id), 'hex'), count(*) FROM chunk_vector GROUP BY account_id`,
  `INSERT INTO chunk (id, document_id, collection_id, account_id, ordinal, text, char_start, char_end, headings,
                      token_count, warnings, lexicon_version, term_keys, weights)
   SELECT chunk_id, 'doc' || substr(account_id, 5), collection_id, account_id, row_number() OVER (), 'Passage', 0, 7, '{}', 1, '{}',
          'bench', '{}', '{}/1000000000' FROM chunk_vector`,
  `INSERT INTO vector_space (space, mean, deviation, separation, passages) VALUES ('${SPACE}', 0, 0.1, 4, 1000000)`,
];

function contextOf(index: number): KeyContext {
  return {
    account: { id: accountId(index) },
    actor: {
      ...{ kind: "key", id: "key_bench", mode: "test", scopes: ["kb:search"], stores: null },
      ...{ knowledgeScopes: ["public_kb", "customer_kb"], models: [], personId: null },
      ...{ queryMode: "last", requestsPerMinute: null, tokensPerMinute: null },
    },
    requestId: "req_bench",
    signal: new AbortController().signal,
  };
}

/** A search near a passage of the account. */
function searchOf(index: number, query: number): () => Promise<unknown> {
  const passages = index < LARGE.count ? LARGE.passages : SMALL.passages;
  const document = firstDocument(index) + ((query * 7919) % (passages / PER_DOCUMENT));
  const point = points.ofQuery(points.ofDocument(document), query);
  return () => {
    replaceEmbedder({
      ...{ space: SPACE, dimensions: DIMENSIONS, embedQuery: async () => point },
      embedPassages: () => Promise.reject(new Error("the bench embeds no passages")),
    });
    const account = accountId(index);
    const scope = "customer_kb" as const;
    return search(contextOf(index), {
      ...{ query: "qzx", topK: 8, minScore: 0 },
      collections: [{ id: collectionId(index), scope, accountId: account, personId: null }],
    });
  };
}

async function measureKind(first: number, { count }: Kind) {
  const times: number[] = [];
  const statements: Statement[] = [];
  for (let query = -QUERIES; query < QUERIES; query += 1) {
    const at = Math.abs(query);
    const run = searchOf(first + ((at * 61) % count), at);
    const startedAt = performance.now();
    if (query < 0) {
      statements.push(...(await recorded(run)).filter(isVectors));
    } else {
      await run();
      times.push(performance.now() - startedAt);
    }
  }
  const vectors = await onServer(url, (client) => measureStatements(client, statements));
  return {
    "search p50 / p95 ms": percentiles(times),
    ...vectors,
    "64 vectors written, ms": await onServer(url, (client) => measureWrites(client, first, count)),
  };
}

/** The statements on a plain connection, as it is after a start. */
async function measureStatements(client: pg.Client, statements: readonly Statement[]) {
  await client.query("SET hnsw.iterative_scan = relaxed_order; SET jit = off");
  const [any] = statements as [Statement, ...Statement[]];
  const planning: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON, SUMMARY) ${any.text}`, any.values);
    planning.push(rows[0]["QUERY PLAN"][0]["Planning Time"]);
  }
  const times: number[] = [];
  let recalled = 0;
  for (const statement of statements) {
    const startedAt = performance.now();
    const { rows } = await client.query({ ...statement });
    times.push(performance.now() - startedAt);
    const { rows: exact } = await client.query(
      `SELECT chunk_id FROM chunk_vector WHERE collection_id = $2 AND space = '${SPACE}'
        ORDER BY (embedding::halfvec(${DIMENSIONS}) <=> $1::halfvec(${DIMENSIONS})) + 0 LIMIT ${TOP}`,
      [
        statement.values[1],
        statement.values.flat().find((value) => String(value).startsWith("customer_kb:")) ??
          /'(customer_kb:[^']+)'/.exec(statement.text)?.[1],
      ],
    );
    recalled += recall(
      rows.map(({ id }) => id),
      exact.map(({ chunk_id }) => chunk_id),
    );
  }
  const { rows: memory } = await client.query(
    "SELECT sum(total_bytes) / 1048576.0 AS mb FROM pg_backend_memory_contexts",
  );
  return {
    "vector statement p50 / p95 ms": percentiles(times),
    "recall@10": (recalled / statements.length).toFixed(3),
    "planning, first / again ms": `${planning[0]?.toFixed(2)} / ${median(planning).toFixed(2)}`,
    "statements prepared": new Set(statements.map(({ name }) => name)).size,
    "memory of the connection, MB": Number(memory[0].mb).toFixed(1),
  };
}

async function measureWrites(client: pg.Client, first: number, count: number): Promise<string> {
  await client.query("SET session_replication_role = replica");
  const times: number[] = [];
  for (let write = 0; write < WRITES; write += 1) {
    const index = first + ((write * 61) % count);
    await client.query("BEGIN");
    const startedAt = performance.now();
    await client.query(
      `INSERT INTO chunk_vector (space, chunk_id, collection_id, account_id, embedding)
       SELECT space, 'new' || chunk_id, collection_id, account_id, embedding FROM chunk_vector
        WHERE collection_id = $1 AND space = '${SPACE}' LIMIT ${UPLOADED}`,
      [collectionId(index)],
    );
    times.push(performance.now() - startedAt);
    await client.query("ROLLBACK");
  }
  return percentiles(times);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function percentiles(values: readonly number[]): string {
  const p95 = values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];
  return `${median(values).toFixed(1)} / ${p95?.toFixed(1)}`;
}

async function main(): Promise<void> {
  const startedAt = performance.now();
  const log = (what: string) =>
    process.stderr.write(`${Math.round((performance.now() - startedAt) / 1000)} s: ${what}\n`);
  await migrate();
  await onServer(url, async (client) => {
    await client.query("SET session_replication_role = replica; SET synchronous_commit = off");
    log("vectors");
    await loadVectors(client);
    for (const statement of FILL) {
      await client.query(statement);
    }
    await client.query("VACUUM (ANALYZE)");
  });
  log("vector indexes");
  await searchOf(LARGE.count, 1)();
  await maintainVectorIndexes();
  log("searches");
  const large = await measureKind(0, LARGE);
  const small = await measureKind(LARGE.count, SMALL);
  await closeDatabase();
  log("done");
  process.stdout.write(JSON.stringify({ large, small }));
}

await main();
