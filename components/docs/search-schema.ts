import * as z from "zod";

const DocHit = z.object({
  url: z.string().describe("The page's path, with the section's anchor."),
  page: z.string().describe("The page's name."),
  section: z.string().nullable().describe("The section's heading; null for the page itself."),
  excerpt: z.string().nullable().describe("The words found; null if the heading is the match."),
});
export type DocHit = z.infer<typeof DocHit>;

/** What a search of the documentation finds, best first. */
export const DocHits = z.object({ data: z.array(DocHit) });
