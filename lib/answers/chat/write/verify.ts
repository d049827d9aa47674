import "server-only";

import type { CitedSource } from "@/lib/answers/citations/schema";
import type { AnswerSource, VerifiedAnswer } from "@/lib/answers/citations/verification";
import { invalidRequest, notFound } from "@/lib/errors";
import { MarkerNormalizer } from "@/lib/evidence/markers";
import { readableDocuments } from "@/lib/library/documents/collections";
import {
  findPassages,
  passageMetadata,
  type StoredPassage,
  standingOf,
} from "@/lib/library/retrieval/read/passages";
import type { Bill, TokensByModel } from "@/lib/models/sent-call";
import { costHeaders, type Micros, microsToUsd } from "@/lib/money/billing/money";
import {
  billedCitations,
  countedCitations,
  RATES,
  sumCost,
  verificationCost,
} from "@/lib/money/billing/rates";
import { placeHold } from "@/lib/money/billing/write/hold";
import { settle, type Usage } from "@/lib/money/billing/write/settle";
import { countTokensUsed } from "@/lib/platform/auth/api-key";
import type { KeyContext } from "@/lib/platform/auth/context";
import { toAppError } from "@/lib/platform/http/error-response";
import { Reply } from "@/lib/platform/http/route";
import { log } from "@/lib/platform/log";
import { ownUsageOf } from "../choice-processor";
import { CitedAnswer, sourceTextsOf } from "../cited-answer";
import { ClaimJudge } from "../claim-judge";
import { ownCallRates, partsOf } from "../price";
import { callsFor, type Verifier, verifierFor } from "../verifier";
import type { VerifyRequest, VerifyResult } from "../verify-schema";

/** Each is compared with its source, on the thread that serves everyone. */
const MAX_CITATIONS = 1000;

export interface Source extends AnswerSource<CitedSource> {
  passage: StoredPassage | null;
  /** The caller's own id. */
  sourceId: string | undefined;
}

/**
 * Checks a text against its sources as an answer is checked, without a model that writes. Charged per citation, and for
 * the tokens of a verifying model. Throws invalid_request, not_found for a passage that the key can't read, or as
 * `placeHold` does.
 */
export async function verifyCitations(ctx: KeyContext, input: VerifyRequest): Promise<Reply> {
  const startedAt = performance.now();
  const verifier = verifierFor(input.verify, "verify");
  const sources = await readSources(ctx, input.sources);
  const citations = await countCitations(input.text, sources);
  const counted = countedCitations(input.text, citations);
  const rules = verificationCost(counted);
  const hold = await placeHold(ctx, rules + boundModel({ verifier, input, citations, sources }));
  const judge = new ClaimJudge(sources, { ...input, verifier }, ctx.signal);
  const usage = (status: number, verified: VerifiedAnswer | null): Usage => ({
    endpoint: "/v1/citations/verify",
    model: verifier?.model?.id ?? null,
    kind: "verification",
    promptTokens: 0,
    completionTokens: 0,
    passages: sources.length,
    rate: rateOf(judge.calls.bill(status < 400), counted),
    unbilledMicros: String(costOf(judge.calls.bill(status < 400).unbilled)),
    status,
    warningCodes: judge.warnings.map(({ code }) => code),
    latencyMs: Math.round(performance.now() - startedAt),
    firstTokenMs: null,
    ...(verified && { details: { verification: countsOf(verified.verification) } }),
  });
  try {
    const { text, verified } = await checkText(input, sources, judge);
    await judge.calls.close();
    const costMicros = rules + costOf(judge.calls.bill().charged);
    const charged = await settle({ ...hold, costMicros }, usage(200, verified));
    await countTokensUsed(ctx, judge.calls.bill().tokens);
    const costUsd = microsToUsd(charged);
    const result = toResult({ text, verified, sources, judge, citations, costUsd });
    return new Reply(result, costHeaders(costUsd));
  } catch (thrown) {
    const { status } = toAppError(thrown);
    await judge.calls.close();
    await settle({ ...hold, costMicros: 0n }, usage(status, null)).catch((cause: unknown) =>
      log.error(
        { err: cause, request_id: hold.id },
        "could not release the hold of a verification",
      ),
    );
    throw thrown;
  }
}

export async function checkText(
  input: VerifyRequest,
  sources: readonly Source[],
  judge: ClaimJudge,
) {
  const { on_unsupported, quotes, question = "" } = input;
  const options = { verify: input.verify, on_unsupported, quotes };
  const answer = new CitedAnswer({ sources, options, question }, judge);
  // The text may have been cut off anywhere, and half a marker claims nothing.
  const text = (await answer.push(input.text)) + (await answer.end("length"));
  return { text, verified: await answer.verify() };
}

