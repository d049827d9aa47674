import * as z from "zod";
import { FoundPassage, SearchBounds } from "@/lib/retrieval/schema";

/** The `citations` object of a chat completion request. */
export const CitationsRequest = z.strictObject({
  enabled: z.boolean().default(false),
  /** True: the request fails when retrieval cannot run. */
  required: z.boolean().default(false),
  ...SearchBounds,
});
export type CitationsRequest = z.output<typeof CitationsRequest>;

/** One numbered source of an answer; `id` is the number in the text and in the prompt. */
export const Citation = FoundPassage.extend({ id: z.number() });
export type Citation = z.infer<typeof Citation>;

/** OpenAI's annotation form. Indexes are Unicode code points of the answer, the end excluded. */
export const UrlCitation = z.object({
  type: z.literal("url_citation"),
  url_citation: z.object({
    start_index: z.number(),
    end_index: z.number(),
    title: z.string(),
    url: z.string(),
    /** The citation that the marker names. */
    citation_id: z.number(),
    /** The words of the answer that the marker stands for, and where they are. */
    claim: z.object({ start_index: z.number(), end_index: z.number(), text: z.string() }),
  }),
});
export type UrlCitation = z.infer<typeof UrlCitation>;

export const Warning = z.object({ code: z.string(), message: z.string() });
export type Warning = z.infer<typeof Warning>;
