import { type Judgement, judge } from "@/lib/evidence/verdict/judge";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import type { Pair } from "./pairs";

const VERDICTS: readonly Verdict[] = [
  "supported",
  "partial",
  "unsupported",
  "contradicted",
  "unjudged",
];
const LABELS: readonly Pair["label"][] = ["support", "contradict", "none"];
/** Maps a verdict to the experts' labels. */
const MEANS: Record<Verdict, Pair["label"]> = {
  supported: "support",
  partial: "support",
  unsupported: "none",
  contradicted: "contradict",
  unjudged: "none",
};

export interface Labeled {
  pairs: number;
  /** Counts by label, then by verdict. */
  confusion: Record<string, Record<string, number>>;
  /** Share of pairs whose verdict matches their label, and share of the most frequent label. */
  accuracy: number;
  majority: number;
  macro_f1: number;
  /** Precision of these two verdicts. */
  supported_precision: number;
  contradicted_precision: number;
  /**
   * For pairs with annotated evidence: how often there is a quote, how often it overlaps the evidence, and how
   * much of it is within the evidence.
   */
  quoted: number;
  quote_hits: number;
  quote_within: number;
  quote_words: number;
}

/** Compares verdicts with labels, and quotes with annotated sentences. */
export function measureLabels(pairs: readonly Pair[]): Labeled {
  const judged = pairs.map((pair) => ({
    pair,
    judgement: judge(pair.claim, pair.passage, pair.title),
  }));
  const count = (label: string, verdict: string) =>
    judged.filter(({ pair, judgement }) => pair.label === label && judgement.verdict === verdict)
      .length;
  const right = judged.filter(({ pair, judgement }) => MEANS[judgement.verdict] === pair.label);
  const sizes = LABELS.map((label) => pairs.filter((pair) => pair.label === label).length);
  return {
    pairs: pairs.length,
    confusion: Object.fromEntries(
      LABELS.map((label) => [
        label,
        Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(label, verdict)])),
      ]),
    ),
    accuracy: right.length / pairs.length,
    majority: Math.max(...sizes) / pairs.length,
    macro_f1: macroF1(judged),
    supported_precision: precision(judged, "supported"),
    contradicted_precision: precision(judged, "contradicted"),
    ...measureQuotes(judged),
  };
}

type Judged = { pair: Pair; judgement: Judgement }[];

function macroF1(judged: Judged): number {
  const scores = LABELS.map((label) => {
    const isLabel = judged.filter(({ pair }) => pair.label === label).length;
    const isSaid = judged.filter(({ judgement }) => MEANS[judgement.verdict] === label).length;
    const isBoth = judged.filter(
      ({ pair, judgement }) => pair.label === label && MEANS[judgement.verdict] === label,
    ).length;
    return isLabel + isSaid === 0 ? 0 : (2 * isBoth) / (isLabel + isSaid);
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function precision(judged: Judged, verdict: Verdict): number {
  const predicted = judged.filter(({ judgement }) => judgement.verdict === verdict);
  return (
    predicted.filter(({ pair }) => MEANS[verdict] === pair.label).length / (predicted.length || 1)
  );
}

function measureQuotes(judged: Judged) {
  const named = judged.filter(({ pair }) => pair.evidence.length > 0);
  const quoted = named.flatMap(({ pair, judgement: { quote } }) => (quote ? { pair, quote } : []));
  const within = quoted.map(({ pair, quote }) => {
    const shared = pair.evidence.reduce(
      (sum, { start, end }) =>
        sum + Math.max(0, Math.min(end, quote.end) - Math.max(start, quote.start)),
      0,
    );
    return shared / (quote.end - quote.start);
  });
  const words = quoted.map(({ quote }) => quote.text.split(/\s+/).length);
  return {
    quoted: quoted.length / named.length,
    quote_hits: within.filter((share) => share > 0).length / (quoted.length || 1),
    quote_within: mean(within),
    quote_words: mean(words),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}
