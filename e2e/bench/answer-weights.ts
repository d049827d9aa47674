import { type Candidate, readCorpus } from "@/lib/answers/builtin/corpus";
import { comparisonFeatures, describeCandidates } from "@/lib/answers/builtin/likely";
import { scoreAll } from "@/lib/answers/builtin/score";
import { answerFeatures, matchesOf, probabilityOf } from "@/lib/evidence/questions/features";
import { readPassage } from "@/lib/evidence/questions/passage";
import { type Question, readQuestion } from "@/lib/evidence/questions/question";
import { escapeSource } from "@/lib/text/delimiters";
import { type Choice, fitChoice, type LinearFit, sumOf } from "./answer-weights/choice";
import { isLabeled, type LabeledQuestion, readQuestions, searches } from "./answer-weights/labels";
import { dataFolder } from "./quality/judgments";
import { toTable } from "./shared/table";
import { type FittedSample, fitLogistic, foldOf } from "./verify/logistic";

type Features = Record<string, number>;
type Chosen = ReturnType<typeof choose>;

interface Described extends Choice {
  label: LabeledQuestion;
  features: readonly Features[];
  claims: readonly FittedSample[];
}

const FOLDS = 5;
/** Sentences of a question that don't answer it, to learn from. */
const OTHERS = 2;
const THRESHOLDS = [0.5, 0.6, 0.7, 0.8, 0.9];

/**
 * Fits the weights of `lib/answers/builtin/likely-weights.json` and `lib/evidence/answered-weights.json` on the tuning half
 * of the labeled questions, and counts how often the sentence that they choose is the labeled one, for questions that a
 * fit hasn't seen.
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
  const chosen = heldOut(tuning, (seen) => {
    const fit = fitChoice(seen.filter(isTelling));
    return (each) => choose(each, fit);
  });
  const likelihoods = heldOut(chosen, (seen) => {
    const fit = fitSamples(seen);
    return ({ features }) => probabilityOf(features, fit);
  });
  const names = Object.keys(tuning[0]?.features[0] ?? {});
  const choosing = fitChoice(tuning.filter(isTelling));
  const answering = fitSamples(chosen);
  const reported = all
    .filter(({ label }) => label.half === "report")
    .map((each) => choose(each, choosing));
  const choice = Object.fromEntries(names.map((name, at) => [name, choosing.weights[at] ?? 0]));
  const fitted = {
    choose: rounded({ intercept: choosing.intercept, weights: choice }),
    answer: rounded(answering),
  };
  const addressed = rounded(fitSamples(tuning.flatMap(({ claims }) => claims)));
  const table = [
    `Tuning half, ${tuning.length} questions with sources, cross-validated`,
    count(chosen, likelihoods),
    `Reported half, ${reported.length} questions with sources`,
    count(
      reported,
      reported.map(({ features }) => probabilityOf(features, answering)),
    ),
    `likely-weights.json: ${JSON.stringify(fitted, null, 2)}`,
    `answered-weights.json: ${JSON.stringify(addressed, null, 2)}`,
  ];
  return { table: table.join("\n\n"), result: { fitted, addressed } };
}

function count(chosen: readonly Chosen[], likelihoods: readonly number[]): string {
  return toTable(
    ["likelihood from", "questions", "the labeled sentence", "questions without an answer"],
    THRESHOLDS.map((threshold) => {
      const kept = chosen.filter((_, at) => (likelihoods[at] ?? 0) >= threshold);
      const right = kept.filter(({ isSupport }) => isSupport).length;
      const without = kept.filter(({ label }) => label.answers.length === 0).length;
      return [threshold, kept.length, Number((right / (kept.length || 1)).toFixed(3)), without];
    }),
  );
}

function describeQuestion(label: LabeledQuestion, find: ReturnType<typeof searches>): Described {
  const { sources, understood } = find[label.collection](label.question);
  const question = readQuestion(understood, "en");
  const corpus = readCorpus(sources.map(escapeSource), "en");
  const candidates = describeCandidates(question, corpus, scoreAll(question, corpus));
  const answers = candidates.map(({ candidate }) => isLabeled(candidate.text, label));
  return {
    label,
    answers,
    features: candidates.map(({ features }) => features),
    rows: candidates.map(({ features }) => Object.values(features)),
    claims: claimsOf(
      question,
      candidates.map(({ candidate }) => candidate),
      answers,
    ),
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
  return { label, features: known, isSupport: answers[at] === true, weight: 1 };
}

function fitSamples(samples: readonly FittedSample[]) {
  const { intercept, coefficients } = fitLogistic(samples);
  return { intercept, weights: coefficients };
}

/** The labeled sentence of a question and some others, as an answer would cite them. */
function claimsOf(
  question: Question,
  candidates: readonly Candidate[],
  answers: readonly boolean[],
): FittedSample[] {
  const labeled = candidates.keys().filter((at) => answers[at] === true);
  const others = candidates.keys().filter((at) => answers[at] === false);
  // The best others are hard to tell from an answer, the last one is easy.
  const cited = [...labeled.take(1), ...others.take(OTHERS), candidates.length - 1];
  return [...new Set(cited)].flatMap((at) => {
    const { quote, source } = candidates[at] ?? {};
    if (!quote || !source) {
      return [];
    }
    const passage = readPassage({ title: source.title, text: quote.text });
    const features = answerFeatures(question, passage, matchesOf(question, passage));
    return { features, isSupport: answers[at] === true, weight: 1 };
  });
}

/** Applies to each item what was made of the items of other folds. Questions with the same answer share a fold. */
function heldOut<Item extends { label: LabeledQuestion }, Result>(
  items: readonly Item[],
  make: (seen: Item[]) => (item: Item) => Result,
): Result[] {
  const folds = items.map(({ label }) => foldOf(label.answers[0] ?? label.question) % FOLDS);
  const made = Array.from({ length: FOLDS }, (_, fold) =>
    make(items.filter((_item, at) => folds[at] !== fold)),
  );
  return items.flatMap((item, at) => made[folds[at] ?? 0]?.(item) ?? []);
}

function rounded({ intercept, weights }: { intercept: number; weights: Features }) {
  const round = (value: number): number => Number(value.toFixed(3));
  const entries = Object.entries(weights).map(([name, weight]) => [name, round(weight)]);
  return { intercept: round(intercept), weights: Object.fromEntries(entries) as Features };
}
