import * as z from "zod";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { cursorPageOf } from "@/lib/platform/http/list-page";
import { FORMAT_IDS } from "@/lib/reading/formats";
import { Attributes, FiltersParam } from "./filter-schema";
import {
  Document,
  DocumentStatus,
  ExternalId,
  ID_SHAPE,
  Job,
  type JobReport,
  SourceType,
  Standing,
} from "./schema";

/** A document's newest job in lists. */
export const JobSummary = Job.pick({
  id: true,
  status: true,
  stage: true,
  progress: true,
  error: true,
}).extend({
  /** How many warnings its report has. */
  warnings: z.number(),
});
export type JobSummary = z.infer<typeof JobSummary>;

export const ListDocuments = z.strictObject({
  filters: FiltersParam.optional(),
  external_id: ExternalId.optional().describe("Only the document with this `external_id`."),
  after: z
    .string()
    .max(100)
    .regex(ID_SHAPE, "expected the next_cursor of a page")
    .optional()
    .describe("The `next_cursor` of a page."),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe("Documents per page."),
});
export type ListDocuments = z.output<typeof ListDocuments>;

export const DocumentPage = cursorPageOf(Document);
export type DocumentPage = z.infer<typeof DocumentPage>;

/** A document in the console's list. Imported documents have no job. */
export const ListedDocument = Document.extend({
  job: JobSummary.nullable(),
  /** The ids of the vector stores that it was added to. */
  stores: z.array(z.string()),
});
export type ListedDocument = z.infer<typeof ListedDocument>;

/** The console's list, with filters. */
export const FindDocuments = ListDocuments.extend({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  scope: z.enum(["customer_kb", "personal_kb"]).optional(),
  /** The id of a vector store of the account or the member. */
  store: z.string().max(100).regex(ID_SHAPE, "expected the id of a vector store").optional(),
  status: DocumentStatus.optional(),
  format: z.enum(FORMAT_IDS).optional(),
  source_type: z.string().max(64).optional(),
  /** Part of the title or the file's name, case-insensitive. */
  title: z
    .string()
    .trim()
    .max(200)
    .refine(isPostgresText, "leave NUL characters and lone surrogates out")
    .optional(),
});
export type FindDocuments = z.output<typeof FindDocuments>;

export const LibraryPage = cursorPageOf(ListedDocument);
export type LibraryPage = z.infer<typeof LibraryPage>;

const MAX_UPDATED = 500;

/** One change of several documents. */
export const UpdateDocuments = z
  .strictObject({
    ids: z.array(z.string().max(100)).min(1).max(MAX_UPDATED).describe("Ids of documents."),
    attributes: Attributes.optional(),
    source_type: SourceType.optional(),
    standing: Standing.optional(),
  })
  .refine((changes) => Object.values(changes).filter((each) => each !== undefined).length > 1, {
    path: ["attributes"],
    message: "name attributes, a source type or a standing",
  });
export type UpdateDocuments = z.output<typeof UpdateDocuments>;

export const UpdatedDocuments = z.object({
  object: z.literal("list"),
  data: z
    .array(
      z.object({
        id: z.string(),
        updated: z.boolean(),
        message: z.string().nullable().describe("Why it wasn't changed; the others were."),
      }),
    )
    .describe("One for each id, in the order of the request."),
});
export type UpdatedDocuments = z.infer<typeof UpdatedDocuments>;

export const JobsQuery = z.strictObject({
  /** Comma-separated. */
  ids: z
    .string()
    .max(10_000)
    .transform((ids) => ids.split(","))
    .pipe(z.array(z.string().regex(ID_SHAPE, "expected job ids, separated by commas")).max(100)),
});
export const JobList = z.object({ object: z.literal("list"), data: z.array(Job) });

/** A document on its own page. */
export interface OpenDocument {
  state: "there";
  document: ListedDocument;
  /** The newest job's; null until it has completed, and for imported documents. */
  report: JobReport | null;
  /** The sum over its passages, overlaps included. */
  tokens: number;
  /** The last page with a passage; null in a format without pages. */
  last_page: number | null;
  /** Codes with the number of passages affected. */
  warnings: { code: string; passages: number }[];
  /** Whether the caller may delete it. */
  is_own: boolean;
  /** Of the request that added its newest version; null for a document of others, and once the record is deleted. */
  charge: { request_id: string; cost_usd: string } | null;
  /** How many of the account's latest answers, within 30 days, cite it. */
  cited_in: number;
}

/** What remains of a deleted document. */
export interface DocumentTombstone {
  state: "deleted";
  deleted_at: string;
}

const place = z.coerce.number().int().min(0).max(1_000_000_000);

/** A part of a document's text: from, before or around an offset. */
export const TextQuery = z.union([
  z.strictObject({ from: place }),
  z.strictObject({ to: place }),
  z.strictObject({ around: place }),
]);
export type TextQuery = z.output<typeof TextQuery>;

/** As a `TextQuery`, from the start by default. */
export const TextRange = z
  .strictObject({
    from: place.optional().describe("Where the part begins: `end` of the previous one."),
    to: place.optional().describe("Where it ends."),
    around: place.optional().describe("A place in it, such as a quote's `char_start`."),
  })
  .refine(
    ({ from, to, around }) => [from, to, around].filter((at) => at !== undefined).length <= 1,
    { path: ["from"], message: "give only one of 'from', 'to' and 'around'" },
  )
  .transform(({ from = 0, to, around }): TextQuery => {
    if (to !== undefined) {
      return { to };
    }
    return around === undefined ? { from } : { around };
  });

/** A passage as a range of the window's text. */
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
  length: z
    .number()
    .describe("The whole text's, in UTF-16 units; 0 until the document is processed."),
  start: z.number().describe("Where this part begins."),
  end: z.number().describe("Where it ends; `length` in the last part."),
  text: z.string().describe("About 24,000 characters, cut between paragraphs where possible."),
  passages: z.array(PassageRange).describe("Those that overlap this part, in order."),
  pages: z
    .array(z.object({ page: z.number(), char_start: z.number() }))
    .describe("The pages that begin in this part, without empty ones."),
});
export type TextWindow = z.infer<typeof TextWindow>;
