import "server-only";

import pLimit from "p-limit";
import { VerifyRequest, type VerifyResult } from "@/lib/answers/chat/verify-schema";
import { verifyCitations } from "@/lib/answers/chat/write/verify";
import { invalidRequest } from "@/lib/errors";
import { answerSentences, mayBeClaim, type Sentence } from "@/lib/evidence/claims/answer-sentences";
import { MarkerNormalizer } from "@/lib/evidence/markers";
import { newId } from "@/lib/id";
import { SearchRequest, type SearchResult } from "@/lib/library/retrieval/schema";
import { searchKnowledge } from "@/lib/library/retrieval/write";
import { microsToUsd, usdToMicros } from "@/lib/money/billing/money";
import { requireScope } from "@/lib/platform/auth/api-key";
import type { KeyContext } from "@/lib/platform/auth/context";
import { type CitedText, toCitedText } from "./ask";
import type { VerifyInput } from "./schema";

/** With three passages each, there are fewer sources than a verification's limit. */
const MAX_SENTENCES = 16;
const PASSAGES = 3;
const CONCURRENT_SEARCHES = 4;
const CLOSING = /[.!?…。！？।]*$/u;

/**
 * Checks a text as `POST /v1/citations/verify` does and charges it: against the sources given, or each sentence against
 * what a search for it finds, whose price is added. Throws as both do.
 */
export async function verifyText(ctx: KeyContext, input: VerifyInput): Promise<CitedText> {
  if (input.sources) {
    return toCitedText(await verified(ctx, input));
  }
  requireScope(ctx, "kb:search");
  const { question } = VerifyRequest.parse({ ...input, sources: [{ text: "none" }] });
  const text = await withoutMarkers(input.text);
  const sentences = answerSentences(text, []).filter((sentence) => mayBeClaim(text, sentence));
  if (sentences.length > MAX_SENTENCES) {
    throw invalidRequest(
      `The text has ${sentences.length} sentences to search for. Send at most ${MAX_SENTENCES} at a time, or send 'sources'.`,
      "text",
    );
  }
  const found = await searchEach(ctx, text, sentences);
  const spent = found.reduce((sum, { costUsd }) => sum + usdToMicros(Number(costUsd)), 0n);
  const ids = [...new Set(found.flatMap(({ passages }) => passages))];
  const not_found = found.flatMap(({ said, passages }) => (passages.length > 0 ? [] : said));
  if (ids.length === 0) {
    return { ...toCitedText({ text, usage: { cost_usd: microsToUsd(spent) } }), not_found };
  }
  const sources = ids.map((chunk_id) => ({ chunk_id }));
  const result = await verified(ctx, { text: withMarkers(text, found, ids), sources, question });
  const cost = spent + usdToMicros(Number(result.usage.cost_usd));
  return { ...toCitedText(result), not_found, cost_usd: microsToUsd(cost) };
}

async function verified(ctx: KeyContext, input: object): Promise<VerifyResult> {
  const { value } = await verifyCitations(ctx, VerifyRequest.parse(input));
  return value as VerifyResult;
}

/** Its numbers mean sources that weren't sent. */
async function withoutMarkers(text: string): Promise<string> {
  const normalizer = new MarkerNormalizer(0, []);
  return (await normalizer.pushLong(text)) + normalizer.end();
}

interface Found {
  said: string;
  /** Where its markers go: before its final full stop. */
  at: number;
  passages: string[];
  costUsd: string;
}

/** Each search is a request of its own for the balance. */
function searchEach(ctx: KeyContext, text: string, sentences: Sentence[]): Promise<Found[]> {
  return pLimit(CONCURRENT_SEARCHES).map(sentences, async ({ start, end }) => {
    const said = text.slice(start, end);
    const input = SearchRequest.parse({ query: said, top_k: PASSAGES });
    const { value } = await searchKnowledge({ ...ctx, requestId: newId("request") }, input);
    const { data, usage } = value as SearchResult;
    const passages = data.map(({ chunk_id }) => chunk_id);
    return { said, at: start + said.search(CLOSING), passages, costUsd: usage.cost_usd };
  });
}

function withMarkers(text: string, found: readonly Found[], ids: readonly string[]): string {
  return found.reduceRight((all, { at, passages }) => {
    const markers = passages.map((id) => `[${ids.indexOf(id) + 1}]`).join("");
    return markers ? `${all.slice(0, at)} ${markers}${all.slice(at)}` : all;
  }, text);
}
