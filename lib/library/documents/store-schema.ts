import * as z from "zod";
import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { OPENAI_LIST, openAIPageOf } from "@/lib/platform/http/list-page";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";
import { isReservedName } from "./schema";
import { storable } from "./storable";

/** Of one request. Each file is queued and paid for by itself. */
export const MAX_BATCH = 500;
const MAX_PAIRS = 16;
/** As many as an account can have. */
const MAX_CHANGED_STORES = 1000;

const text = (max: number) => z.string().max(max).check(storable);

function pairs<T extends z.ZodType>(value: T) {
  return z
    .record(text(64).min(1), value)
    .refine((all) => Object.keys(all).length <= MAX_PAIRS, `use at most ${MAX_PAIRS} names`);
}

const Pairs = pairs(text(512));

const attributes = pairs(z.union([text(512), z.number(), z.boolean()])).refine(
  (all) => !Object.keys(all).some(isReservedName),
  "one of its names is reserved for what search results add, such as url and page",
);

const FileId = z.string({ error: "expected the id of a file" }).min(1).max(100).check(storable);

const ChunkingStrategy = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("auto") }),
    z.object({
      type: z.literal("static"),
      static: z.object({
        max_chunk_size_tokens: z.int().min(100).max(4096),
        chunk_overlap_tokens: z.int().min(0).max(2048),
      }),
    }),
  ])
  .describe("`auto`, or a `static` size that is no smaller than the passages of this server.");
export type ChunkingStrategy = z.output<typeof ChunkingStrategy>;

const ExpiresAfter = z.object({
  anchor: z.literal("last_active_at"),
  days: z.int().min(1).max(365),
});

const StoreFields = {
  name: text(256),
  metadata: Pairs.optional().describe(`Up to ${MAX_PAIRS} texts of your own.`),
  expires_after: ExpiresAfter.optional().describe("When it was last searched or added to."),
};

const newFile = {
  attributes: attributes
    .optional()
    .describe("The document's metadata, which all of its stores share. Replaces what it had."),
  chunking_strategy: ChunkingStrategy.optional(),
};

const FileIds = z
  .array(FileId)
  .max(MAX_BATCH, `add at most ${MAX_BATCH} files in one request`)
  .optional();

export const CreateVectorStore = nullsAbsent(
  z.strictObject({
    ...StoreFields,
    name: StoreFields.name.default(""),
    description: text(512).default(""),
    file_ids: FileIds.describe("Files to add, as adding each of them does."),
    chunking_strategy: ChunkingStrategy.optional(),
    scope: z
      .string({ error: "expected customer_kb or personal_kb" })
      .optional()
      .describe("`customer_kb` or `personal_kb`; by default the one that the key can write to."),
  }),
);
export type CreateVectorStore = z.output<typeof CreateVectorStore>;

export const UpdateVectorStore = z.strictObject({
  name: StoreFields.name.nullish(),
  metadata: Pairs.nullish().describe("Replaces all of it."),
  expires_after: ExpiresAfter.nullish().describe("Null: it never expires."),
});
export type UpdateVectorStore = z.output<typeof UpdateVectorStore>;

const storeId = z
  .string()
  .max(100)
  .describe("A store's id, or `public_kb`, `customer_kb` or `personal_kb`.");
export const StoreParams = z.object({ vector_store_id: storeId });
export const StoreFileParams = z.object({
  vector_store_id: storeId,
  file_id: z.string().max(100).describe("The id of a file in the store."),
});
export const BatchParams = z.object({
  vector_store_id: storeId,
  batch_id: z.string().max(100).describe("The id of a batch of the store."),
});

export const ListVectorStores = z.strictObject(OPENAI_LIST);
export type ListVectorStores = z.output<typeof ListVectorStores>;

const StoreFileStatus = z.enum(["in_progress", "completed", "cancelled", "failed"]);

export const ListStoreFiles = z.strictObject({
  ...OPENAI_LIST,
  filter: StoreFileStatus.optional().describe("Only files of this status."),
});
export type ListStoreFiles = z.output<typeof ListStoreFiles>;

const FileCounts = z.object({
  in_progress: z.number(),
  completed: z.number(),
  failed: z.number(),
  cancelled: z.number(),
  total: z.number(),
});
export type FileCounts = z.infer<typeof FileCounts>;

