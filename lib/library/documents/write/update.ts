import "server-only";
import { setImmediate } from "node:timers/promises";
import pLimit from "p-limit";
import { type AppError, conflict, invalidRequest } from "@/lib/errors";
import type { Context } from "@/lib/platform/auth/context";
import { limitUploads } from "@/lib/platform/auth/limits";
import {
  query,
  type Row,
  type Session,
  type Transaction,
  transaction,
} from "@/lib/platform/db/client";
import { resolveTitle } from "@/lib/reading/describe";
import { processSingleton } from "@/lib/singleton";
import type { CollectionKey, Reader } from "../collections";
import { getDocument } from "../read/documents";
import { type Document, DocumentMetadata, type UpdateDocument } from "../schema";
import { storeWeights, type WeighedChunk, weighChunk } from "./chunk-terms";
import { lockCollection } from "./end-job";
import { setRetracted } from "./versions";

/** A replacement may store new passages while the title's words are being counted in the old ones. */
const MAX_ATTEMPTS = 3;

/**
 * Changes a document's description. Omitted fields stay; searches that start afterwards find it by the new one. A version
 * in progress keeps the change. Throws not_found, conflict, or rate_limit_exceeded for too many new titles.
 */
export async function updateDocument(
  ctx: Reader,
  id: string,
  changes: UpdateDocument,
): Promise<Document> {
  const before = await getDocument(ctx, id);
  const patch = withTitle(changes, before);
  for (let attempt = 1; ; attempt += 1) {
    const isStored = await tryUpdate(ctx, before, patch);
    if (isStored) {
      return getDocument(ctx, id);
    }
    if (attempt === MAX_ATTEMPTS) {
      throw isBeingProcessed();
    }
  }
}

/** Without the title if it is the same. A title is stored as it is shown. */
function withTitle({ title, ...changes }: UpdateDocument, before: Document): UpdateDocument {
  const shown = title && resolveTitle({ title, own: null, name: null, text: "" });
  return { ...changes, ...(shown && shown !== before.title && { title: shown }) };
}

/** Returns false if the passages have changed since their words were counted. */
async function tryUpdate(ctx: Context, { id }: Document, patch: UpdateDocument): Promise<boolean> {
  let chunks: WeighedChunk[] = [];
  if (patch.title !== undefined) {
    // Costs about as much CPU time as indexing the text again.
    await limitUploads(ctx.account.id);
    chunks = await weighTitled(id, patch.title, ctx.signal);
  }
  return transaction(async (tx) => {
    const collection = await lockCollection(tx, { documentId: id });
    if (!collection) {
      return true;
    }
    if (patch.title !== undefined) {
      await rejectIfProcessing(tx, id);
      if (!(await storeRetitled(tx, { id, collection, chunks }))) {
        return false;
      }
    }
    await storeDescription(tx, id, await withAttributes(tx, id, patch));
    if (patch.standing !== undefined) {
      await setRetracted(tx, [id], patch.standing === "retracted");
    }
    return true;
  });
}

/** With the attributes as changes of the metadata that the document has now. */
async function withAttributes(
  tx: Session,
  id: string,
  { attributes, ...patch }: UpdateDocument,
): Promise<UpdateDocument> {
  if (!attributes) {
    return patch;
  }
  const [row] = await tx.query<{ metadata: Record<string, unknown> }>(
    "documents_metadata",
    "SELECT metadata FROM document WHERE id = $1",
    [id],
  );
  const changed = { ...(patch.metadata ?? row?.metadata), ...attributes };
  const removed = new Set(Object.keys(attributes).filter((name) => attributes[name] === null));
  const left = Object.entries(changed).filter(([name]) => !removed.has(name));
  const { data, error } = DocumentMetadata.safeParse(Object.fromEntries(left));
  if (error) {
    const message = `The document's metadata can't have these attributes: ${error.issues[0]?.message ?? "too large"}.`;
    throw invalidRequest(message, "attributes");
  }
  return { ...patch, metadata: data };
}

