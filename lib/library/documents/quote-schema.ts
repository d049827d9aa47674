import * as z from "zod";
import { QuoteBoxes, QuoteCells } from "./page-schema";
import { QUOTE_REF } from "./quote-ref";

const NO_QUOTE_REF = "expected the 'quote' of a permalink, such as 120-260-0123456789ab";

/** `ref` is the `quote` of a permalink: the quote's place and hash. */
export const QuoteQuery = z.strictObject({
  ref: z
    .string({ error: NO_QUOTE_REF })
    .regex(QUOTE_REF, NO_QUOTE_REF)
    .describe("The `quote` of a permalink, such as `120-260-0123456789ab`."),
});

/** A permalink's quote in the current text. All but `status` are null if it isn't there. */
export const KbQuote = z.object({
  object: z.literal("kb.quote"),
  document_id: z.string(),
  status: z
    .enum(["current", "moved", "changed", "deleted"])
    .describe(
      "`moved`: elsewhere in a newer text; `changed`: no longer in the text; `deleted`: the document is gone.",
    ),
  text: z.string().nullable(),
  char_start: z
    .number()
    .nullable()
    .describe("In UTF-16 units of the document's text, excluding the end."),
  char_end: z.number().nullable(),
  page: z
    .number()
    .nullable()
    .describe("The page on which it begins; null in a format without pages."),
  boxes: QuoteBoxes,
  cells: QuoteCells,
  section: z.string().nullable().describe("The headings above it."),
  before: z.string().nullable().describe("About 200 characters around it, cut at words."),
  after: z.string().nullable(),
});
export type KbQuote = z.infer<typeof KbQuote>;
