import * as z from "zod";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";
import type { ReceivedFile } from "@/lib/reading/receive/form-parser";
import { AcceptedDocument, UploadDocument } from "./schema";
import { storable } from "./storable";

/** Of one upload. */
export const MAX_PARTS = 1000;

export const CreateUpload = nullsAbsent(
  z.strictObject({
    bytes: z.int().min(1).describe("The size of the whole file, which its parts must add up to."),
    filename: z
      .string()
      .min(1)
      .max(500)
      .check(storable)
      .describe("Its extension helps to tell the format."),
    mime_type: z
      .string()
      .max(255)
      .optional()
      .describe("Accepted for compatibility: the format is recognized from the bytes."),
    purpose: z
      .enum(["assistants", "user_data"], { error: "expected assistants or user_data" })
      .default("user_data")
      .describe("Accepted for compatibility, and returned."),
  }),
);
export type CreateUpload = z.output<typeof CreateUpload>;

const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`), `expected ${digits} hexadecimal digits`)
    .transform((value) => value.toLowerCase());

export const AddPart = z.strictObject({
  data: z
    .custom<{ file: ReceivedFile; finish: (number: number | null) => Promise<void>; id: string }>(
      (value) => value !== undefined,
    )
    .meta({ type: "string", format: "binary", description: "The bytes of the part." }),
  part_number: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_PARTS)
    .optional()
    .describe(
      "Its place in the file, from 1. A part sent again with the same number replaces the first one.",
    ),
  sha256: hex(64)
    .optional()
    .describe("Of the part's bytes: if they arrive damaged, the part is rejected."),
});
export type AddPart = z.output<typeof AddPart>;

export const CompleteUpload = nullsAbsent(
  UploadDocument.omit({ file: true, text: true }).extend({
    scope: z
      .string({ error: "expected customer_kb or personal_kb" })
      .optional()
      .describe("`customer_kb` or `personal_kb`; by default the one that the key can write to."),
    part_ids: z
      .array(z.string().max(100))
      .min(1)
      .max(MAX_PARTS)
      .optional()
      .describe("The parts in their order; by default by `part_number`."),
    md5: hex(32).optional().describe("Of the whole file: if it differs, nothing is stored."),
    sha256: hex(64).optional().describe("Of the whole file, checked as `md5` is."),
  }),
);
export type CompleteUpload = z.output<typeof CompleteUpload>;

const Replaces = z
  .string()
  .max(100)
  .optional()
  .describe("The document that this becomes the next version of.");

const consoleFields = {
  replaces: Replaces,
  store: z.string().max(100).optional().describe("The vector store that it goes into."),
};

/** An upload from the console. */
export const ConsoleUpload = UploadDocument.extend(consoleFields);
export const CompleteConsoleUpload = UploadDocument.pick({ scope: true, ocr: true }).extend(
  consoleFields,
);

export const UploadPart = z.object({
  id: z.string(),
  object: z.literal("upload.part"),
  upload_id: z.string(),
  created_at: z.number().describe("In seconds since 1970."),
  part_number: z.number().nullable(),
  bytes: z.number(),
  sha256: z.string(),
});
export type UploadPart = z.infer<typeof UploadPart>;

export const Upload = z.object({
  id: z.string(),
  object: z.literal("upload"),
  bytes: z.number(),
  created_at: z.number().describe("In seconds since 1970."),
  expires_at: z
    .number()
    .describe("An hour later: parts of an upload that isn't completed by then are deleted."),
  filename: z.string(),
  purpose: z.string(),
  status: z.enum(["pending", "completed", "cancelled", "expired"]),
  parts: z
    .array(UploadPart)
    .describe("Those that have arrived, by number; none once it has ended."),
  file: z
    .object({
      id: z.string(),
      object: z.literal("file"),
      bytes: z.number(),
      created_at: z.number(),
      filename: z.string(),
      purpose: z.string(),
      status: z.literal("uploaded"),
    })
    .nullable()
    .describe("Once completed: OpenAI's shape of the document, whose id it has."),
  document: AcceptedDocument.nullable().describe("Once completed: the document and its job."),
});
export type Upload = z.infer<typeof Upload>;
