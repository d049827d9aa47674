import { dataFolder } from "./quality/judgments";
import { toTable } from "./shared/table";
import { type AnsweredRow, measureAnswered } from "./verify/answered";
import { measureCorruption, type Row } from "./verify/corruption";
import { measureCost } from "./verify/cost";
import { type Labeled, measureLabels } from "./verify/labels";
import { type Half, readAbstracts, readPairs, readTexts } from "./verify/pairs";
import { measureSubjects } from "./verify/subjects";
import { measureTables } from "./verify/tables";
import { measureWithin } from "./verify/within";
import { CLAUSE_MAKERS } from "./verify/within-clauses";
import { SUBJECT_MAKERS } from "./verify/within-subjects";

/**
 * Verdicts of method `rules`: sentences of abstracts, corrupted or paired with another abstract, errors made from
 * the passage itself, and the claims that experts labeled in SciFact. FOOTNOTE_BENCH_SPLIT=train measures the half that the rules were tuned on.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const folder = dataFolder();
  if (!folder) {
    return { table: "skipped: no data", result: { skipped: "no data" } };
  }
  const half: Half = process.env.FOOTNOTE_BENCH_SPLIT === "train" ? "tuned" : "reported";
  const corruption = measureCorruption(readAbstracts(folder), half);
  const texts = readTexts(folder);
  const subjects = measureSubjects(texts, half);
  const tables = measureTables(half);
  const within = [
    ...measureWithin(texts, { half }),
    ...measureWithin(texts, { half, makers: SUBJECT_MAKERS }),
    ...measureWithin(texts, { half, makers: CLAUSE_MAKERS }),
  ];
  const answered = await measureAnswered(texts, half);
  const pairs = readPairs(folder);
  const labels = {
    [half]: measureLabels(pairs.filter((pair) => pair.half === half)),
    all: measureLabels(pairs),
  };
  const cost = measureCost(pairs);
  const table = [
    corruptionTable(corruption),
    corruptionTable(subjects),
    corruptionTable(tables),
    corruptionTable(within),
    answeredTable(answered),
    ...Object.entries(labels).map(([name, labeled]) => labelTable(name, labeled)),
    costTable(cost),
  ].join("\n\n");
  return { table, result: { half, corruption, subjects, tables, within, answered, labels, cost } };
}

interface Goal {
  name: string;
  share: (row: Row) => number;
  goal: string;
}

const TICKED = { name: "supported", share: ({ supported }: Row) => supported };
const EXCHANGED: Goal = { ...TICKED, goal: "≤ 2 %" };
const OTHER_NAME: Goal = { ...TICKED, goal: "≤ 3 %" };
const OVERCLAIM: Goal = { ...TICKED, goal: "≤ 10 %" };
const SAID: Goal = { ...TICKED, goal: "≥ 97 %" };
const TRUE: Goal = {
  name: "contradicted",
  share: ({ contradicted }) => contradicted,
  goal: "≤ 1 %",
};

/** The goal for each row; "found" means not `supported`. */
const GOALS: Record<string, Goal> = {
  "another quantity of the passage": EXCHANGED,
  "quantities swapped": EXCHANGED,
  "the other thing's number": EXCHANGED,
  "another subject of the passage": OVERCLAIM,
  "another subject for a pronoun": OVERCLAIM,
  "another drug of the passage": OTHER_NAME,
  "another disease of the passage": OTHER_NAME,
  "condition dropped": OVERCLAIM,
  "hedge removed": OVERCLAIM,
  "population widened": OVERCLAIM,
  "risk made cause": OVERCLAIM,
  verbatim: SAID,
  reordered: SAID,
  converted: TRUE,
  opener: TRUE,
  "other words": TRUE,
  passive: TRUE,
  "name for pronoun": TRUE,
  "pronoun for name": TRUE,
  "long or short form": TRUE,
  "one of a list": TRUE,
  "one of two numbers": TRUE,
  rounded: TRUE,
  "a table's cell": { name: "supported", share: ({ supported }) => supported, goal: "" },
  untouched: {
    name: "worse than partial",
    share: ({ unsupported, contradicted }) => unsupported + contradicted,
    goal: "≤ 5 %",
  },
  "another abstract": {
    name: "unsupported",
    share: ({ unsupported }) => unsupported,
    goal: "≥ 97 %",
  },
};
const KEPT = {
  name: "supported",
  share: ({ supported }: Row) => supported,
  goal: "≥ 98 %",
};
const FOUND = {
  name: "found",
  share: ({ sentences, supported }: Row) => sentences - supported,
  goal: "≥ 95 %",
};

function corruptionTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { name, share, goal } = GOALS[row.what] ?? (row.what.startsWith("naming") ? KEPT : FOUND);
    const { what, wording, sentences, ...verdicts } = row;
    const shares = [
      verdicts.supported,
      verdicts.partial,
      verdicts.unsupported,
      verdicts.contradicted,
      verdicts.unjudged,
    ].map((count) => percent(count / sentences));
    return [
      ...[what, wording, sentences, ...shares],
      `${name} ${percent(share(row) / sentences)}`,
      goal,
    ];
  });
  return toTable(
    [
      ...["sentence", "wording", "sentences", "supported", "partial", "unsupported"],
      ...["contradicted", "unjudged", "measure", "goal"],
    ],
    lines,
  );
}

function answeredTable(rows: readonly AnsweredRow[]): string {
  return toTable(
    ["cited", "questions", "yes", "partly", "no", "unknown"],
    rows.map(({ cited, questions, ...said }) => [
      ...[cited, questions],
      ...Object.values(said).map((times) => percent(times / questions)),
    ]),
  );
}

function labelTable(name: string, labeled: Labeled): string {
  const { confusion, ...measures } = labeled;
  const rows = Object.entries(confusion).map(([label, counts]) => [
    label,
    ...Object.values(counts),
  ]);
  return [
    `Experts' labels, ${name} (${labeled.pairs} pairs)`,
    toTable(["label", ...Object.keys(Object.values(confusion)[0] ?? {})], rows),
    toTable(
      ["measure", "value"],
      Object.entries(measures).map(([measure, value]) => [measure, Number(value.toFixed(3))]),
    ),
  ].join("\n\n");
}

function costTable(cost: object): string {
  return toTable(
    ["CPU a claim and passage", "ms"],
    Object.entries(cost).map(([name, value]) => [name, Number(value).toFixed(3)]),
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
