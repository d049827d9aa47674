import * as z from "zod";

/** One message of JSON-RPC, which the protocol's library validates. A list of several would count as one request. */
export const McpMessage = z.looseObject(
  { method: z.string().optional() },
  { error: "expected one JSON-RPC message" },
);
export type McpMessage = z.output<typeof McpMessage>;

/** FoundList and FetchedText have the shapes that ChatGPT's and Claude's connectors require. */
export const FoundList = z.object({
  results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
});
export type FoundList = z.infer<typeof FoundList>;

export const FetchedText = z.object({
  ...{ id: z.string(), title: z.string(), text: z.string(), url: z.string() },
  metadata: z.record(z.string(), z.unknown()),
});
export type FetchedText = z.infer<typeof FetchedText>;

export const VerifyInput = z.object({
  text: z.string().describe("The text to check. With `sources`, markers such as [1] name them."),
  sources: z
    .array(
      z.union([
        z.object({ text: z.string(), title: z.string().optional(), url: z.string().optional() }),
        z.object({ chunk_id: z.string().describe("The id of a search result.") }),
      ]),
    )
    .optional()
    .describe("What the markers refer to, by position. Left out: search for every sentence."),
  question: z.string().optional().describe("The question that the text answers."),
});
export type VerifyInput = z.output<typeof VerifyInput>;
