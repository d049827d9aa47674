import * as z from "zod";
import { OPENAI_LIST, openAIPageOf } from "@/lib/platform/http/list-page";
import { FileField } from "./uploaded-file";

const Purpose = z.enum(["assistants", "user_data"], { error: "expected assistants or user_data" });

const scope = z
  .string({ error: "expected customer_kb or personal_kb" })
  .optional()
  .describe("`customer_kb` or `personal_kb`; by default the one that the key can write to.");

export const CreateFile = z.strictObject({
  file: FileField,
  purpose: Purpose.describe("Returned with the file; both are treated alike."),
  scope,
});
export type CreateFile = z.output<typeof CreateFile>;

export const FileParams = z.object({
  file_id: z.string().max(100).describe("The id of a file, which is also a document's."),
});

export const ListFiles = z.strictObject({
  ...OPENAI_LIST,
  limit: OPENAI_LIST.limit.default(100),
  purpose: Purpose.optional().describe("Only files of this purpose."),
});
export type ListFiles = z.output<typeof ListFiles>;

export const FileObject = z.object({
  id: z.string().describe("Also the id of its document."),
  object: z.literal("file"),
  bytes: z.number(),
  created_at: z.number().describe("In seconds since 1970."),
  filename: z.string(),
  purpose: z.string(),
  status: z
    .enum(["uploaded", "processed", "error"])
    .describe("`uploaded` while it is being indexed; `error` if that failed."),
  status_details: z.string().optional().describe("Why it can't be indexed."),
});
export type FileObject = z.infer<typeof FileObject>;

export const FilePage = openAIPageOf(FileObject);
export type FilePage = z.infer<typeof FilePage>;

export const DeletedFile = z.object({
  id: z.string(),
  object: z.literal("file"),
  deleted: z.literal(true),
});
export type DeletedFile = z.infer<typeof DeletedFile>;
