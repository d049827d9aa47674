import "server-only";

import { ChatRequest } from "@/lib/answers/chat/schema";
import { completeUnmetered, searchUnmetered } from "@/lib/answers/chat/write/unmetered";
import { newId } from "@/lib/id";
import type { Passage } from "@/lib/library/retrieval/read/passages";
import { embeddedModel } from "@/lib/models/catalogue";
import { microsToUsd } from "@/lib/money/billing/money";
import { searchCost } from "@/lib/money/billing/rates";
import { INTERNAL_KEY, type KeyContext } from "@/lib/platform/auth/context";
import { type Expected, rankFound, relevantOf, targetOf } from "./expected";
import { ndcg, recall } from "./measures";
import type { Question } from "./parse-questions";
import type { AnswerOutcome, Expectation, QuestionResult, Settings } from "./schema";

interface Evaluated {
  passages: readonly Passage[];
  /** What was searched for. */
  query: string | null;
  costUsd: string;
  answer: AnswerOutcome | null;
  /** The indexes of the cited passages. */
  cited: ReadonlySet<number>;
}

const ANSWERED = ["yes", "partly", "no", "unknown"];
const VERDICTS = ["supported", "partial", "unsupported", "contradicted", "unjudged"];

/** Whose documents are searched, as a key of that account would search them. */
export function evaluationContext(
  settings: Settings,
  signal: AbortSignal,
  ownerId: string,
): KeyContext {
  return {
    account: { id: settings.account ?? ownerId },
    actor: {
      ...INTERNAL_KEY,
      id: "key_evaluation",
      knowledgeScopes: settings.sources,
      models: [settings.model ?? embeddedModel().id],
      personId: settings.person,
      queryMode: settings.query,
    },
    requestId: newId("request"),
    signal,
  };
}

/** Asks one question as a request would. Throws as the search and the model do. */
export async function evaluateQuestion(
  ctx: KeyContext,
  settings: Settings,
  { question, expected }: { question: Question; expected: Expected },
): Promise<QuestionResult> {
  const startedAt = performance.now();
  const request = requestOf(settings, question);
  const { passages, query, costUsd, answer, cited } =
    settings.model === null
      ? await searchOnly(ctx, request)
      : await complete(ctx, request, settings);
  const latencyMs = Math.round(performance.now() - startedAt);
  const sources = passages.map((passage, index) => ({
    document_id: passage.documentId,
    chunk_id: passage.chunkId,
    title: passage.title,
    similarity: passage.similarity,
    is_expected: targetOf(passage, expected) !== null,
    is_cited: cited.has(index),
  }));
  const relevant = relevantOf(expected);
  const ranking = rankFound(passages, expected);
  const score = (measure: typeof ndcg) =>
    relevant.size > 0 ? measure(ranking, relevant, settings.top_k) : null;
  return {
    ...toAsked(question),
    searched_for: query,
    sources,
    recall: score(recall),
    ndcg: score(ndcg),
    answer: answer && {
      ...answer,
      cites_expected:
        relevant.size > 0
          ? sources.some(({ is_expected, is_cited }) => is_expected && is_cited)
          : null,
    },
    cost_usd: costUsd,
    latency_ms: latencyMs,
  };
}

/** The part of a question that a result repeats, so that two runs can be matched. */
export function toAsked({ id, question, turns, documents, quote, shouldAbstain }: Question) {
  const expected: Expectation = { documents, quote, should_abstain: shouldAbstain };
  return { id, question, turns, expected };
}

function requestOf(settings: Settings, { question, turns, sources }: Question): ChatRequest {
  return ChatRequest.parse({
    model: settings.model ?? embeddedModel().id,
    messages: [...turns, { role: "user", content: question }],
    citations: {
      enabled: true,
      required: true,
      sources: sources ?? settings.sources,
      top_k: settings.top_k,
      min_score: settings.min_score,
      context: settings.context,
      source_types: settings.source_types ?? undefined,
      verify: settings.verify,
      query: settings.query,
    },
  });
}

async function searchOnly(ctx: KeyContext, request: ChatRequest): Promise<Evaluated> {
  const found = await searchUnmetered(ctx, request);
  const passages = found?.passages ?? [];
  return {
    passages,
    query: found?.retrieval.query ?? null,
    costUsd: microsToUsd(searchCost()),
    answer: null,
    cited: new Set(),
  };
}

async function complete(
  ctx: KeyContext,
  request: ChatRequest,
  { verify }: Settings,
): Promise<Evaluated> {
  const { completion, passages } = await completeUnmetered(ctx, request);
  const message = completion.choices[0]?.message;
  const cited = new Set(
    (message?.annotations ?? []).flatMap(({ url_citation: { citation_id, claim } }) => {
      const passage = passages[citation_id - 1];
      return passage && !isNameOf(passage, claim.text) ? [citation_id - 1] : [];
    }),
  );
  const counts: Record<string, unknown> = message?.verification ?? {};
  const answer: AnswerOutcome = {
    text: message?.content ?? "",
    is_abstention: cited.size === 0,
    cites_expected: null,
    verdicts: verify === "off" ? null : countsOf(counts),
    addressed: ANSWERED.find((value) => value === counts.answered) ?? null,
    warnings: (completion.warnings ?? []).map(({ code }) => code),
    prompt_tokens: completion.usage.prompt_tokens,
    completion_tokens: completion.usage.completion_tokens,
  };
  const query = completion.retrieval?.query ?? null;
  return { passages, query, costUsd: completion.usage.cost_usd, answer, cited };
}

/** Whether a cited text only names its source, as the built-in model does when it has no answer. */
export function isNameOf({ title, headings }: Pick<Passage, "title" | "headings">, text: string) {
  const names = [title, ...headings].map(wordsOf);
  const parts = text
    .replaceAll(/\[\d+\]/g, "")
    .split("›")
    .map(wordsOf);
  return parts.every((part) => part !== "" && names.some((name) => name.startsWith(part)));
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function countsOf(counts: Record<string, unknown>): Record<string, number> {
  return Object.fromEntries(
    VERDICTS.flatMap((verdict) => {
      const count = counts[verdict];
      return typeof count === "number" ? [[verdict, count]] : [];
    }),
  );
}
