import { dataFolder } from "./quality/judgments";
import { toTable } from "./shared/table";
import { fitLogistic, heldOutScores, type Sample } from "./verify/logistic";
import { readPairs } from "./verify/pairs";
import { samplesOf } from "./verify/samples";

/** Shares of the right `supported` verdicts to keep; the threshold is that of `KEPT`. */
const SHARES = [0.8, 0.85, 0.9, 0.95, 1] as const;
const KEPT = 0.95;

/**
 * Fits the weights of `lib/evidence/verdict/likelihood-weights.json` on the tuning half of the experts' labels, and
 * chooses the threshold by scores of claims that a fit hasn't seen.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const folder = dataFolder();
  if (!folder) {
    return { table: "skipped: no data", result: { skipped: "no data" } };
  }
  const samples = samplesOf(readPairs(folder).filter(({ half }) => half === "tuned"));
  const { intercept, coefficients } = fitLogistic(samples);
  const scores = heldOutScores(samples);
  const passing = samples.flatMap((sample, at) =>
    sample.agrees && sample.isChanged ? [{ sample, score: scores[at] ?? 0 }] : [],
  );
  const right = passing
    .filter(({ sample }) => sample.isSupport)
    .map(({ score }) => score)
    .sort((one, other) => other - one);
  const rows = SHARES.map((share) => {
    const threshold = right[Math.ceil(share * right.length) - 1] ?? 0;
    const kept = passing.filter(({ score }) => score >= threshold);
    const precision = precisionOf(kept.filter(({ sample }) => !sample.isMadeUp));
    return { share, threshold, precision, withMadeUp: precisionOf(kept) };
  });
  const weights = {
    intercept: rounded(intercept),
    ...Object.fromEntries(
      Object.entries(coefficients).map(([name, weight]) => [name, rounded(weight)]),
    ),
    supported_from: rounded(probability(rows.find(({ share }) => share === KEPT)?.threshold ?? 0)),
  };
  const counted = toTable(
    ["right verdicts kept, cross-validated", "threshold", "precision", "with made-up claims"],
    rows.map(({ share, threshold, precision, withMadeUp }) => [
      `${100 * share} %`,
      rounded(probability(threshold)),
      rounded(precision),
      rounded(withMadeUp),
    ]),
  );
  const table = [countsOf(samples), counted, JSON.stringify(weights, null, 2)].join("\n\n");
  return { table, result: { weights, rows } };
}

function precisionOf(kept: readonly { sample: Sample }[]): number {
  return kept.filter(({ sample }) => sample.isSupport).length / kept.length;
}

function countsOf(samples: readonly Sample[]): string {
  const right = samples.filter(({ isSupport }) => isSupport).length;
  return `${samples.length} claims and windows, ${right} of them labeled support`;
}

function probability(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
