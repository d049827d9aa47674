import * as z from "zod";
import { drawQuoteCard } from "@/components/documents/quote-card";
import { QUOTE_REF } from "@/lib/library/documents/quote-ref";
import { getPublicDocument } from "@/lib/library/documents/read/public";
import { cardReader } from "@/lib/library/documents/reading-limit";
import { IdParams } from "@/lib/library/documents/schema";
import { onlyGet } from "@/lib/platform/http/only-method";

/** The Open Graph image of a public source's quote. */
export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: cardReader,
  params: IdParams,
  query: z.strictObject({ quote: z.string().regex(QUOTE_REF) }),
  handle: async ({ params, query }) =>
    drawQuoteCard(await getPublicDocument(params.id, { ref: query.quote, from: 0 })),
});
