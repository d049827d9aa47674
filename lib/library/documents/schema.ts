import * as z from "zod";
import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";
import { OCR_MODES } from "@/lib/reading/ocr/ocr-mode";
import { Attributes } from "./filter-schema";
import { isStorable, MAX_DEPTH, storable } from "./storable";
import { FileField } from "./uploaded-file";

const DATE = "expected an ISO 8601 date or time, such as 2026-10-31";
const isoDate = z.union([z.iso.datetime({ offset: true }), z.iso.date()], { error: DATE });
const EARLIEST_YEAR = 1000;
const LATEST_YEAR = 9999;
const publicationDate = isoDate
  .refine((value) => {
    const year = new Date(value).getUTCFullYear();
    return year >= EARLIEST_YEAR && year <= LATEST_YEAR;
  }, `expected a year from ${EARLIEST_YEAR} to ${LATEST_YEAR}`)
  .meta({ pattern: "^[1-9]" });
const webUrl = z
  .url({ protocol: /^https?$/, error: "expected an http or https address" })
  .max(2000)
  .check(storable);

/** Members that search results add to the caller's metadata. */
const RESERVED_NAMES = [
  ...["url", "page", "page_end", "section", "published_at"],
  ...["char_start", "char_end", "warnings"],
];

export function isReservedName(name: string): boolean {
  return RESERVED_NAMES.includes(name);
}

/** The caller's data about a document. */
export const DocumentMetadata = z
  .record(z.string().max(100), z.unknown())
  .refine((value) => isStorable(value), {
    error: `nest at most ${MAX_DEPTH} levels, and leave NUL characters and lone surrogates out`,
    abort: true,
  })
  .refine((value) => RESERVED_NAMES.every((name) => !Object.hasOwn(value, name)), {
    error: `the names ${RESERVED_NAMES.join(", ")} are reserved`,
  })
  .refine((value) => JSON.stringify(value).length <= 16_384, "at most 16 kB as JSON");

export const OcrMode = z.enum(OCR_MODES, { error: "expected auto, off or force" });

export const Standing = z.enum(["current", "superseded", "retracted"]);
export type Standing = z.infer<typeof Standing>;

const standing = Standing.optional().describe(
  "`superseded` is marked in citations; `retracted` isn't searched unless a request asks for it.",
);

/** An index entry has at most 2,704 bytes. */
const MAX_EXTERNAL_ID = 500;
export const ExternalId = z
  .string({ error: "expected text" })
  .min(1, "expected at least one character")
  .max(MAX_EXTERNAL_ID, `use at most ${MAX_EXTERNAL_ID} characters`)
  .check(storable);
export const SourceType = z
  .string()
  .trim()
  .regex(/^[a-z0-9_-]{1,64}$/i, "use 1 to 64 letters, digits, - or _");
/** What callers can say about a document, at upload and later. */
const Description = {
  title: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .check(storable)
    .optional()
    .describe("By default from the document or its file name."),
  source_type: SourceType.optional().describe(
    "Your own kind of source, which searches can filter by.",
  ),
  metadata: DocumentMetadata.optional().describe("Returned with each citation."),
  url: webUrl.optional().describe("Where readers find the document."),
  published_at: publicationDate.optional().describe("An ISO 8601 date or time."),
  standing,
};

/** The fields of an upload. */
export const UploadDocument = z.strictObject({
  /** Any string, so that an unknown scope fails with 403, not 400. */
  scope: z
    .string({ error: "expected customer_kb or personal_kb" })
    .describe("`customer_kb`, or `personal_kb` with a key bound to a person."),
  ...Description,
  ocr: OcrMode.optional().describe(
    "Text recognition (OCR): of pages without usable text (`auto`, the default), of none (`off`), or of all pages of a PDF or an image (`force`). Each recognized page is charged.",
  ),
  external_id: ExternalId.optional().describe("Your own id, unique in the scope."),
  on_duplicate: z
    .enum(["reuse", "replace"])
    .default("reuse")
    .describe(
      "If a document has this `external_id`, which `replace` needs: `reuse` leaves it as it is, `replace` puts this version in its place, under the same id.",
    ),
  file: FileField,
  text: z
    .string()
    .meta({ minLength: 1 })
    .optional()
    .describe("The document's text, in place of a `file`."),
});
export type UploadDocument = z.infer<typeof UploadDocument>;