/** Passages are read from the caller's collections alone, so another account's or person's isn't found. */
export async function readSources(
  ctx: KeyContext,
  given: VerifyRequest["sources"],
): Promise<Source[]> {
  const ids = given.flatMap((source) => ("chunk_id" in source ? source.chunk_id : []));
  const found = ids.length > 0 ? await findPassages(ctx.signal, ids, readableDocuments(ctx)) : [];
  const passages = new Map(found.map((passage) => [passage.chunkId, passage]));
  return given.map((source, index) => {
    const id = index + 1;
    const { id: sourceId } = source;
    if (!("chunk_id" in source)) {
      const { text, title, url } = source;
      const metadata = url === undefined ? {} : { url };
      const citation = { id, title: title ?? `Source ${id}`, metadata, document_id: null };
      return { citation, text, charStart: 0, passage: null, sourceId };
    }
    const passage = passages.get(source.chunk_id);
    if (!passage) {
      throw notFound(
        "There is no such passage in the knowledge bases that this key can read. Use the chunk_id of a search result or a citation.",
        `sources.${index}.chunk_id`,
      );
    }
    const { title: documentTitle, documentId, charStart, pageStarts, uncertain } = passage;
    const metadata = passageMetadata(passage);
    const citation = { id, title: documentTitle, metadata, document_id: documentId };
    return { citation, text: passage.text, charStart, pageStarts, uncertain, passage, sourceId };
  });
}

/** The markers that name a source. */
export async function countCitations(text: string, sources: readonly Source[]): Promise<number> {
  const normalizer = new MarkerNormalizer(sources.length, sourceTextsOf(sources));
  await normalizer.pushLong(text);
  normalizer.end();
  const { markers } = normalizer;
  if (markers.length > MAX_CITATIONS) {
    throw invalidRequest(
      `The text has ${markers.length.toLocaleString("en-US")} citations. Verify at most ${MAX_CITATIONS.toLocaleString("en-US")} at a time.`,
      "text",
    );
  }
  return markers.length;
}

interface Verifiable {
  verifier: Verifier | null;
  input: VerifyRequest;
  citations: number;
  sources: readonly Source[];
}

/** The most that a verifying model can cost. A claim with several sources is asked about with each, and with all. */
export function boundModel({ verifier, input, citations, sources }: Verifiable): Micros {
  const extent = { claims: 2 * citations, sources: sources.length, calls: callsFor(input) };
  return verifier?.worstCaseMicros(extent) ?? 0n;
}

export function costOf(byModel: TokensByModel): Micros {
  return sumCost(partsOf(byModel, "core"));
}

export function rateOf({ charged }: Pick<Bill, "charged">, citations: number) {
  const verification = ownCallRates(charged);
  return {
    verification_usd_per_citation: RATES.verificationUsdPerCitation,
    citations: billedCitations(citations),
    ...(verification.length > 0 && { verification }),
  };
}

/** Counts for the usage record, never text. */
function countsOf(verification: VerifiedAnswer["verification"]) {
  const { claims, stripped, disagreements, answered, abstained, ...counts } = verification;
  return counts;
}

export function toResult({
  text,
  verified: { annotations, verification, citedIds },
  sources,
  judge: { verifier, calls, warnings },
  citations,
  costUsd,
}: {
  text: string;
  verified: VerifiedAnswer;
  sources: readonly Source[];
  judge: ClaimJudge;
  citations: number;
  costUsd: string;
}): VerifyResult {
  return {
    object: "citations.verification",
    text,
    citations: sources.map(({ citation: { id, title, metadata }, passage, sourceId }) => ({
      id,
      ...(sourceId !== undefined && { source_id: sourceId }),
      title,
      url: typeof metadata.url === "string" ? metadata.url : null,
      chunk_id: passage?.chunkId ?? null,
      document_id: passage?.documentId ?? null,
      scope: passage?.scope ?? null,
      ...(passage && standingOf(passage)),
      cited: citedIds.has(id),
    })),
    annotations,
    verification,
    usage: {
      citations,
      cost_usd: costUsd,
      ...(verifier?.model &&
        calls.current && { verification: ownUsageOf({ model: verifier.model, calls }) }),
    },
    ...(warnings.length > 0 && { warnings }),
  };
}
