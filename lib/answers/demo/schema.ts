import * as z from "zod";
import { Citation, UrlCitation, Verification } from "@/lib/answers/citations/schema";

/** Longer than any question a visitor would type. */
export const MAX_DEMO_QUESTION = 300;

export const DemoQuestion = z.strictObject({
  question: z
    .string({ error: "expected a question" })
    .trim()
    .min(1, "write a question")
    .max(MAX_DEMO_QUESTION, `use at most ${MAX_DEMO_QUESTION} characters`),
});
export type DemoQuestion = z.infer<typeof DemoQuestion>;

/** An answer as the API gives it, without its accounting. */
export const DemoReply = z.object({
  object: z.literal("demo.answer"),
  question: z.string(),
  content: z.string(),
  annotations: z.array(UrlCitation),
  verification: Verification.nullable(),
  citations: z.array(Citation),
  /** Whether a script wrote it, wrong on purpose, instead of the built-in model. */
  is_scripted: z.boolean(),
});
export type DemoReply = z.infer<typeof DemoReply>;

export const DemoAnswer = DemoReply.extend({
  /** What is left today for the caller's address. */
  remaining: z.int(),
});
export type DemoAnswer = z.infer<typeof DemoAnswer>;
