import { type AnsweredClaim, answeredBy } from "@/lib/evidence/answered";
import { type CitedSpan, type ReadAnswer, readSpans } from "@/lib/evidence/claims/spans";
import type { MarkerReport } from "@/lib/evidence/markers";
import type { PlacedMarker } from "@/lib/evidence/markers/output-buffer";
import type { AnalyzedPassage } from "@/lib/evidence/verdict/analyze-passage";
import { findConflicts } from "@/lib/evidence/verdict/conflicts";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import type { Quote } from "@/lib/evidence/verdict/quotes";
import { type Claim, type ClaimJudgement, judgedOf } from "@/lib/evidence/verdict/rules-judge";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { cellsIn } from "@/lib/text/tables";
import { toAnnotations, type UrlOf } from "./annotations";
import { isQuoted, type JudgedSpan, resolveCovered } from "./extended";
import type {
  Citation,
  CitationsOptions,
  CitedSource,
  SourceQuote,
  UrlCitation,
  Verification,
} from "./schema";

/** A normalized answer, with unsupported markers already stripped if requested. */
export interface NormalizedAnswer {
  text: string;
  markers: readonly PlacedMarker[];
  report: MarkerReport;
  stripped: readonly { id: number; claim: string }[];
  /** What it claims, if it is JSON. */
  data?: ReadAnswer | null;
}

/** A numbered source of the prompt. */
export interface AnswerSource<C extends CitedSource = Citation> {
  citation: C;
  /** As the model saw it: with `context: "section"`, more than the passage. */
  text: string;
  /** Offset of its text in the document. */
  charStart: number;
  /** Offsets in the document at which its pages begin; absent in a format without pages, or if they aren't known. */
  pageStarts?: readonly number[] | null;
  /** Ranges of the document that were recognized in images and may be wrong: start and end of each in turn. */
  uncertain?: readonly number[] | null;
}

/** In the order of the claims. */
type JudgeClaims = (claims: readonly Claim[]) => Promise<readonly ClaimJudgement[]>;

interface VerifyOptions {
  /** The requested method; `off` judges nothing. */
  method: CitationsOptions["verify"];
  judge: JudgeClaims;
  /** The question that was searched with. */
  question: string;
  analyze: (id: number) => AnalyzedPassage;
  /** Whether markers are removed from sentences that their source contradicts. */
  strips?: boolean;
  quotes: boolean;
  urlOf: UrlOf;
  /** Null for a source without a document. */
  permalinkOf: (citation: CitedSource, quote: Quote) => string | null;
}

export interface VerifiedAnswer {
  annotations: UrlCitation[];
  verification: Verification;
  citedIds: ReadonlySet<number>;
}

/** Builds an answer's annotations and verification: what each marker cites and how well it is supported. */
export async function verifyAnswer(
  answer: NormalizedAnswer,
  sources: readonly AnswerSource<CitedSource>[],
  terms: VerifyOptions,
): Promise<VerifiedAnswer> {
  const read = answer.data ?? readSpans(answer.text, answer.markers);
  const { spans: marked, covered, sentences, abstained } = read;
  const unmarked = covered.filter(({ text }) => !isQuoted(text, terms.question));
  const judged =
    terms.method === "off"
      ? marked.map((span) => ({ span, judgement: null }))
      : resolveCovered(await judgeAll([...marked, ...unmarked], terms.judge), terms.strips);
  const spans = judged.map(({ span }) => span);
  const judgements = new Map(judged.map(({ span, judgement }) => [span, judgement]));
  // Markers without words claim nothing. Nor does a passage that is shown because no source answers.
  const isShown = (span: CitedSpan) => abstained && span.isQuotation === true;
  const claims = judged.filter(({ span }) => span.text !== "" && !isShown(span));
  const byId = new Map(sources.map((source) => [source.citation.id, source]));
  const annotations = await toAnnotations(
    spans,
    sources.map(({ citation }) => citation),
    {
      urlOf: terms.urlOf,
      evidenceOf: (span, citation) => {
        const source = byId.get(citation.id);
        const one = judgements.get(span)?.bySource.get(citation.id);
        return {
          ...(one && !isShown(span) && { verification: judgedOf(one) }),
          ...(one && source && terms.quotes && { quote: toQuote(one.quote, source, terms) }),
        };
      },
    },
  );
  const citedIds = new Set(spans.flatMap(({ ids }) => ids).filter((id) => byId.has(id)));
  const cited = sources.filter(({ citation }) => citedIds.has(citation.id));
  return {
    annotations,
    citedIds,
    verification: {
      answered:
        terms.method === "off"
          ? "unknown"
          : answeredBy(terms.question, toClaims(claims), sources.map(toDelimited)),
      abstained,
      ...countMarkers(answer),
      ...countSentences(claims, sentences, terms.method),
      disagreements: await compare(cited, spans, terms.analyze),
    },
  };
}

function toClaims(judged: readonly JudgedSpan[]): AnsweredClaim[] {
  return judged.flatMap(({ span: { text, ids }, judgement }) => {
    const quotes = ids.map((id) => ({
      id,
      text: judgement?.bySource.get(id)?.quote?.text ?? null,
    }));
    return judgement ? [{ text, verdict: judgement.combined.verdict, quotes }] : [];
  });
}

function toDelimited(source: AnswerSource<CitedSource>): DelimitedSource {
  return { number: source.citation.id, title: sourceLabelOf(source), text: source.text };
}

