import { readFile } from "node:fs/promises";
import { evaluationContext } from "@/lib/answers/evaluation/evaluate";
import type { Problem, Question } from "@/lib/answers/evaluation/parse-questions";
import type { RunHeader, Settings } from "@/lib/answers/evaluation/schema";
import { requestedCollections } from "@/lib/library/documents/collections";
import {
  type CollectionSize,
  findReferenced,
  measureCollections,
} from "@/lib/library/documents/read/references";
import { embeddedModel, findModel, listModels, type Model } from "@/lib/models/catalogue";
import { embedder } from "@/lib/models/embedding";
import type { KeyContext } from "@/lib/platform/auth/context";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import type { KnowledgeScope, QueryMode } from "@/lib/platform/auth/schema";
import { env } from "@/lib/platform/env";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import { UsageError } from "../../command/run";

export interface EvaluateOptions {
  file: string;
  format: "csv" | "jsonl";
  sources: KnowledgeScope[];
  account: string | null;
  person: string | null;
  /** Null: the built-in model. */
  model: string | null;
  isAnswering: boolean;
  verify: "off" | "rules" | "model";
  query: QueryMode;
  topK: number;
  minScore: number;
  context: "passage" | "section";
  sourceTypes: string[] | null;
  concurrency: number;
  output: string | null;
  /** The output of an earlier run. */
  compare: string | null;
  limit: number | null;
}

export interface PreparedRun {
  ctx: KeyContext;
  header: RunHeader;
  /** The documents that each reference names. */
  named: ReadonlyMap<string, readonly string[]>;
  problems: Problem[];
  /** For the operator to know before the figures. */
  notices: string[];
}

interface Input {
  questions: readonly Question[];
  sha256: string;
  signal: AbortSignal;
}

/** Checks the model, the stores and the expected documents, and records what will answer. Throws a sentence. */
export async function prepareRun(
  options: EvaluateOptions,
  { questions, sha256, signal }: Input,
): Promise<PreparedRun> {
  const model = requireModel(options);
  const settings: Settings = {
    questions: sha256,
    sources: options.sources,
    account: options.account,
    person: options.person,
    model: model?.id ?? null,
    ...{ verify: options.verify, query: options.query },
    top_k: options.topK,
    min_score: options.minScore,
    context: options.context,
    source_types: options.sourceTypes,
    concurrency: options.concurrency,
  };
  const ctx = evaluationContext(settings, signal, PUBLIC_ACCOUNT_ID);
  const collections = requestedCollections(ctx, settings.sources, "sources");
  const sizes = await measureCollections(collections);
  const missing = collections.find(({ id }) => !sizes.some((size) => size.id === id));
  if (missing) {
    throw new UsageError(
      `${missing.id} has no documents. Check --account and --person, and see npm run kb -- list.`,
    );
  }
  const named = await findReferenced(
    collections,
    questions.flatMap(({ documents }) => documents),
  );
  return {
    ctx,
    header: {
      object: "evaluation",
      started_at: new Date().toISOString(),
      settings,
      versions: await readVersions(settings, { model, sizes, signal }),
    },
    named,
    problems: questions.flatMap((question) => problemsOf(question, settings, named)),
    notices: staleNotice(sizes),
  };
}

/** Null when only searches are evaluated. */
function requireModel({ isAnswering, model: id, verify }: EvaluateOptions): Model | null {
  if (!isAnswering) {
    return null;
  }
  const model = id === null ? embeddedModel() : findModel(id);
  if (!model) {
    const known = listModels().map((each) => each.id);
    throw new UsageError(`MODELS has no ${id}. Use one of: ${known.join(", ")}.`);
  }
  if (verify === "model" && !env.VERIFY_MODEL && !env.VERIFY_URL) {
    throw new UsageError("--verify model needs VERIFY_MODEL to name a model, or VERIFY_URL.");
  }
  return model;
}

async function readVersions(
  { verify, query }: Settings,
  { model, sizes, signal }: { model: Model | null; sizes: CollectionSize[]; signal: AbortSignal },
): Promise<RunHeader["versions"]> {
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  const sum = (of: (size: CollectionSize) => number) =>
    sizes.reduce((total, size) => total + of(size), 0);
  return {
    footnote: String(version),
    lexicon: LEXICON_VERSION,
    embedding: (await embedder(signal))?.space ?? null,
    ...rerankerVersion(),
    upstream_model: model?.upstream?.model ?? null,
    verify_model: model && verify === "model" ? (env.VERIFY_MODEL ?? env.VERIFY_URL ?? null) : null,
    rewrite_model: query === "conversation" ? (env.REWRITE_MODEL ?? null) : null,
    documents: sum(({ documents }) => documents),
    chunks: sum(({ chunks }) => chunks),
  };
}

function rerankerVersion(): Pick<RunHeader["versions"], "reranker" | "rerank_timeout_ms"> {
  const { RERANK_URL, RERANK_MODEL, RERANK_TIMEOUT_MS } = env;
  return RERANK_URL
    ? { reranker: RERANK_MODEL ?? new URL(RERANK_URL).host, rerank_timeout_ms: RERANK_TIMEOUT_MS }
    : { reranker: null, rerank_timeout_ms: null };
}

function problemsOf(
  { line, documents, sources }: Question,
  settings: Settings,
  named: ReadonlyMap<string, readonly string[]>,
): Problem[] {
  const searched = settings.sources.join(", ");
  const unknown = documents.filter((reference) => !named.has(reference));
  const notSearched = (sources ?? []).filter((scope) => !settings.sources.includes(scope));
  return [
    ...unknown.map((reference) => ({
      line,
      message: `document: nothing in ${searched} has the id, URL or title ${JSON.stringify(reference)}`,
    })),
    ...notSearched.map((scope) => ({
      line,
      message: `sources: ${scope} isn't among --sources ${searched}`,
    })),
  ];
}

function staleNotice(sizes: readonly CollectionSize[]): string[] {
  const stale = sizes.reduce((total, { chunks, current }) => total + chunks - current, 0);
  return stale > 0
    ? [
        `${stale} chunks were indexed by an older version. Run npm run kb -- reembed first to measure this one.`,
      ]
    : [];
}
