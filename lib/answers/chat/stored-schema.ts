import * as z from "zod";
import { Judged, Verdict } from "@/lib/answers/citations/schema";
import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { ChatCompletion, CompletionUsage, Metadata } from "./schema";

/** No other id exists. */
export const COMPLETION_ID = /^chatcmpl-[0-9a-z]{1,60}$/;

/** One claim that cites the source, and the quote that supports it. */
const EvidenceQuote = z.object({
  choice_index: z.number(),
  claim: z.string(),
  text: z
    .string()
    .nullable()
    .describe("Verbatim; null without a matching passage or with `quotes: false`."),
  char_start: z
    .number()
    .nullable()
    .describe("In the document's text, in UTF-16 code units, end exclusive."),
  char_end: z.number().nullable(),
  permalink: z.string().nullable(),
  verdict: Verdict.nullable().describe('Support by this source alone; null with `verify: "off"`.'),
  score: z.number().nullable(),
  reason: z.string().nullable(),
  method: Judged.shape.method.nullable(),
});
export type EvidenceQuote = z.infer<typeof EvidenceQuote>;

/** One source given to the model, as it was then. */
export const Evidence = z.object({
  citation_id: z.number(),
  scope: KnowledgeScope,
  document_id: z.string(),
  title: z.string(),
  source_type: z.string(),
  url: z.string().nullable(),
  published_at: z.string().nullable(),
  document_version: z
    .string()
    .nullable()
    .describe(
      "SHA-256 of the document in hex; null if the passage was gone when the answer was stored.",
    ),
  chunk_id: z.string(),
  chunk_hash: z.string().describe("SHA-256 of the passage in UTF-8, in hex."),
  char_start: z
    .number()
    .describe("The passage in the document's text, in UTF-16 code units, end exclusive."),
  char_end: z.number(),
  page: z.number().nullable(),
  page_end: z.number().nullable(),
  section: z.string().nullable(),
  excerpt: z.string(),
  permalink: z.string(),
  quotes: z.array(EvidenceQuote).describe("One per marker; empty for an uncited source."),
});
export type Evidence = z.infer<typeof Evidence>;

export const StoredUsage = CompletionUsage.partial({ cost: true, cost_usd: true }).describe(
  "Without the cost once its usage record is deleted.",
);

/** A stored answer in a list: the completion as sent, with its metadata. */
export const ListedCompletion = ChatCompletion.extend({
  metadata: z.record(z.string(), z.string()),
  request_id: z.string().describe("The `x-request-id` of its response."),
  usage: StoredUsage,
});
export type ListedCompletion = z.infer<typeof ListedCompletion>;

/** With its evidence, which is immutable. */
export const StoredCompletion = ListedCompletion.extend({ evidence: z.array(Evidence) });
export type StoredCompletion = z.infer<typeof StoredCompletion>;

/** A message of the request: text in `content`, or parts in `content_parts`. */
export const StoredMessage = z.looseObject({
  id: z.string(),
  role: z.string(),
  content: z.string().nullable(),
  name: z.string().nullable(),
  content_parts: z.array(z.looseObject({ type: z.string() })).nullable(),
});
export type StoredMessage = z.infer<typeof StoredMessage>;

export const CompletionParams = z.object({
  completion_id: z.string().describe("The `id` of a completion that was stored."),
});

const pageBounds = {
  limit: z.coerce.number().int().min(1).max(100).default(20).describe("Entries per page."),
  order: z.enum(["asc", "desc"]).default("asc").describe("By time: `asc` gives the oldest first."),
};

/** `metadata[name]=value`, as the stock clients write it, becomes `metadata: {name: value}`. */
export const ListStored = z.preprocess(
  gatherMetadata,
  z.strictObject({
    after: z
      .string()
      .regex(COMPLETION_ID, "expected the last_id of a page")
      .optional()
      .describe("The `last_id` of a page."),
    ...pageBounds,
    model: z.string().max(200).optional().describe("Only answers of this model."),
    metadata: Metadata.optional().describe("Matches answers with all these pairs."),
  }),
);
export type ListStored = z.output<typeof ListStored>;

function gatherMetadata(raw: unknown): unknown {
  const entries = Object.entries(raw ?? {}).map(([name, value]) => ({
    key: /^metadata\[(.*)\]$/s.exec(name)?.[1],
    name,
    value,
  }));
  const pairs = entries.flatMap(({ key, value }) => (key === undefined ? [] : [[key, value]]));
  const rest = entries.flatMap(({ key, name, value }) =>
    key === undefined ? [[name, value]] : [],
  );
  return {
    ...(pairs.length > 0 && { metadata: Object.fromEntries(pairs) }),
    ...Object.fromEntries(rest),
  };
}

export const ListMessages = z.strictObject({
  after: z.string().max(100).optional().describe("The `last_id` of a page."),
  ...pageBounds,
});
export type ListMessages = z.output<typeof ListMessages>;

export const UpdateStored = z
  .strictObject({
    metadata: Metadata.nullable().describe("Replaces all pairs; null removes them."),
  })
  .meta({ required: ["metadata"] });
export type UpdateStored = z.output<typeof UpdateStored>;

const page = {
  object: z.literal("list"),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
};
export const CompletionPage = z.object({ ...page, data: z.array(ListedCompletion) });
export type CompletionPage = z.infer<typeof CompletionPage>;

export const MessagePage = z.object({ ...page, data: z.array(StoredMessage) });
export type MessagePage = z.infer<typeof MessagePage>;

/** The warning shown before a stored answer is deleted. */
export const COPIES_STAY = "Answers that continue it keep a copy of its words.";

export const DeletedCompletion = z.object({
  id: z.string(),
  object: z.literal("chat.completion.deleted"),
  deleted: z.literal(true).describe(`Of this answer alone. ${COPIES_STAY}`),
});
export type DeletedCompletion = z.infer<typeof DeletedCompletion>;

/** The stored answer on a request's page in the console. */
export const StoredForConsole = z.discriminatedUnion("access", [
  z.object({
    access: z.literal("shown"),
    completion: StoredCompletion,
    messages: z.array(StoredMessage),
    stored_at: z.string(),
  }),
  /** Bound to another person. */
  z.object({ access: z.literal("hidden"), completion_id: z.string(), stored_at: z.string() }),
]);
export type StoredForConsole = z.infer<typeof StoredForConsole>;
