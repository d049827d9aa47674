import * as z from "zod";
import { Includable } from "./schema";

export const ResponseParams = z.object({
  response_id: z.string().describe("The `id` of a response that was stored."),
});

const NAME = Includable.options.map((name) => name.replaceAll(".", String.raw`\.`)).join("|");
const names = z.array(Includable).max(20);

/** What a list in a query is called by the stock clients, and by others. */
const included = {
  "include[]": names.optional().describe("Additional data to return, such as search results."),
  include: z
    .string()
    .meta({ pattern: `^(?:${NAME})(?:,(?:${NAME}))*$` })
    .transform((text) => text.split(","))
    .pipe(names)
    .optional()
    .describe("The same as `include[]`, with commas between several."),
};

export const GetResponse = z.strictObject({
  ...included,
  stream: z
    .literal("false", { error: "a stored response isn't streamed again" })
    .optional()
    .describe("Accepted for stock clients: a stored response isn't streamed again."),
});
export type GetResponse = z.output<typeof GetResponse>;

export const ListInputItems = z.strictObject({
  after: z.string().max(100).optional().describe("The `last_id` of a page."),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe("Entries per page."),
  order: z
    .enum(["asc", "desc"])
    .default("desc")
    .describe("By time: `desc` gives the newest first."),
  ...included,
});
export type ListInputItems = z.output<typeof ListInputItems>;
