import "server-only";

import { notFound } from "@/lib/errors";
import { query, type Row } from "@/lib/platform/db/client";
import { toOpenAIRows, walkOf } from "@/lib/platform/http/list-page";
import { ID_SHAPE } from "../schema";
import type { Store } from "../store";
import type {
  FileCounts,
  ListStoreFiles,
  VectorStoreFile,
  VectorStoreFileContent,
  VectorStoreFilePage,
} from "../store-schema";
import { toSeconds } from "./files";

/** How much of a file's text one answer returns. */
const MAX_CHARACTERS = 2_000_000;

interface StoreFileRow extends Row {
  id: string;
  added_at: Date;
  status: VectorStoreFile["status"];
  error_code: string | null;
  error_message: string | null;
  size_bytes: number;
  metadata: Record<string, unknown>;
}

/** Of a searchable document, its newest job doesn't matter: it may be of a version that failed. */
const JOB = `LEFT JOIN LATERAL (SELECT status, error_code, error_message FROM job
      WHERE d.chunk_count = 0 AND document_id = d.id AND account_id = d.account_id ORDER BY id DESC LIMIT 1) j ON true`;

/** In OpenAI's words; `uploaded` for a file that was never indexed, which no store has. */
const STATUS = `CASE WHEN d.chunk_count > 0 OR coalesce(j.status, CASE WHEN d.purpose IS NULL THEN 'completed' END) = 'completed' THEN 'completed'
      WHEN j.status IN ('queued', 'processing') THEN 'in_progress' ELSE coalesce(j.status, 'uploaded') END`;

/** How the files of each kind of store are selected, by store and account. */
const SOURCES = {
  own: {
    store: "m.store_id",
    account: "m.account_id",
    id: "m.document_id",
    addedAt: "m.created_at",
    from: `vector_store_file m JOIN document d ON d.id = m.document_id AND d.account_id = m.account_id ${JOB}`,
  },
  built_in: {
    store: "d.collection_id",
    account: "d.account_id",
    id: "d.id",
    addedAt: "d.created_at",
    from: `document d ${JOB}`,
  },
};

const kindOf = ({ isBuiltIn }: Store) => (isBuiltIn ? "built_in" : "own");
const keyOf = ({ isBuiltIn, id, collection }: Store) => (isBuiltIn ? collection.id : id);

interface CountRow extends Row {
  store_id: string;
  status: keyof FileCounts;
  files: number;
  bytes: number;
}

/** Counts the files of stores by their status, or of those only that a batch names. */
export async function countStoreFiles(
  stores: readonly Store[],
  ids: readonly string[] | null = null,
) {
  const rows: CountRow[] = [];
  for (const [kind, same] of Map.groupBy(stores, kindOf)) {
    const { store, account, from } = SOURCES[kind];
    const named = ids ? "AND d.id = ANY($3)" : "";
    rows.push(
      ...(await query<CountRow>(
        `stores_count_${kind}${ids ? "_named" : ""}`,
        `SELECT store_id, status, count(*)::int AS files, sum(size_bytes)::float8 AS bytes
           FROM (SELECT ${store} AS store_id, ${STATUS} AS status, d.size_bytes FROM ${from}
                  WHERE ${store} = ANY($1) AND ${account} = ANY($2) ${named}) f
          WHERE status <> 'uploaded' GROUP BY store_id, status`,
        [
          same.map(keyOf),
          same.map(({ collection }) => collection.accountId),
          ...(ids ? [ids] : []),
        ],
      )),
    );
  }
  return (store: Store) => {
    const own = rows.filter(({ store_id }) => store_id === keyOf(store));
    const counts = { in_progress: 0, completed: 0, failed: 0, cancelled: 0, total: 0 };
    for (const { status, files } of own) {
      counts[status] += files;
      counts.total += files;
    }
    return { counts, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) };
  };
}

/** The files of a store, or those of them that a batch names. */
export async function listStoreFiles(
  store: Store,
  input: ListStoreFiles,
  ids: readonly string[] | null = null,
): Promise<VectorStoreFilePage> {
  const { name, compare, order, cursor } = walkOf(input);
  const rows = await query<StoreFileRow>(
    `store_files_list_${kindOf(store)}_${name}${ids ? "_named" : ""}`,
    `SELECT * FROM (${selectFrom(store)} ${ids ? "AND d.id = ANY($6)" : ""}) f
      WHERE id ${compare} $3 AND status <> 'uploaded' AND ($4::text IS NULL OR status = $4)
      ORDER BY id ${order} LIMIT $5`,
    [
      ...[keyOf(store), store.collection.accountId],
      ...[cursor, input.filter ?? null, input.limit + 1, ...(ids ? [ids] : [])],
    ],
  );
  return toOpenAIRows(rows, input, (row) => toStoreFile(store, row));
}

/** Selects from one store, so that the index returns its files in order and a page reads no others. */
function selectFrom(of: Store): string {
  const { store, account, id, from, addedAt } = SOURCES[kindOf(of)];
  return `SELECT ${id} AS id, ${addedAt} AS added_at, ${STATUS} AS status, j.error_code, j.error_message, d.size_bytes, d.metadata
       FROM ${from} WHERE ${store} = $1 AND ${account} = $2`;
}

/** Throws not_found for a file that isn't in the store. */
export async function getStoreFile(store: Store, id: string): Promise<VectorStoreFile> {
  const [row] = ID_SHAPE.test(id)
    ? await query<StoreFileRow>(
        `store_files_get_${kindOf(store)}`,
        `${selectFrom(store)} AND d.id = $3`,
        [keyOf(store), store.collection.accountId, id],
      )
    : [];
  if (!row || String(row.status) === "uploaded") {
    const message = "The vector store has no such file. Check its id, or list the store's files.";
    throw notFound(message, "file_id");
  }
  return toStoreFile(store, row);
}

/** The text of a file as it was indexed, of at most two million characters. Throws not_found. */
export async function readStoreFile(store: Store, id: string): Promise<VectorStoreFileContent> {
  await getStoreFile(store, id);
  const [row] = await query<{ text: string | null; length: number | null }>(
    "store_files_text",
    "SELECT left(text, $3) AS text, length(text) AS length FROM document WHERE id = $1 AND account_id = $2",
    [id, store.collection.accountId, MAX_CHARACTERS],
  );
  return {
    object: "vector_store.file_content.page",
    data: row?.text ? [{ type: "text", text: row.text }] : [],
    has_more: (row?.length ?? 0) > MAX_CHARACTERS,
    next_page: null,
  };
}

function toStoreFile(store: Store, row: StoreFileRow): VectorStoreFile {
  return {
    ...{ id: row.id, object: "vector_store.file", created_at: toSeconds(row.added_at) },
    ...{ vector_store_id: store.id, status: row.status, usage_bytes: row.size_bytes },
    last_error:
      row.status === "failed"
        ? { code: toErrorCode(row.error_code), message: row.error_message ?? "" }
        : null,
    attributes: toAttributes(row.metadata),
    chunking_strategy: { type: "other" },
  };
}

function toErrorCode(code: string | null) {
  switch (code) {
    case "processing_failed":
      return "server_error";
    case "unsupported_format":
      return "unsupported_file";
    default:
      return "invalid_file";
  }
}

/** The members of a document's metadata that OpenAI's attributes can hold. */
export function toAttributes(
  metadata: Record<string, unknown>,
): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(metadata).filter((entry): entry is [string, string | number | boolean] =>
      ["string", "number", "boolean"].includes(typeof entry[1]),
    ),
  );
}
