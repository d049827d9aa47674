import * as z from "zod";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";
import { ExternalId } from "./schema";

const MAX_DELETED = 1000;

/** The documents to delete: by id, or by the caller's own ids in one scope. */
export const DeleteDocuments = nullsAbsent(
  z
    .strictObject({
      ids: z.array(z.string().max(100)).max(MAX_DELETED).default([]).describe("Ids of documents."),
      scope: z
        .string()
        .optional()
        .describe("`customer_kb` or `personal_kb`; required with `external_ids`."),
      external_ids: z
        .array(ExternalId)
        .max(MAX_DELETED)
        .default([])
        .describe("Documents by your own ids."),
    })
    .refine(({ ids, external_ids }) => ids.length + external_ids.length > 0, {
      message: "name at least one document",
      path: ["ids"],
    })
    .refine(({ ids, external_ids }) => ids.length + external_ids.length <= MAX_DELETED, {
      message: `name at most ${MAX_DELETED.toLocaleString("en-US")} documents`,
      path: ["ids"],
    })
    .refine(({ external_ids, scope }) => external_ids.length === 0 || scope !== undefined, {
      message: "expected the scope of the external ids",
      path: ["scope"],
    })
    .meta({ minProperties: 1 }),
);
export type DeleteDocuments = z.output<typeof DeleteDocuments>;

export const DeletedDocuments = z.object({
  object: z.literal("list"),
  data: z
    .array(
      z.object({
        object: z.literal("kb.document"),
        id: z.string().nullable().describe("Null for an `external_id` that no document has."),
        external_id: z.string().nullable(),
        deleted: z.boolean(),
        error: z
          .object({ code: z.enum(["not_found", "not_processed"]), message: z.string() })
          .nullable()
          .describe("Why it wasn't deleted; the others were."),
      }),
    )
    .describe("One for each id, in the order of the request."),
});
export type DeletedDocuments = z.infer<typeof DeletedDocuments>;
