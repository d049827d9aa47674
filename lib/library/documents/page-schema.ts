import * as z from "zod";

/** A part of a page as it is displayed, from 0 to 1 of its width and height; the origin is at the top left. */
export const QuoteBox = z.object({
  page: z.number().describe("From 1."),
  x0: z.number(),
  y0: z.number(),
  x1: z.number(),
  y1: z.number(),
});
export type QuoteBox = z.infer<typeof QuoteBox>;

/** One box for each line of a quote. */
export const QuoteBoxes = z
  .array(QuoteBox)
  .optional()
  .describe(
    "Where the words are on their pages, one box a line, from 0 to 1 of the page's width and height, from its top left; absent if that isn't known.",
  );

/** The `3.png` of a path as a number. */
export const PageParams = z.object({
  id: z.string().max(100).describe("The document's id."),
  page: z
    .string()
    .regex(/^[1-9]\d{0,5}\.png$/, "expected a page's number and .png, such as 3.png")
    .transform((name) => Number.parseInt(name, 10))
    .describe("The page's number, from 1, and `.png`."),
});
export type PageParams = z.output<typeof PageParams>;

const pageWidth = "expected a whole number from 64 to 2000";
export const PageQuery = z.strictObject({
  width: z.coerce
    .number({ error: pageWidth })
    .int(pageWidth)
    .min(64, pageWidth)
    .max(2000, pageWidth)
    .default(1000)
    .describe("Of the image, in pixels. A page more than twice as high as wide is drawn narrower."),
});
export type PageQuery = z.output<typeof PageQuery>;

/** The cells of quoted rows of a table. */
export const QuoteCells = z
  .array(z.object({ column: z.string(), text: z.string() }))
  .optional()
  .describe("Of rows of a table: each cell that isn't empty, with its column's name.");
