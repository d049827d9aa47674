import {
  comparisonFeatures,
  describeCandidates,
  readCorpus,
} from "@/lib/evidence/questions/candidates";
import { LIKELY } from "@/lib/evidence/questions/likeliest";
import { probabilityOf, readQuestion } from "@/lib/evidence/questions/likelihood";
import { escapeSource } from "@/lib/text/delimiters";
import { type Choice, fitChoice, type LinearFit, sumOf } from "./answer-weights/choice";
import { isLabeled, type LabeledQuestion, readQuestions, searches } from "./answer-weights/labels";
import { type FittedSample, fitLogistic } from "./answer-weights/logistic";
import { dataFolder } from "./quality/judgments";
import { toTable } from "./shared/table";

type Features = Record<string, number>;
type Chosen = ReturnType<typeof choose>;

interface Described extends Choice {
  label: LabeledQuestion;
  features: readonly Features[];
}

const THRESHOLDS = [0.6, 0.7, 0.8, LIKELY, 0.95];

/**
 * Fits `lib/evidence/questions/weights.json` to the tuning half of the labeled questions, and counts for both halves how often
 * the sentence that would be quoted is the labeled one.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const folder = dataFolder();
  if (!folder) {
    return { table: "skipped: no data", result: { skipped: "no data" } };
  }
  const find = searches(folder);
  const all = readQuestions()
    .map((label) => describeQuestion(label, find))
    .filter(({ rows }) => rows.length > 0);
  const tuning = all.filter(({ label }) => label.half === "tuning");
  const report = all.filter(({ label }) => label.half === "report");
  const choosing = fitChoice(tuning.filter(isTelling));
  const chosen = tuning.map((each) => choose(each, choosing));
  const answering = fitSamples(chosen);
  const names = Object.keys(tuning[0]?.features[0] ?? {});
  const weights = Object.fromEntries(names.map((name, at) => [name, choosing.weights[at] ?? 0]));
  const fitted = {
    choose: rounded({ intercept: choosing.intercept, weights }),
    answer: rounded(answering),
  };
  const table = [
    `Tuning half, ${tuning.length} questions with sources`,
    count(chosen, answering),
    `Reported half, ${report.length} questions with sources`,
    count(
      report.map((each) => choose(each, choosing)),
      answering,
    ),
    `weights.json: ${JSON.stringify(fitted, null, 2)}`,
  ];
  return { table: table.join("\n\n"), result: { fitted } };
}

function count(chosen: readonly Chosen[], fit: ReturnType<typeof fitSamples>): string {
  return toTable(
    ["likelihood from", "quoted", "the labeled sentence", "questions without an answer"],
    THRESHOLDS.map((threshold) => {
      const quoted = chosen.filter(({ features }) => probabilityOf(features, fit) >= threshold);
      const right = quoted.filter(({ isSupport }) => isSupport).length;
      const without = quoted.filter(({ label }) => label.answers.length === 0).length;
      return [threshold, quoted.length, Number((right / (quoted.length || 1)).toFixed(3)), without];
    }),
  );
}

function describeQuestion(label: LabeledQuestion, find: ReturnType<typeof searches>): Described {
  const { sources, understood } = find[label.collection](label.question);
  const question = readQuestion(understood);
  const described = describeCandidates(question, readCorpus(sources.map(escapeSource), "en"));
  return {
    label,
    answers: described.map(({ candidate: { units } }) =>
      units.some(({ text }) => isLabeled(text, label)),
    ),
    features: described.map(({ features }) => features),
    rows: described.map(({ features }) => Object.values(features)),
  };
}

/** A question whose labeled sentence wasn't found says nothing of the others. */
function isTelling({ label, answers }: Described): boolean {
  return label.answers.length === 0 || answers.some(Boolean);
}

/** What is known of the sentence that a fit chooses, and whether it is the labeled one. */
function choose({ label, rows, features, answers }: Described, fit: LinearFit) {
  const sums = rows.map((row) => sumOf(fit, row));
  const at = sums.indexOf(Math.max(...sums));
  const known: Features = { ...features[at], ...comparisonFeatures(sums, at) };
  return {
    ...{ label, features: known, weight: 1 },
    isSupport: answers[at] === true,
  };
}

function fitSamples(samples: readonly FittedSample[]) {
  const { intercept, coefficients } = fitLogistic(samples);
  return { intercept, weights: coefficients };
}

function rounded({ intercept, weights }: { intercept: number; weights: Features }) {
  const round = (value: number): number => Number(value.toFixed(3));
  const entries = Object.entries(weights).map(([name, weight]) => [name, round(weight)]);
  return { intercept: round(intercept), weights: Object.fromEntries(entries) as Features };
}