/** The title and headings above a source's text. */
export function sourceLabelOf({
  citation: { title, metadata },
}: AnswerSource<CitedSource>): string {
  const section = typeof metadata.section === "string" ? metadata.section : "";
  // The outermost heading may be the title.
  const isTitled = section === title || section.startsWith(`${title} › `);
  return isTitled ? section : [title, section].filter(Boolean).join(" › ");
}

async function judgeAll(spans: readonly CitedSpan[], judge: JudgeClaims): Promise<JudgedSpan[]> {
  const judged = await judge(spans);
  return spans.map((span, at) => ({ span, judgement: judged[at] ?? null }));
}

function toQuote(
  quote: Quote | null,
  source: AnswerSource<CitedSource>,
  { permalinkOf }: VerifyOptions,
): SourceQuote | null {
  if (!quote) {
    return null;
  }
  const { citation, charStart } = source;
  const { section } = citation.metadata;
  const place = { text: quote.text, start: charStart + quote.start, end: charStart + quote.end };
  const cells = cellsIn(source.text, quote);
  return {
    text: quote.text,
    char_start: place.start,
    char_end: place.end,
    page: pageOf(source, place),
    ...(cells.length > 0 && { cells }),
    section: typeof section === "string" ? section : null,
    permalink: permalinkOf(citation, place),
  };
}

/** The page on which a quote begins; if pages aren't known, the first of its passage. */
function pageOf(
  { citation, pageStarts }: AnswerSource<CitedSource>,
  { start, end }: { start: number; end: number },
): number | null {
  if (pageStarts?.length) {
    return pageStarts.findLastIndex((pageStart) => pageStart <= start) + 1 || null;
  }
  const { page, char_start, char_end } = citation.metadata;
  const isOutside =
    (typeof char_start === "number" && end <= char_start) ||
    (typeof char_end === "number" && start >= char_end);
  return typeof page === "number" && !isOutside ? page : null;
}

function countMarkers({ report, stripped, markers }: NormalizedAnswer) {
  return {
    dropped_markers: report.dropped.reduce((sum, { count }) => sum + count, 0),
    unknown_markers: report.unknown,
    repaired_markers: report.repaired,
    added_markers: markers.filter(({ isAdded }) => isAdded).length,
    stripped_markers: stripped.length,
    stripped: stripped.map(({ id, claim }) => ({ citation_id: id, claim })),
  };
}

function countSentences(
  judged: readonly JudgedSpan[],
  sentences: number,
  asked: VerifyOptions["method"],
) {
  const cited = new Set(judged.map(({ span }) => span.sentence)).size;
  // Claims fall back to rules when the model is unavailable.
  const used = [...new Set(judged.flatMap(({ judgement }) => judgement?.combined.method ?? []))];
  return {
    sentences,
    cited,
    coverage: sentences === 0 ? 0 : Math.round((cited / sentences) * 1e4) / 1e4,
    ...(asked === "off" ? NO_VERDICTS : countVerdicts(judged)),
    method:
      used.length > 1 ? ("mixed" as const) : (used[0] ?? (asked === "auto" ? "rules" : asked)),
    claims: judged.flatMap(({ span: { start, end, text, ids, path }, judgement }) => {
      const place = {
        start_index: start,
        end_index: end,
        text,
        ...(path && { path }),
        citation_ids: ids,
      };
      return judgement ? [{ ...place, ...judgedOf(judgement.combined) }] : [];
    }),
  };
}

const NO_VERDICTS = {
  supported: null,
  partial: null,
  unsupported: null,
  contradicted: null,
  unjudged: null,
};

/** A sentence whose claims can't all be judged is no better than its worst, and not yet unsupported. */
const VERDICTS: readonly Verdict[] = [
  "contradicted",
  "unsupported",
  "unjudged",
  "partial",
  "supported",
];

/** Counts each cited sentence once, as the worst of its claims. */
function countVerdicts(judged: readonly JudgedSpan[]): Record<Verdict, number> {
  const worst = new Map<number, number>();
  for (const { span, judgement } of judged) {
    const rank = VERDICTS.indexOf(judgement?.combined.verdict ?? "unsupported");
    worst.set(span.sentence, Math.min(rank, worst.get(span.sentence) ?? VERDICTS.length));
  }
  const counts = { supported: 0, partial: 0, unsupported: 0, contradicted: 0, unjudged: 0 };
  for (const rank of worst.values()) {
    counts[VERDICTS[rank] ?? "supported"] += 1;
  }
  return counts;
}

/** Conflicting numbers in the cited sources, with offsets in the documents. */
async function compare(
  cited: readonly AnswerSource<CitedSource>[],
  spans: readonly CitedSpan[],
  read: VerifyOptions["analyze"],
): Promise<Verification["disagreements"]> {
  if (cited.length < 2) {
    return [];
  }
  const starts = new Map(cited.map(({ citation, charStart }) => [citation.id, charStart]));
  const conflicts = await findConflicts(
    cited.map(({ citation: { id }, text }) => ({ id, text, analyzed: read(id) })),
    spans.map(({ text }) => text),
  );
  return conflicts.map(({ unit, terms, values }) => ({
    unit,
    terms,
    values: values.map(({ id, text, start, end }) => ({
      citation_id: id,
      text,
      char_start: (starts.get(id) ?? 0) + start,
      char_end: (starts.get(id) ?? 0) + end,
    })),
  }));
}
