import "server-only";

import { Batcher } from "@/lib/platform/db/batcher";
import {
  execute,
  query,
  type Row,
  type Session,
  type Transaction,
  transaction,
} from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { DocumentError } from "@/lib/reading/document-error";
import type { ReadDocument } from "@/lib/reading/parse/read-task";
import { languageOf } from "@/lib/text/languages";
import { PUBLIC_COLLECTION } from "../collections";
import { type Candidate, type PublicDocument, toCandidate } from "../identity";
import { readDocuments } from "../processes/parser-pool";
import { calibrateSpace } from "./calibrate-space";
import { type CopyColumns, CopyRows, copyFile } from "./copy-rows";
import { type IndexEntry, indexChunks, toIndexEntry, upsertCollection } from "./index-document";
import { unindexDocuments } from "./remove";
import { setStanding, standingsOfReplaced } from "./versions";

export type Imported =
  | { state: "added" | "replaced"; chunks: number }
  | { state: "unchanged" }
  | { state: "failed"; message: string };

/** The documents one import has seen: their ids and the first bytes of their hashes. */
export type Seen = Map<string, number>;

type Entries = ReadonlyMap<Candidate, IndexEntry>;
type Answer = ReadDocument | DocumentError | undefined;

const { id: COLLECTION, accountId: ACCOUNT, scope: SCOPE } = PUBLIC_COLLECTION;

const DOCUMENT_COLUMNS: CopyColumns<[Candidate, IndexEntry]> = {
  id: (rows, [{ id }]) => rows.text(id),
  collection_id: (rows) => rows.text(COLLECTION),
  account_id: (rows) => rows.text(ACCOUNT),
  scope: (rows) => rows.text(SCOPE),
  title: (rows, [, { read }]) => rows.text(read.title),
  source_type: (rows, [{ document }]) => rows.text(document.sourceType),
  url: (rows, [{ document }]) => rows.text(document.url),
  published_at: (rows, [{ document }]) => rows.timestamptz(document.publishedAt),
  metadata: (rows, [{ document }]) => rows.jsonb(document.metadata),
  media_type: (rows, [, { read }]) => rows.text(read.mediaType),
  size_bytes: (rows, [{ document }]) => rows.int4(document.bytes.byteLength),
  content_hash: (rows, [{ hash }]) => rows.bytea(hash),
  text: (rows, [, { read }]) => rows.text(read.text),
  language: (rows, [, { read }]) => rows.text(languageOf(read.text)),
  page_starts: (rows, [, { read }]) => rows.int4s(read.pageStarts ?? []),
  chunk_count: (rows, [, { read }]) => rows.int4(read.chunks.length),
};

const batchers = new WeakMap<Seen, Batcher<Entries, Map<Candidate, Imported>>>();

/**
 * Stores documents in public_kb, all or none. An identical document stays. A new text with the same key, URL and
 * title, or path replaces the old one and keeps its id. Returns the outcomes in the order of the documents. They are
 * found by their words until a reindex embeds them.
 */
export async function importDocuments(
  documents: readonly PublicDocument[],
  { seen, signal }: { seen: Seen; signal: AbortSignal },
): Promise<Imported[]> {
  const candidates = documents.map(toCandidate);
  // Before the first await, so that of two concurrent batches the earlier one sees its documents first.
  const outcomes = new Map(candidates.flatMap((candidate) => seenBefore(candidate, seen)));
  const known = await findKnownHashes(candidates.filter((candidate) => !outcomes.has(candidate)));
  const fresh = candidates.filter(
    (candidate) => !outcomes.has(candidate) && !known.has(candidate.hash.toString("hex")),
  );
  const entries = await readFresh(fresh, outcomes, signal);
  const stored = entries.size > 0 ? await batcherOf(seen).run(COLLECTION, entries) : null;
  return candidates.map(
    (candidate) => stored?.get(candidate) ?? outcomes.get(candidate) ?? { state: "unchanged" },
  );
}

/**
 * Stores batches that wait for the collection in one transaction: they share most of their terms, which are then
 * counted once. Only batches of one import, whose ids all differ.
 */
function batcherOf(seen: Seen): Batcher<Entries, Map<Candidate, Imported>> {
  const batcher =
    batchers.get(seen) ??
    new Batcher(async (_collection, batches: readonly Entries[]) => {
      const entries = new Map(batches.flatMap((batch) => [...batch]));
      const stored = await transaction((tx) => store(tx, entries));
      return batches.map(() => stored);
    });
  batchers.set(seen, batcher);
  return batcher;
}

const VACUUMED_TABLES = [
  ...["document", "document_attribute", "chunk", "chunk_vector"],
  ...["document_frequency", "vocabulary", "collection"],
];

/**
 * Updates the planner's statistics and removes dead rows, for the embedded database has no autovacuum, and calibrates the
 * embedding space if the passages have grown.
 */
export async function finishImport(): Promise<void> {
  for (const table of VACUUMED_TABLES) {
    await execute(`VACUUM (ANALYZE) ${table}`);
  }
  await calibrateSpace({ when: "grown" }).catch((cause: unknown) =>
    log.warn({ err: cause }, "could not calibrate the embedding space"),
  );
}

async function findKnownHashes(candidates: readonly Candidate[]): Promise<Set<string>> {
  const rows = await query<{ hash: string }>(
    "documents_known",
    `SELECT encode(content_hash, 'hex') AS hash FROM document
      WHERE collection_id = $1 AND content_hash IN (SELECT decode(h, 'hex') FROM unnest($2::text[]) AS h)`,
    [COLLECTION, candidates.map(({ hash }) => hash.toString("hex"))],
  );
  return new Set(rows.map(({ hash }) => hash));
}