/** A change of a document's description. Null, like leaving a field out, keeps it; an address or date can be removed. */
export const UpdateDocument = nullsAbsent(
  z
    .strictObject({
      ...Description,
      title: Description.title.describe("Searches find the document by its new words at once."),
      metadata: DocumentMetadata.optional().describe("Replaces all of it."),
      attributes: Attributes.optional(),
      url: z
        .union([webUrl, z.literal("")])
        .optional()
        .describe("Empty to remove it."),
      published_at: z
        .union([publicationDate, z.literal("")])
        .optional()
        .describe("An ISO 8601 date or time; empty to remove it."),
    })
    .refine((fields) => Object.keys(fields).length > 0, "name at least one field to change")
    .meta({ minProperties: 1 }),
);
export type UpdateDocument = z.infer<typeof UpdateDocument>;

export const AcceptedDocument = z.object({
  object: z.literal("kb.document"),
  id: z.string(),
  job_id: z.string(),
  status: z.string(),
  deduplicated: z
    .boolean()
    .describe("Whether the document already was in this scope, by its bytes or `external_id`."),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
});
export type AcceptedDocument = z.infer<typeof AcceptedDocument>;

export const JobStatus = z.enum(["queued", "processing", "completed", "failed", "cancelled"]);
export type JobStatus = z.infer<typeof JobStatus>;

/** A document's: its newest job's, or `uploaded` for a file that no store has had yet, which isn't searchable. */
export const DocumentStatus = z.enum([...JobStatus.options, "uploaded"]);
export type DocumentStatus = z.infer<typeof DocumentStatus>;

export const JobReport = z.object({
  pages: z.number().nullable(),
  empty_pages: z.number().nullable(),
  recognized_pages: z
    .number()
    .optional()
    .describe("Pages whose text was recognized in their images (OCR); absent without any."),
  ocr: OcrMode.optional().describe("How it was read, if another `ocr` reads it otherwise."),
  page_confidence: z
    .array(z.number().nullable())
    .nullable()
    .optional()
    .describe(
      "For PDFs, by page from 0 to 1: how much of its text could be read, and how sure the order is; null for a page without text of its own.",
    ),
  characters: z.number(),
  chunks: z.number(),
  embedded_chunks: z.number().optional().describe("Those with vectors; absent once all have one."),
  tokens: z.number(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  attachments: z
    .array(z.object({ name: z.string(), document_id: z.string() }))
    .optional()
    .describe("An email's attachments that became documents of their own; absent without any."),
});
export type JobReport = z.infer<typeof JobReport>;

export const Job = z.object({
  id: z.string(),
  object: z.literal("kb.job"),
  document_id: z.string(),
  status: JobStatus,
  stage: z.string().nullable(),
  progress: z.number().describe("From 0 to 1."),
  attempts: z.number(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  report: JobReport.nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});
export type Job = z.infer<typeof Job>;

export const Document = z.object({
  id: z.string(),
  object: z.literal("kb.document"),
  scope: KnowledgeScope,
  external_id: z.string().nullable().describe("Your own id; null if the upload named none."),
  title: z.string(),
  source_type: z.string(),
  standing: Standing,
  url: z.string().nullable(),
  published_at: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  media_type: z.string(),
  file_name: z.string().nullable().describe("Null for text that was sent as JSON."),
  size_bytes: z.number(),
  sha256: z.string().describe("Of the file's bytes, in hexadecimal digits."),
  chunks: z
    .number()
    .describe("Passages that searches can find, also while a new version is processed."),
  has_original: z.boolean().describe("Whether its file is stored, for `/content` and `/pages`."),
  job_id: z
    .string()
    .nullable()
    .describe("Its newest job's, such as that of an email's attachment; null without a job."),
  status: DocumentStatus.describe(
    "Its newest job's; `uploaded` for a file that isn't searchable, because no vector store has had it.",
  ),
  created_at: z.string(),
  updated_at: z.string().describe("When its text or description last changed."),
});
export type Document = z.infer<typeof Document>;

export const DeletedDocument = z.object({
  id: z.string(),
  object: z.literal("kb.document"),
  deleted: z.literal(true),
});
export type DeletedDocument = z.infer<typeof DeletedDocument>;

/** The shape of every id. */
export const ID_SHAPE = /^[a-z]+_[0-9a-z]+$/;

export const IdParams = z.object({
  id: z.string().max(100).describe("The id of the document or upload."),
});
export const JobParams = z.object({
  job_id: z.string().max(100).describe("The `job_id` of an upload's response."),
});
export const JobQuery = z.strictObject({
  wait: z.coerce
    .number()
    .min(0)
    .max(30)
    .default(0)
    .describe("How many seconds to wait for the job to end."),
});
