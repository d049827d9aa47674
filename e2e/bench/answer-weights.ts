import { type Candidate, readCorpus } from "@/lib/extractive/corpus";
import { describeCandidates, standOf } from "@/lib/extractive/likely";
import { scoreAll } from "@/lib/extractive/score";
import { answerFeatures, linearSum, matchesOf } from "@/lib/questions/features";
import { readPassage } from "@/lib/questions/passage";
import { type Question, readQuestion } from "@/lib/questions/question";
import { escapeSource } from "@/lib/text/delimiters";
import { type Choice, fitChoice, type LinearFit, sumOf } from "./answer-weights/choice";
import { isLabeled, type LabeledQuestion, readQuestions, searches } from "./answer-weights/labels";
import { dataFolder } from "./quality/judgments";
import { toTable } from "./shared/table";
import { type FittedSample, fitLogistic } from "./verify/logistic";

type Features = Record<string, number>;

interface Described extends Choice {
  label: LabeledQuestion;
  features: readonly Features[];
  claims: readonly FittedSample[];
}

const FOLDS = 6;
/** Sentences of a question that don't answer it, to learn from. */
const OTHERS = 2;
const THRESHOLDS = [0.5, 0.6, 0.7, 0.8, 0.9];

/**
 * Fits the weights of `lib/extractive/likely-weights.json` and `lib/citations/answered-weights.json` on the tuning half
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
    .filter(({ half }) => half === "tuning")
    .map((label) => describeQuestion(label, find))
    .filter(({ rows }) => rows.length > 0);
  const chosen = heldOut(all, (seen) => {
    const fit = fitChoice(seen.filter(isTelling));
    return (each) => choose(each, fit);
  });
  const likelihoods = heldOut(chosen, (seen) => {
    const fit = fitSamples(seen);
    return ({ features }) => 1 / (1 + Math.exp(-linearSum(features, fit)));
  });
  const names = Object.keys(all[0]?.features[0] ?? {});
  const { intercept, weights } = fitChoice(all.filter(isTelling));
  const choosing = Object.fromEntries(names.map((name, at) => [name, weights[at] ?? 0]));
  const fitted = {
    choose: rounded({ intercept, weights: choosing }),
    answer: rounded(fitSamples(chosen)),
  };
  const counted = toTable(
    ["likelihood from", "questions", "the labeled sentence", "questions without an answer"],
    THRESHOLDS.map((threshold) => {
      const kept = chosen.filter((_, at) => (likelihoods[at] ?? 0) >= threshold);
      const right = kept.filter(({ isSupport }) => isSupport).length;
      const without = kept.filter(({ label }) => label.answers.length === 0).length;
      return [threshold, kept.length, Number((right / kept.length).toFixed(3)), without];
    }),
  );
  const addressed = rounded(fitSamples(all.flatMap(({ claims }) => claims)));
  const table = [
    `${all.length} questions with sources`,
    counted,
    `likely-weights.json: ${JSON.stringify(fitted, null, 2)}`,
    `answered-weights.json: ${JSON.stringify(addressed, null, 2)}`,
  ];
  return { table: table.join("\n\n"), result: { fitted, addressed } };
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
  const known: Features = { ...features[at], ...standOf(sums, at) };
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
  const labeled = answers.indexOf(true);
  const others = candidates.keys().filter((at) => answers[at] === false);
  const [...cited] = [labeled, ...others.take(OTHERS), candidates.length - 1];
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

/** Applies to each item what was made of the items of other folds. */
function heldOut<Item, Result>(
  items: readonly Item[],
  make: (seen: Item[]) => (item: Item) => Result,
): Result[] {
  const made = Array.from({ length: FOLDS }, (_, fold) =>
    make(items.filter((_item, at) => at % FOLDS !== fold)),
  );
  return items.flatMap((item, at) => made[at % FOLDS]?.(item) ?? []);
}

function rounded({ intercept, weights }: { intercept: number; weights: Features }) {
  const round = (value: number): number => Number(value.toFixed(3));
  const entries = Object.entries(weights).map(([name, weight]) => [name, round(weight)]);
  return { intercept: round(intercept), weights: Object.fromEntries(entries) as Features };
}
