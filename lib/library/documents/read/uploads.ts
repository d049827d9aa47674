import "server-only";

import { notFound } from "@/lib/errors";
import type { KeyContext, MemberContext } from "@/lib/platform/auth/context";
import { query, type Row } from "@/lib/platform/db/client";
import { type AcceptedDocument, ID_SHAPE } from "../schema";
import type { Upload, UploadPart } from "../upload-schema";
import { toSeconds } from "./files";

/** Who makes an upload: a key, or a member in the console. */
export type Uploader = KeyContext | MemberContext;

/** An upload in parts, as stored. */
export interface StoredUpload extends Row {
  id: string;
  name: string;
  purpose: string;
  size_bytes: number;
  status: Upload["status"];
  answer: AcceptedDocument | null;
  created_at: Date;
  expires_at: Date;
  /** With parts that aren't complete. */
  stored_bytes: number;
}

/**
 * Who an upload belongs to: everyone in the account with a key to its documents, or one person, member or bound key, because
 * others may not be allowed to read it.
 */
export function ownerOf({ actor, account }: Uploader): string {
  return actor.kind === "member" || actor.stores ? actor.id : (actor.personId ?? account.id);
}

/** Throws not_found, also for another owner's. */
export async function findUpload(ctx: Uploader, id: string): Promise<StoredUpload> {
  const [upload] = ID_SHAPE.test(id)
    ? await query<StoredUpload>(
        "documents_upload",
        `SELECT u.id, u.name, u.purpose, u.size_bytes, u.answer, u.created_at, u.expires_at,
                CASE WHEN u.status = 'pending' AND u.expires_at <= now() THEN 'expired' ELSE u.status END AS status,
                (SELECT coalesce(sum(s.size_bytes), 0)::float8 FROM upload_slice s
                  WHERE s.upload_id = u.id AND s.account_id = u.account_id) AS stored_bytes
           FROM upload u WHERE u.id = $1 AND u.account_id = $2 AND u.owner_id = $3`,
        [id, ctx.account.id, ownerOf(ctx)],
      )
    : [];
  if (!upload) {
    throw notFound("There is no such upload. Check its id, or create another one.", "id");
  }
  return upload;
}

/** The complete parts of a pending upload, by number, then by time. */
export async function listParts({ account }: Uploader, uploadId: string): Promise<UploadPart[]> {
  const parts = await query<Row & UploadPart & { created: Date }>(
    "documents_parts",
    `SELECT part_id AS id, 'upload.part' AS object, upload_id, max(part_number) AS part_number, sum(size_bytes)::int AS bytes,
            max(encode(part_hash, 'hex')) AS sha256, max(created_at) AS created
       FROM upload_slice WHERE upload_id = $1 AND account_id = $2
      GROUP BY part_id, upload_id HAVING count(part_hash) > 0 ORDER BY max(part_number), max(created_at), part_id`,
    [uploadId, account.id],
  );
  return parts.map(({ created, ...part }) => ({ ...part, created_at: toSeconds(created) }));
}

/** An upload with the parts that have arrived. Throws not_found. */
export async function getUpload(ctx: Uploader, id: string): Promise<Upload> {
  const upload = await findUpload(ctx, id);
  return toUpload(upload, upload.status === "pending" ? await listParts(ctx, id) : []);
}

export function toUpload(upload: StoredUpload, parts: UploadPart[]): Upload {
  const { id, name: filename, purpose, size_bytes: bytes, status, answer } = upload;
  const facts = { bytes, created_at: toSeconds(upload.created_at), filename, purpose };
  return {
    id,
    object: "upload",
    ...facts,
    expires_at: toSeconds(upload.expires_at),
    status,
    parts,
    file: answer && { id: answer.id, object: "file", ...facts, status: "uploaded" },
    document: answer,
  };
}
