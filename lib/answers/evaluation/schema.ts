import * as z from "zod";
import { SearchBounds } from "@/lib/library/retrieval/schema";
import { KnowledgeScope, QueryMode } from "@/lib/platform/auth/schema";

/** What a run was asked to do. A run continues, and two runs compare cleanly, only with the same settings. */
export const Settings = z.object({
  /** SHA-256 of the question file. */
  questions: z.string(),
  sources: z.array(KnowledgeScope),
  account: z.string().nullable(),
  person: z.string().nullable(),
  /** Null when only searches are evaluated. */
  model: z.string().nullable(),
  verify: z.enum(["off", "rules", "model"]),
  query: QueryMode,
  top_k: SearchBounds.top_k,
  min_score: SearchBounds.min_score,
  context: z.enum(["passage", "section"]).default("passage"),
  source_types: z.array(z.string()).nullable(),
  concurrency: z.number(),
});
export type Settings = z.infer<typeof Settings>;

/** What answered: code, index and documents. */
const Versions = z.object({
  footnote: z.string(),
  lexicon: z.string(),
  /** The embedding space; null when words alone are searched. */
  embedding: z.string().nullable(),
  /** The reranker's model, or else its host; null without one. */
  reranker: z.string().nullable().default(null),
  rerank_timeout_ms: z.number().nullable().default(null),
  /** The model's id at its upstream; null for the built-in model. */
  upstream_model: z.string().nullable(),
  verify_model: z.string().nullable(),
  rewrite_model: z.string().nullable(),
  documents: z.number(),
  chunks: z.number(),
});

/** The first line of an output file. */
export const RunHeader = z.object({
  object: z.literal("evaluation"),
  started_at: z.string(),
  settings: Settings,
  versions: Versions,
});
export type RunHeader = z.infer<typeof RunHeader>;

/** What a question expects, as its file says it. */
export const Expectation = z.object({
  documents: z.array(z.string()),
  quote: z.string().nullable(),
  should_abstain: z.boolean(),
});
export type Expectation = z.infer<typeof Expectation>;

const FoundSource = z.object({
  document_id: z.string(),
  chunk_id: z.string(),
  title: z.string(),
  similarity: z.number(),
  /** Whether the question expects it. */
  is_expected: z.boolean(),
  is_cited: z.boolean(),
});

/** What an answer came to. */
export const AnswerOutcome = z.object({
  text: z.string(),
  /** It cites no source, or only names those that come closest. */
  is_abstention: z.boolean(),
  /** It cites an expected source; null when the question expects none. */
  cites_expected: z.boolean().nullable(),
  /** Cited sentences by verdict; null when nothing was judged. */
  verdicts: z.record(z.string(), z.number()).nullable(),
  /** Whether the cited sentences address the question; null when it wasn't judged. */
  addressed: z.string().nullable(),
  warnings: z.array(z.string()),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
});
export type AnswerOutcome = z.infer<typeof AnswerOutcome>;

const Asked = {
  id: z.string(),
  question: z.string(),
  turns: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.string() })),
  expected: Expectation,
};

/** A question that ran through. */
export const QuestionResult = z.object({
  ...Asked,
  /** The query that was made of the question. */
  searched_for: z.string().nullable(),
  /** Best first. */
  sources: z.array(FoundSource),
  /** Null for a question that should not be answered. */
  recall: z.number().nullable(),
  ndcg: z.number().nullable(),
  /** Null when only searches are evaluated. */
  answer: AnswerOutcome.nullable(),
  /** At the configured rates. Nobody was charged it. */
  cost_usd: z.string(),
  latency_ms: z.number(),
});
export type QuestionResult = z.infer<typeof QuestionResult>;

/** A question that failed, which the next run asks again. */
const QuestionFailure = z.object({
  ...Asked,
  error: z.object({ code: z.string(), message: z.string() }),
});

/** A line of an output file after the first. */
export const RunLine = z.union([QuestionFailure, QuestionResult]);
export type RunLine = z.infer<typeof RunLine>;