export const VectorStore = z.object({
  id: z.string(),
  object: z.literal("vector_store"),
  created_at: z
    .number()
    .describe("In seconds since 1970; 0 for a knowledge base without documents."),
  name: z.string(),
  description: z.string(),
  scope: KnowledgeScope.describe("The knowledge base that its documents are in."),
  usage_bytes: z.number().describe("Of its files as they were uploaded."),
  file_counts: FileCounts,
  status: z
    .enum(["expired", "in_progress", "completed"])
    .describe("An expired store can't be searched; its documents stay."),
  expires_after: ExpiresAfter.nullable(),
  expires_at: z.number().nullable(),
  last_active_at: z.number().nullable(),
  metadata: z.record(z.string(), z.string()),
});
export type VectorStore = z.infer<typeof VectorStore>;

export const VectorStorePage = openAIPageOf(VectorStore);
export type VectorStorePage = z.infer<typeof VectorStorePage>;

/** A store in the console, with the keys that are bound to it. */
export const LibraryStore = VectorStore.extend({
  keys: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type LibraryStore = z.infer<typeof LibraryStore>;

export const LibraryStoreList = z.object({
  object: z.literal("list"),
  data: z.array(LibraryStore),
});
export type LibraryStoreList = z.infer<typeof LibraryStoreList>;

const storeIds = z.array(z.string().max(100)).max(MAX_CHANGED_STORES).default([]);

/** Stores that documents are added to, and others that they are removed from. */
export const ChangeMembership = z.strictObject({
  ids: z.array(FileId).min(1).max(MAX_BATCH),
  add: storeIds,
  remove: storeIds,
});
export type ChangeMembership = z.input<typeof ChangeMembership>;

export const ChangedMembership = z.object({ object: z.literal("list"), data: z.array(z.string()) });
export type ChangedMembership = z.infer<typeof ChangedMembership>;

export const DeletedVectorStore = z.object({
  id: z.string(),
  object: z.literal("vector_store.deleted"),
  deleted: z.literal(true),
});
export type DeletedVectorStore = z.infer<typeof DeletedVectorStore>;

export const AddStoreFile = nullsAbsent(z.strictObject({ file_id: FileId, ...newFile }));
export type AddStoreFile = z.output<typeof AddStoreFile>;

export const UpdateStoreFile = z.strictObject({
  attributes: attributes.nullable().describe("Replaces the document's metadata; null removes it."),
});
export type UpdateStoreFile = z.output<typeof UpdateStoreFile>;

export const VectorStoreFile = z.object({
  id: z.string(),
  object: z.literal("vector_store.file"),
  created_at: z.number().describe("When it was added."),
  vector_store_id: z.string(),
  status: StoreFileStatus,
  last_error: z
    .object({
      code: z.enum(["server_error", "unsupported_file", "invalid_file"]),
      message: z.string(),
    })
    .nullable(),
  usage_bytes: z.number(),
  attributes: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe("The texts, numbers and booleans of the document's metadata."),
  chunking_strategy: z.object({ type: z.literal("other") }),
});
export type VectorStoreFile = z.infer<typeof VectorStoreFile>;

export const VectorStoreFilePage = openAIPageOf(VectorStoreFile);
export type VectorStoreFilePage = z.infer<typeof VectorStoreFilePage>;

export const RemovedStoreFile = z.object({
  id: z.string(),
  object: z.literal("vector_store.file.deleted"),
  deleted: z.literal(true),
});
export type RemovedStoreFile = z.infer<typeof RemovedStoreFile>;

export const VectorStoreFileContent = z.object({
  object: z.literal("vector_store.file_content.page"),
  data: z.array(z.object({ type: z.literal("text"), text: z.string() })),
  has_more: z
    .boolean()
    .describe(
      "Whether the text is longer than one answer: read the rest from the document's text.",
    ),
  next_page: z.null(),
});
export type VectorStoreFileContent = z.infer<typeof VectorStoreFileContent>;

export const CreateFileBatch = nullsAbsent(
  z.strictObject({
    ...newFile,
    file_ids: FileIds.describe("Files to add, all with the batch's `attributes`."),
    files: z
      .array(nullsAbsent(z.strictObject({ file_id: FileId, ...newFile })))
      .max(MAX_BATCH, `add at most ${MAX_BATCH} files in one request`)
      .optional()
      .describe("Files to add, each with its own `attributes`, in place of `file_ids`."),
  }),
);
export type CreateFileBatch = z.output<typeof CreateFileBatch>;

export const VectorStoreFileBatch = z.object({
  id: z.string(),
  object: z.literal("vector_store.files_batch"),
  created_at: z.number(),
  vector_store_id: z.string(),
  status: z.enum(["in_progress", "completed", "cancelled"]),
  file_counts: FileCounts.describe("Of its files that are still in the store."),
});
export type VectorStoreFileBatch = z.infer<typeof VectorStoreFileBatch>;
