import "server-only";

import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { findKeyOfHold } from "@/lib/money/billing/read/balance";
import type { KeyActor } from "@/lib/platform/auth/context";
import { findKeyActor } from "@/lib/platform/auth/read";
import { log } from "@/lib/platform/log";
import type { OcrMode } from "@/lib/reading/ocr/ocr-mode";
import type { Attachment } from "@/lib/reading/parse/block";
import { toWarnings } from "@/lib/reading/parse/hidden-text";
import { toUploadedFile } from "../receive/whole-file";
import type { JobReport, UploadDocument } from "../schema";
import { uploadDocument } from "./upload";

/** In the metadata of an attachment: the document of its email. Attachments of an attached email are left out. */
export const ATTACHED_TO = "attached_to";
const MAX_NAME = 500;

/** The email whose attachments are uploaded, and the hold of its job. */
interface AttachedTo {
  id: string;
  accountId: string;
  scope: string;
  sourceType: string;
  ocr: OcrMode;
  /** Null for documents that nobody pays for. */
  holdId: string | null;
}

interface AttachedFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

interface Uploaded {
  attachments: NonNullable<JobReport["attachments"]>;
  warnings: JobReport["warnings"];
}

/**
 * Uploads an email's attachments to its collection, with the key that uploaded the email: each is a document of its own with
 * its own job and charge. Those that can't be read, or that the account has no funds or room for, are left out. Can be
 * repeated: the same bytes are the same document.
 */
export async function uploadAttachments(
  email: AttachedTo,
  files: readonly Attachment[] = [],
  signal: AbortSignal,
): Promise<Uploaded> {
  const actor = files.length > 0 ? await findUploader(email) : null;
  const attachments: Uploaded["attachments"] = [];
  for (const { name, bytes } of actor ? files : []) {
    signal.throwIfAborted();
    const id = actor && bytes && (await upload(email, { actor, name, bytes, signal }));
    if (id) {
      attachments.push({ name, document_id: id });
    }
  }
  const left = files.length - attachments.length;
  const warnings = left > 0 ? toWarnings(new Map([["attachments_left_out", left]])) : [];
  return { attachments, warnings };
}

async function findUploader({ accountId, holdId }: AttachedTo): Promise<KeyActor | null> {
  const keyId = holdId && (await findKeyOfHold(accountId, holdId));
  return keyId ? findKeyActor(accountId, keyId) : null;
}

/** The document's id, or null when it is refused. */
async function upload(
  email: AttachedTo,
  { actor, name, bytes, signal }: AttachedFile & { actor: KeyActor; signal: AbortSignal },
): Promise<string | null> {
  const ctx = { account: { id: email.accountId }, actor, requestId: newId("request"), signal };
  try {
    return (await uploadDocument(ctx, toUpload(email, { name, bytes }))).id;
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.status >= 500) {
      throw thrown;
    }
    log.info({ document_id: email.id, code: thrown.code }, "attachment left out");
    return null;
  }
}

function toUpload(
  { id, scope, sourceType, ocr }: AttachedTo,
  { name, bytes }: AttachedFile,
): UploadDocument {
  return {
    scope,
    source_type: sourceType,
    metadata: { [ATTACHED_TO]: id },
    ocr,
    on_duplicate: "reuse",
    file: toUploadedFile(name.slice(0, MAX_NAME), bytes),
  };
}