/** The job in progress has read the title already, and would store the old one. */
async function rejectIfProcessing(tx: Session, id: string): Promise<void> {
  const open = await tx.query(
    "documents_open_job",
    "SELECT id FROM job WHERE document_id = $1 AND status IN ('queued', 'processing') LIMIT 1",
    [id],
  );
  if (open.length > 0) {
    throw isBeingProcessed();
  }
}

function isBeingProcessed(): AppError {
  return conflict(
    "The document is being processed, so its title cannot change now. Wait for its job to end, or cancel it.",
    "title",
  );
}

const COLUMNS = ["title", "source_type", "url", "published_at", "metadata", "standing"] as const;

/** The document's row, and what its next version would change back. */
async function storeDescription(tx: Session, id: string, patch: UpdateDocument): Promise<void> {
  const changed = COLUMNS.filter((column) => patch[column] !== undefined);
  if (changed.length === 0) {
    return;
  }
  const assignments = changed.map((column, index) => `${column} = $${index + 2}`);
  const ownTitle = patch.title === undefined ? "" : ", has_own_title = true";
  await tx.query(
    // By the columns' places: PostgreSQL keeps only 63 bytes of a statement's name.
    `documents_describe_${changed.map((column) => COLUMNS.indexOf(column)).join("")}`,
    `UPDATE document SET ${assignments.join(", ")}${ownTitle}, updated_at = now() WHERE id = $1`,
    [id, ...changed.map((column) => columnValue(column, patch[column]))],
  );
  await tx.query(
    "documents_describe_next",
    "UPDATE document_upload SET description = description - $2::text[] WHERE document_id = $1 AND NOT is_original",
    [id, changed],
  );
}

function columnValue(column: (typeof COLUMNS)[number], value: unknown): unknown {
  if (column === "metadata") {
    return JSON.stringify(value);
  }
  if (value === "") {
    return null;
  }
  return column === "published_at" ? new Date(String(value)) : value;
}

/** What one statement reads at most. */
const READ_CHUNKS = 500;

interface Passage extends Row {
  id: string;
  ordinal: number;
  collection_id: string;
  headings: string[];
  text: string;
}

/** One at a time, because each uses as much of the main thread as it gets. */
const retitling = processSingleton("retitling", () => pLimit(1));

/** Weighs the words of a document's passages under a new title. Embeddings keep the old title. */
function weighTitled(
  documentId: string,
  title: string,
  signal: AbortSignal,
): Promise<WeighedChunk[]> {
  return retitling(async () => {
    const chunks: WeighedChunk[] = [];
    for (let page = await readFrom(documentId, 0); page.length > 0; ) {
      for (const passage of page) {
        signal.throwIfAborted();
        chunks.push(weighChunk(passage.collection_id, title, passage));
        await setImmediate();
      }
      page = await readFrom(documentId, (page.at(-1)?.ordinal ?? 0) + 1);
    }
    return chunks;
  });
}

function readFrom(documentId: string, ordinal: number): Promise<Passage[]> {
  return query<Passage>(
    "documents_passages_from",
    `SELECT id, ordinal, collection_id, headings, text FROM chunk
      WHERE document_id = $1 AND ordinal >= $2 ORDER BY ordinal LIMIT ${READ_CHUNKS}`,
    [documentId, ordinal],
  );
}

/**
 * Stores the new weights. Returns false, with nothing stored, if these aren't the document's passages anymore. The caller
 * holds the collection's lock.
 */
async function storeRetitled(
  tx: Transaction,
  input: { id: string; collection: CollectionKey; chunks: readonly WeighedChunk[] },
): Promise<boolean> {
  const { id, collection, chunks } = input;
  const old = await tx.query<{ id: string; term_keys: number[] }>(
    "documents_terms_of",
    "SELECT id, term_keys FROM chunk WHERE document_id = $1 AND account_id = $2",
    [id, collection.accountId],
  );
  const ids = new Set(old.map((chunk) => chunk.id));
  if (chunks.length !== old.length || chunks.some(({ row }) => !ids.has(row.id))) {
    return false;
  }
  const removed = old.map(({ term_keys }) => term_keys);
  await storeWeights(tx, collection, { chunks, removed });
  return true;
}