/** The outcome of a document whose id this import has already seen. Remembers all others. */
function seenBefore(candidate: Candidate, seen: Seen): [Candidate, Imported][] {
  const { id, hash, document } = candidate;
  const prefix = hash.readUIntBE(0, 6);
  const before = seen.get(id);
  if (before === undefined) {
    seen.set(id, prefix);
    return [];
  }
  if (before === prefix) {
    return [[candidate, { state: "unchanged" }]];
  }
  const names = document.key === null ? "url and title" : "id";
  const message = `Another document of this import has the same ${names}. Give each document an id of its own.`;
  return [[candidate, { state: "failed", message }]];
}

async function readFresh(
  candidates: readonly Candidate[],
  outcomes: Map<Candidate, Imported>,
  signal: AbortSignal,
): Promise<Map<Candidate, IndexEntry>> {
  const entries = new Map<Candidate, IndexEntry>();
  for (const [candidate, answer] of await readAll(candidates, signal)) {
    if (!answer || answer instanceof DocumentError) {
      const message = answer?.message ?? "The document could not be read.";
      outcomes.set(candidate, { state: "failed", message });
    } else {
      const document = { id: candidate.id, collectionId: COLLECTION, accountId: ACCOUNT };
      entries.set(candidate, await toIndexEntry(document, answer, null));
    }
  }
  return entries;
}

/** Texts share a message to a parser thread. Other formats may take long, and each has its own time limit. */
async function readAll(
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<[Candidate, Answer][]> {
  const texts = candidates.filter(({ document }) => document.mediaType !== null);
  const files = candidates.filter(({ document }) => document.mediaType === null);
  const groups = [...(texts.length > 0 ? [texts] : []), ...files.map((file) => [file])];
  const answers = await Promise.all(
    groups.map(async (group) => {
      const tasks = group.map(({ document }) => {
        const { bytes, name, title, mediaType } = document;
        return { bytes, name, title, mediaType };
      });
      const reads = await readDocuments(tasks, signal);
      return group.map((candidate, index) => [candidate, reads[index]] as [Candidate, Answer]);
    }),
  );
  return answers.flat();
}

/** Checks again for existing documents, now with the lock: another import may have stored some. */
async function store(tx: Transaction, entries: Entries): Promise<Map<Candidate, Imported>> {
  await upsertCollection(tx, PUBLIC_COLLECTION);
  const there = await findExisting(tx, entries);
  const known = new Set(there.map(({ hash }) => hash));
  const fresh = [...entries].filter(([{ hash }]) => isFirst(known, hash));
  const freshIds = new Set(fresh.map(([{ id }]) => id));
  const replaced = there.flatMap(({ id, new_id }) =>
    new_id && freshIds.has(new_id) ? [{ id, new_id }] : [],
  );
  const standings = await standingsOfReplaced(tx, replaced);
  if (replaced.length > 0) {
    const ids = replaced.map(({ id }) => id);
    await unindexDocuments(tx, PUBLIC_COLLECTION, ids);
  }
  if (fresh.length > 0) {
    const rows = new CopyRows();
    for (const each of fresh) {
      rows.add(DOCUMENT_COLUMNS, each);
    }
    await tx.copy(`document (${Object.keys(DOCUMENT_COLUMNS)})`, copyFile([rows.take()]));
    const added = fresh.map(([, entry]) => entry);
    await indexChunks(tx, PUBLIC_COLLECTION, added);
  }
  for (const [standing, ids] of standings) {
    await setStanding(tx, ids, standing);
  }
  const older = new Set(replaced.map(({ new_id }) => new_id));
  return new Map(
    fresh.map(([candidate, { read }]) => [
      candidate,
      { state: older.has(candidate.id) ? "replaced" : "added", chunks: read.chunks.length },
    ]),
  );
}

/** Adds a hash to the set. Returns whether it was new. */
function isFirst(known: Set<string | null>, hash: Buffer): boolean {
  const isNew = !known.has(hash.toString("hex"));
  known.add(hash.toString("hex"));
  return isNew;
}

interface ExistingDocument extends Row {
  id: string;
  /** Set if it has the new document's content, */
  hash: string | null;
  /** or the id of the new document that replaces it. */
  new_id: string | null;
}

/** Documents with the same content or the same id, and those that an older version stored, by URL and title. */
function findExisting(tx: Session, entries: Entries): Promise<ExistingDocument[]> {
  const candidates = [...entries.keys()];
  return tx.query<ExistingDocument>(
    "documents_find_there",
    `SELECT d.id, encode(d.content_hash, 'hex') AS hash, NULL AS new_id FROM document d
      WHERE d.collection_id = $1 AND d.content_hash IN (SELECT decode(h, 'hex') FROM unnest($5::text[]) AS h)
     UNION
     SELECT d.id, NULL, d.id FROM document d WHERE d.id = ANY($2)
     UNION
     SELECT d.id, NULL, n.id FROM document d
       JOIN unnest($2::text[], $3::text[], $4::text[]) AS n(id, url, title) ON d.url = n.url AND d.title = n.title
      WHERE d.account_id = $6 AND d.id < 'doc_8' AND d.collection_id = $1`,
    [
      COLLECTION,
      candidates.map(({ id }) => id),
      candidates.map(({ document }) => document.url),
      [...entries.values()].map(({ read }) => read.title),
      candidates.map(({ hash }) => hash.toString("hex")),
      ACCOUNT,
    ],
  );
}
