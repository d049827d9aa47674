import * as z from "zod";
import { QUOTE_REF } from "@/lib/library/documents/quote-ref";

const target = {
  request_id: z.string().max(100).optional().describe("The request of a stored answer."),
  document_id: z.string().max(100).optional(),
  /** A quote of the document, as in its permalink. */
  quote: z.string().regex(QUOTE_REF, "Copy it from a permalink unchanged.").optional(),
};

type Target = { [Name in keyof typeof target]?: string | undefined };

/** A stored answer, or a document with a quote. */
function isOneTarget({ request_id, document_id, quote }: Target): boolean {
  const isQuote = document_id !== undefined && quote !== undefined;
  const isPart = document_id !== undefined || quote !== undefined;
  return request_id === undefined ? isQuote : !isPart;
}
const ONE_TARGET = {
  path: ["request_id"],
  message: "Give 'request_id', or 'document_id' and 'quote'.",
};

export const FindLinks = z.strictObject(target).refine(isOneTarget, ONE_TARGET);
export type FindLinks = z.output<typeof FindLinks>;

export const CreateLink = z
  .strictObject({
    ...target,
    /** Null: until it is revoked. */
    expires_in_days: z.int().min(1).max(366).nullable().default(30),
  })
  .refine(isOneTarget, ONE_TARGET);
export type CreateLink = z.output<typeof CreateLink>;

export const LinkParams = z.object({ id: z.string().max(100) });

/** A link that shows an answer or a quote to anyone who has it. */
export const SharedLink = z.object({
  id: z.string(),
  object: z.literal("shared_link"),
  url: z.string(),
  created_by: z.string().describe("The member's name or email address."),
  created_at: z.string(),
  expires_at: z.string().nullable(),
});
export type SharedLink = z.infer<typeof SharedLink>;

export const LinkList = z.object({
  object: z.literal("list"),
  data: z.array(SharedLink),
  is_sharing_enabled: z.boolean().describe("While it is off, no link opens."),
});
export type LinkList = z.infer<typeof LinkList>;

export const LinkRevoked = z.object({ id: z.string(), deleted: z.literal(true) });
