import * as z from "zod";
import { KnowledgeScope } from "@/lib/auth/schema";
import { Judged, Verdict } from "@/lib/citations/schema";
import { Metadata } from "./metadata";
import { ChatCompletion } from "./schema";

/** What an answer's id looks like; another one names no answer. */
export const COMPLETION_ID = /^chatcmpl-[0-9a-z]{1,60}$/;

/** One claim of the answer that names the source, with the words of the source it rests on. */
const EvidenceQuote = z.object({
  /** Which of the answers, where several were asked for. */
  choice_index: z.number(),
  claim: z.string(),
  /** Exactly as the document had them; null where the source says too little of it or no quotes were asked for. */
  text: z.string().nullable(),
  /** In the document's text, in UTF-16 code units, the end excluded. */
  char_start: z.number().nullable(),
  char_end: z.number().nullable(),
  permalink: z.string().nullable(),
  /** How far this source alone supports the claim; null with `verify: "off"`. */
  verdict: Verdict.nullable(),
  score: z.number().nullable(),
  reason: z.string().nullable(),
  method: Judged.shape.method.nullable(),
});
export type EvidenceQuote = z.infer<typeof EvidenceQuote>;

/** One source that the model was given, as it stood when it answered. */
export const Evidence = z.object({
  /** The number in the text. */
  citation_id: z.number(),
  scope: KnowledgeScope,
  document_id: z.string(),
  title: z.string(),
  source_type: z.string(),
  url: z.string().nullable(),
  published_at: z.string().nullable(),
  /** The document's content hash in hex: SHA-256. Null where the passage was gone when the answer was kept. */
  document_version: z.string().nullable(),
  chunk_id: z.string(),
  /** SHA-256 of the passage's text in UTF-8, in hex. */
  chunk_hash: z.string(),
  /** Where the passage stands in the document's text, in UTF-16 code units, the end excluded. */
  char_start: z.number(),
  char_end: z.number(),
  page: z.number().nullable(),
  page_end: z.number().nullable(),
  section: z.string().nullable(),
  excerpt: z.string(),
  /** Opens the document in the console at the passage. */
  permalink: z.string(),
  /** One for each marker that names the source; none for a source that was not cited. */
  quotes: z.array(EvidenceQuote),
});
export type Evidence = z.infer<typeof Evidence>;

/** An answer of `store: true` as a list shows it: the object that was answered, and what was attached to it. */
export const ListedCompletion = ChatCompletion.extend({
  metadata: z.record(z.string(), z.string()),
  /** The request that made it: `x-request-id` of its answer. */
  request_id: z.string(),
  /** Without what it cost, once its usage record is no longer kept. */
  usage: ChatCompletion.shape.usage.partial({ cost_usd: true }),
});
export type ListedCompletion = z.infer<typeof ListedCompletion>;

/** The same with the evidence it rests on, which does not change any more. */
export const StoredCompletion = ListedCompletion.extend({ evidence: z.array(Evidence) });
export type StoredCompletion = z.infer<typeof StoredCompletion>;

/** A message of the request. Content in parts stands in `content_parts`, and `content` is null. */
export const StoredMessage = z.looseObject({
  id: z.string(),
  role: z.string(),
  content: z.string().nullable(),
  name: z.string().nullable(),
  content_parts: z.array(z.looseObject({ type: z.string() })).nullable(),
});
export type StoredMessage = z.infer<typeof StoredMessage>;

export const CompletionParams = z.object({ completion_id: z.string() });

const pageBounds = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(["asc", "desc"]).default("asc"),
};

/** `metadata[name]=value`, as the stock clients write it, becomes `metadata: {name: value}`. */
export const ListStored = z.preprocess(
  gatherMetadata,
  z.strictObject({
    /** The id that a page ended with. */
    after: z.string().regex(COMPLETION_ID, "expected the last_id of a page").optional(),
    ...pageBounds,
    model: z.string().max(200).optional(),
    /** Only answers that have all these pairs. */
    metadata: Metadata.optional(),
  }),
);
export type ListStored = z.output<typeof ListStored>;

function gatherMetadata(raw: unknown): unknown {
  const pairs: [string, unknown][] = [];
  const rest: [string, unknown][] = [];
  for (const [name, value] of Object.entries(raw ?? {})) {
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    if (key === undefined) {
      rest.push([name, value]);
    } else {
      pairs.push([key, value]);
    }
  }
  return {
    ...(pairs.length > 0 && { metadata: Object.fromEntries(pairs) }),
    ...Object.fromEntries(rest),
  };
}

export const ListMessages = z.strictObject({
  /** The id of a message of the same answer. */
  after: z.string().max(100).optional(),
  ...pageBounds,
});
export type ListMessages = z.output<typeof ListMessages>;

export const UpdateStored = z.strictObject({ metadata: Metadata.nullable() });
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

export const DeletedCompletion = z.object({
  id: z.string(),
  object: z.literal("chat.completion.deleted"),
  deleted: z.literal(true),
});
export type DeletedCompletion = z.infer<typeof DeletedCompletion>;

/** What a request's page in the console shows of its stored answer. */
export const StoredForConsole = z.discriminatedUnion("access", [
  z.object({
    access: z.literal("shown"),
    completion: StoredCompletion,
    messages: z.array(StoredMessage),
    stored_at: z.string(),
  }),
  /** It is tied to a person other than the member. */
  z.object({ access: z.literal("hidden"), completion_id: z.string(), stored_at: z.string() }),
]);
export type StoredForConsole = z.infer<typeof StoredForConsole>;
