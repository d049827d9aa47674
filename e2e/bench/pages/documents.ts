import { createHash } from "node:crypto";
import { newId } from "@/lib/id";
import type { Collection } from "@/lib/library/documents/collections";
import { closeParserPool, readDocuments } from "@/lib/library/documents/processes/parser-pool";
import { finishImport } from "@/lib/library/documents/write/import";
import {
  indexChunks,
  toIndexEntry,
  upsertCollection,
} from "@/lib/library/documents/write/index-document";
import { query, type Transaction, transaction } from "@/lib/platform/db/client";
import type { ReadDocument } from "@/lib/reading/parse/read-task";
import { Random } from "../search/random";

const SEED = 20_261_121;
const BATCH = 100;
const WARDS = 50;
const SUBJECTS = [
  ...["Insulin pump check", "Fall prevention", "Wound dressing", "Night handover", "Fluid balance"],
  ...["Catheter care", "Pain assessment", "Visiting hours", "Isolation room", "Discharge letter"],
  ...["Blood sampling", "Allergy record", "Oxygen therapy", "Patient transport", "Meal orders"],
  ...["Hand hygiene", "Fridge temperatures", "Bed rails", "Medication round", "Lost property"],
];
const SENTENCES = [
  "The nurse in charge of ward {ward} answers for this procedure and reviews it every {number} months.",
  "Before you begin, check the name and the date of birth against the wristband.",
  "Note the time, the value and your initials in the chart within {number} minutes.",
  "If the reading differs by more than {number} percent from the last one, repeat it once.",
  "Call the physician on duty when the second reading confirms the first.",
  "The equipment is kept in cupboard {number} beside the medication room.",
  "Replace what you have used and sign the list on the inside of the door.",
  "Relatives are told what is done and why, in words that they know.",
  "A deviation from these steps is allowed when the patient asks for it, and is written down.",
  "Students carry out this procedure under supervision for their first {number} times.",
  "Gloves are worn from the first step to the last and are not worn outside the room.",
  "The monthly audit looks at {number} charts that are drawn by lot.",
];
const SECTIONS = ["Purpose", "Preparation", "Steps", "Records", "When something is wrong"];
const SOURCE_TYPES = ["procedure", "handout", "protocol"];

interface Made {
  id: string;
  title: string;
  sourceType: string;
  bytes: Buffer;
}

/** Inserts documents as uploads and jobs would, parsed and indexed by the product's code. */
export async function addDocuments(accountId: string, count: number): Promise<void> {
  const collection: Collection = {
    id: `customer_kb:${accountId}`,
    scope: "customer_kb",
    accountId,
    personId: null,
  };
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start);
    const made = Array.from({ length }, (_, index) => makeDocument(start + index));
    const reads = await readDocuments(
      made.map(({ bytes }) => ({ bytes, name: null, title: null, mediaType: "text/markdown" })),
    );
    await transaction((tx) => store(tx, collection, { made, reads: reads as ReadDocument[] }));
  }
  await closeParserPool();
  await finishImport();
}

function makeDocument(index: number): Made {
  const random = new Random(SEED, 1, index);
  const ward = (index % WARDS) + 1;
  const subject = SUBJECTS[Math.floor(index / WARDS) % SUBJECTS.length];
  const title = `${subject}, ward ${ward}`;
  const paragraph = () =>
    Array.from({ length: random.within(4, 7) }, () => random.pick(SENTENCES))
      .join(" ")
      .replaceAll("{ward}", String(ward))
      .replace(/\{number\}/g, () => String(random.within(2, 30)));
  const sections = SECTIONS.map((name) => `## ${name}\n\n${paragraph()}\n`);
  return {
    id: newId("document"),
    title,
    sourceType: random.pick(SOURCE_TYPES),
    bytes: Buffer.from(`# ${title}\n\n${sections.join("\n")}`),
  };
}

async function store(
  tx: Transaction,
  collection: Collection,
  { made, reads }: { made: readonly Made[]; reads: readonly ReadDocument[] },
): Promise<void> {
  await upsertCollection(tx, collection);
  const rows = made.map(({ id, title, sourceType, bytes }, index) => ({
    ...{ id, title, source_type: sourceType, size_bytes: bytes.byteLength },
    hash: createHash("sha256").update(bytes).digest("hex"),
    text: reads[index]?.text,
    chunks: reads[index]?.chunks.length,
    job_id: newId("job"),
    report: reads[index] && reportOf(reads[index]),
  }));
  await tx.query(
    "bench_documents",
    `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, metadata, media_type,
                           size_bytes, content_hash, text, chunk_count)
     SELECT r.id, $1, $2, $3, r.title, r.source_type, '{}', 'text/markdown', r.size_bytes, decode(r.hash, 'hex'), r.text, r.chunks
       FROM json_to_recordset($4::json) AS r(id text, title text, source_type text, size_bytes int, hash text, text text, chunks int)`,
    [collection.id, collection.accountId, collection.scope, JSON.stringify(rows)],
  );
  await tx.query(
    "bench_jobs",
    `INSERT INTO job (id, account_id, document_id, collection_id, status, progress, attempts, report,
                      started_at, finished_at)
     SELECT r.job_id, $1, r.id, $2, 'completed', 1, 1, r.report, now(), now()
       FROM json_to_recordset($3::json) AS r(id text, job_id text, report jsonb)`,
    [collection.accountId, collection.id, JSON.stringify(rows)],
  );
  const entries = await Promise.all(
    made.map(({ id }, index) => {
      const { accountId } = collection;
      const document = { id, collectionId: collection.id, accountId };
      return toIndexEntry(document, reads[index] as ReadDocument, null);
    }),
  );
  await indexChunks(tx, collection, entries);
}

function reportOf({ pages, emptyPages, text, chunks, warnings }: ReadDocument) {
  return {
    ...{ pages, empty_pages: emptyPages, characters: text.length, chunks: chunks.length, warnings },
    tokens: chunks.reduce((sum, { tokenCount }) => sum + tokenCount, 0),
  };
}

/** A chunk that a request could have used. */
export interface UsedChunk extends Record<string, unknown> {
  id: string;
  document_id: string;
  scope: string;
}

/** Some chunks to cite, from the account and the public sample. */
export function someChunks(limit: number): Promise<UsedChunk[]> {
  return query<UsedChunk>(
    "bench_chunks",
    `SELECT c.id, c.document_id, o.scope FROM chunk c JOIN collection o ON o.id = c.collection_id
      ORDER BY md5(c.id) LIMIT $1`,
    [limit],
  );
}
