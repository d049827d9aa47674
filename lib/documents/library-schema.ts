import * as z from "zod";
import { isPostgresText } from "@/lib/db/postgres-text";
import { FORMAT_IDS } from "./formats";
import {
  Document,
  DocumentPage,
  ID_SHAPE,
  Job,
  type JobReport,
  JobStatus,
  ListDocuments,
} from "./schema";

/** Where a document's newest job stands, as lists show it. */
export const JobSummary = Job.pick({
  id: true,
  status: true,
  stage: true,
  progress: true,
  error: true,
});
export type JobSummary = z.infer<typeof JobSummary>;

/** A document in the console's list; one that the operator imported has no job. */
export const ListedDocument = Document.extend({ job: JobSummary.nullable() });
export type ListedDocument = z.infer<typeof ListedDocument>;

/** The console's list: the same, narrowed down. */
export const FindDocuments = ListDocuments.extend({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  scope: z.enum(["customer_kb", "personal_kb"]).optional(),
  status: JobStatus.optional(),
  format: z.enum(FORMAT_IDS).optional(),
  source_type: z.string().max(64).optional(),
  /** In the title, in any case. */
  title: z.string().trim().max(200).refine(isPostgresText, "expected text without NUL").optional(),
});
export type FindDocuments = z.output<typeof FindDocuments>;

export const LibraryPage = DocumentPage.extend({ data: z.array(ListedDocument) });
export type LibraryPage = z.infer<typeof LibraryPage>;

export const JobsQuery = z.strictObject({
  /** Ids parted by commas. */
  ids: z
    .string()
    .max(10_000)
    .transform((ids) => ids.split(","))
    .pipe(z.array(z.string().regex(ID_SHAPE, "expected ids of jobs, parted by commas")).max(100)),
});
export const JobList = z.object({ object: z.literal("list"), data: z.array(Job) });

/** A document on a page of its own. */
export interface OpenDocument {
  state: "there";
  document: ListedDocument;
  /** Of its newest job; null until that has completed, and for a document that the operator imported. */
  report: JobReport | null;
  /** Of its passages together, what they repeat of each other included. */
  tokens: number;
  /** The last page that a passage stands on; null in a format without pages. */
  last_page: number | null;
  /** What a reader should know of its passages, by code, with how many are concerned. */
  warnings: { code: string; passages: number }[];
  /** Whether the caller may delete it. */
  is_own: boolean;
}

/** All that is left of a deleted document. */
export interface DocumentTombstone {
  state: "deleted";
  deleted_at: string;
}

const place = z.coerce.number().int().min(0).max(1_000_000_000);

/** A part of a document's text: what follows a place, what stands before it, or what stands around it. */
export const TextQuery = z.union([
  z.strictObject({ from: place }),
  z.strictObject({ to: place }),
  z.strictObject({ around: place }),
]);
export type TextQuery = z.output<typeof TextQuery>;

/** A passage of a text, by its range: the text itself stands in the window. */
export const PassageRange = z.object({
  id: z.string(),
  ordinal: z.number(),
  char_start: z.number(),
  char_end: z.number(),
  page_start: z.number().nullable(),
  page_end: z.number().nullable(),
  headings: z.array(z.string()),
  tokens: z.number(),
  warnings: z.array(z.string()),
});
export type PassageRange = z.infer<typeof PassageRange>;

export const TextWindow = z.object({
  object: z.literal("kb.text"),
  document_id: z.string(),
  /** Of the whole text, in UTF-16 units. */
  length: z.number(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** Those that reach into the window, in their order. */
  passages: z.array(PassageRange),
});
export type TextWindow = z.infer<typeof TextWindow>;
