import { createHash } from "node:crypto";

/** One document for the public knowledge base, with what its curator says of it. */
export interface PublicDocument {
  /** Names it within its source type; without one its url and title do, else its path, else its content. */
  key: string | null;
  path: string | null;
  /** As a file is named: its ending tells the format. */
  name: string | null;
  title: string | null;
  sourceType: string;
  url: string | null;
  publishedAt: Date | null;
  metadata: Record<string, unknown>;
  mediaType: string | null;
  bytes: Uint8Array;
}

/** A document under the id that its identity gives it, and the hash of all that is said of it. */
export interface Candidate {
  id: string;
  hash: Buffer;
  document: PublicDocument;
}

export function toCandidate(document: PublicDocument): Candidate {
  const { title, sourceType, url, publishedAt, metadata, mediaType, bytes } = document;
  const identity = identityOf(document);
  const facts = [identity, title, sourceType, url, publishedAt, metadata, mediaType];
  const hash = createHash("sha256")
    .update(`${JSON.stringify(facts)}\n`)
    .update(bytes)
    .digest();
  return {
    id: documentId(identity ? JSON.stringify(identity) : hash.toString("hex")),
    hash,
    document,
  };
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

/** An id that follows from what names the document. No ULID begins with z, so none is the same. */
function documentId(identity: string): string {
  const digest = createHash("sha256").update(identity).digest("hex");
  return `doc_z${BigInt(`0x${digest}`).toString(32).padStart(52, "0").slice(-25)}`;
}
