import * as z from "zod";
import { storable } from "./storable";

/** Parts of an upload in their order, whose bytes are stored already. */
const StoredParts = z.object({
  uploadId: z.string(),
  parts: z.array(z.object({ id: z.string(), sizeBytes: z.number() })),
});
export type StoredParts = z.infer<typeof StoredParts>;

/** A file as it was received. */
export const UploadedFile = z.object({
  name: z.string().max(500).check(storable).nullable(),
  sizeBytes: z.number(),
  hash: z.instanceof(Uint8Array).describe("SHA-256 of the bytes."),
  head: z.instanceof(Uint8Array).describe("The first bytes."),
  content: z.union([z.instanceof(Uint8Array), StoredParts]),
});
export type UploadedFile = z.infer<typeof UploadedFile>;

/** The field of a form, as the route has read it. */
export const FileField = z
  .unknown()
  .optional()
  .meta({ type: "string", format: "binary", description: "The document. Or send `text`." })
  .pipe(UploadedFile);
