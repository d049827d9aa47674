import "server-only";

import type { KeyContext } from "@/lib/platform/auth/context";
import { query, type Session, type Transaction } from "@/lib/platform/db/client";
import { boundTo, writableCollection } from "../collections";
import { documentNotFound } from "../read/documents";
import { accessCondition } from "../read/selection";
import type { UploadDocument } from "../schema";

/**
 * Describes a document by its new version, if the upload is one, and removes the passages of the old one. Returns the
 * term keys of these passages, for `countTerms`. In the transaction that indexes the new version, before it does.
 */
export async function applyNewVersion(tx: Transaction, id: string): Promise<number[][]> {
  const replaced = await tx.query(
    "documents_apply_version",
    `UPDATE document d
        SET content_hash = u.content_hash, size_bytes = u.size_bytes, file_name = u.name, updated_at = now(),
            source_type = coalesce(u.description->>'source_type', d.source_type),
            url = coalesce(u.description->>'url', d.url),
            published_at = coalesce((u.description->>'published_at')::timestamptz, d.published_at),
            metadata = coalesce(u.description->'metadata', d.metadata),
            standing = coalesce(u.description->>'standing', d.standing),
            has_own_title = d.has_own_title OR u.description ? 'title'
       FROM document_upload u
      WHERE d.id = $1 AND u.document_id = d.id AND u.account_id = d.account_id AND NOT u.is_original AND u.content_hash IS NOT NULL
      RETURNING d.id`,
    [id],
  );
  return replaced.length > 0 ? deleteChunks(tx, id) : [];
}

/**
 * What an upload names to become a document's next version. A document without an external id gets its own id as one.
 * Throws not_found, and insufficient_scope.
 */
export async function nextVersionOf(
  ctx: KeyContext,
  { id, scope }: { id: string; scope: string },
): Promise<Pick<UploadDocument, "external_id" | "on_duplicate">> {
  const [document] = await query<{ external_id: string }>(
    "documents_ensure_external_id",
    `UPDATE document d SET external_id = coalesce(external_id, id)
      WHERE d.id = $1 AND d.account_id = $2 AND ${accessCondition(["$3", "$4"])} RETURNING external_id`,
    [id, ctx.account.id, [writableCollection(ctx, scope).id], boundTo(ctx)],
  );
  if (!document) {
    throw documentNotFound();
  }
  return { external_id: document.external_id, on_duplicate: "replace" };
}

async function deleteChunks(tx: Session, documentId: string): Promise<number[][]> {
  const chunks = await tx.query<{ term_keys: number[] }>(
    "documents_delete_chunks",
    "DELETE FROM chunk WHERE document_id = $1 RETURNING term_keys",
    [documentId],
  );
  return chunks.map(({ term_keys }) => term_keys);
}

/** Marks the passages of a document that was retracted before they were stored. */
export async function hideIfRetracted(tx: Session, id: string): Promise<void> {
  const [document] = await tx.query<{ standing: string }>(
    "documents_standing",
    "SELECT standing FROM document WHERE id = $1",
    [id],
  );
  if (document?.standing === "retracted") {
    await setRetracted(tx, [id], true);
  }
}

/** The new ids of replaced documents that aren't current, by standing. Before the old ones are deleted. */
export async function standingsOfReplaced(
  tx: Session,
  replaced: readonly { id: string; new_id: string }[],
): Promise<Map<string, string[]>> {
  const rows = await tx.query<{ id: string; standing: string }>(
    "documents_standings",
    "SELECT id, standing FROM document WHERE id = ANY($1) AND standing <> 'current'",
    [replaced.map(({ id }) => id)],
  );
  const newIds = new Map(replaced.map(({ id, new_id }) => [id, new_id]));
  const groups = Map.groupBy(rows, ({ standing }) => standing);
  return new Map(
    [...groups].map(([standing, group]) => [standing, group.map(({ id }) => newIds.get(id) ?? id)]),
  );
}

/** Sets the standing of documents and hides or shows their passages. The caller holds the collection's lock. */
export async function setStanding(
  tx: Session,
  ids: readonly string[],
  standing: string,
): Promise<void> {
  await tx.query(
    "documents_set_standing",
    "UPDATE document SET standing = $2, updated_at = now() WHERE id = ANY($1)",
    [ids, standing],
  );
  await setRetracted(tx, ids, standing === "retracted");
}

/** Whether searches leave the passages of these documents out. The caller holds the collection's lock. */
export async function setRetracted(
  tx: Session,
  ids: readonly string[],
  isRetracted: boolean,
): Promise<void> {
  await tx.query(
    "documents_set_retracted",
    "UPDATE chunk SET is_retracted = $2 WHERE document_id = ANY($1) AND is_retracted <> $2",
    [ids, isRetracted],
  );
  await tx.query(
    "documents_set_vectors_retracted",
    `UPDATE chunk_vector v SET is_retracted = $2 FROM chunk c
      WHERE c.document_id = ANY($1) AND v.chunk_id = c.id AND v.account_id = c.account_id AND v.is_retracted <> $2`,
    [ids, isRetracted],
  );
}
