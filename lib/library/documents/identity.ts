import { createHash } from "node:crypto";

/** A document for the public knowledge base. */
export interface PublicDocument {
  /** Identifies it within its source type. Without a key, its URL and title do, or its path, or its content. */
  key: string | null;
  path: string | null;
  /** The file's name, whose extension may decide the format. */
  name: string | null;
  title: string | null;
  sourceType: string;
  url: string | null;
  publishedAt: Date | null;
  metadata: Record<string, unknown>;
  mediaType: string | null;
  bytes: Uint8Array;
}

/** A document with the id derived from its identity, and a hash of its content and description. */
export interface Candidate {
  id: string;
  hash: Buffer;
  document: PublicDocument;
}

export function toCandidate(document: PublicDocument): Candidate {
  const { title, sourceType, url, publishedAt, metadata, mediaType, bytes } = document;
  const identity = identityOf(document);
  const facts = [identity, title, sourceType, url, publishedAt, metadata, mediaType];
  const head = `${JSON.stringify(facts)}\n`;
  const hash = createHash("sha256").update(head).update(bytes).digest();
  const id = documentId(identity ? JSON.stringify(identity) : hash.toString("hex"));
  return { id, hash, document };
}

function identityOf({ key, path, sourceType, url, title }: PublicDocument): unknown[] | null {
  if (key !== null) {
    return ["key", sourceType, key];
  }
  if (url !== null) {
    return ["url", sourceType, url, title];
  }
  return path === null ? null : ["path", path];
}

/** Derives the id from the identity. No ULID starts with z, so it can't collide with other ids. */
function documentId(identity: string): string {
  const digest = createHash("sha256").update(identity).digest("hex");
  return `doc_z${BigInt(`0x${digest}`).toString(32).padStart(52, "0").slice(-25)}`;
}
