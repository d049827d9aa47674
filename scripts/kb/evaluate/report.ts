import type { Comparison } from "@/lib/answers/evaluation/compare";
import type { RunHeader } from "@/lib/answers/evaluation/schema";
import {
  type Figures,
  MEASURES,
  type Measure,
  type Spread,
} from "@/lib/answers/evaluation/summarize";

const GROUPS: Record<Measure["group"], string> = {
  search: "Search",
  answers: "Answers",
  sentences: "Cited sentences",
  addressed: "Is the question addressed, of answers",
};
/** Further ones are only in the summary file. */
const CHANGED_SHOWN = 20;
const LABEL_WIDTH = 40;
const COLUMN_WIDTH = 10;

export function formatFigures(
  { settings, versions }: RunHeader,
  { questions, measures, cost_usd, latency_ms }: Figures,
): string {
  const model = settings.model ?? "search only";
  const lines = [
    `${count(questions, "question")}, ${model}, ${settings.sources.join(", ")}: ${count(versions.documents, "document")}`,
    ...inGroups((measure) => {
      const share = measures[measure.name];
      return share
        ? [row(labelOf(measure, settings), [formatValue(measure, share.value), `n = ${share.n}`])]
        : [];
    }),
    "",
    row("Each question", ["mean", "p50", "p95", "total"]),
    row(
      "  cost, USD",
      spread(cost_usd, (usd) => usd.toFixed(6)),
    ),
    row(
      "  latency, ms",
      spread(latency_ms, (ms) => ms.toFixed(0)),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

export function formatComparison(
  { settings }: RunHeader,
  comparison: Comparison,
  differences: readonly string[],
): string {
  const { questions, only_now, only_earlier, measures, changed } = comparison;
  const byName = new Map(measures.map((change) => [change.name, change]));
  const lines = [
    `Compared with the earlier run, on ${count(questions, "question")} that both asked`,
    ...(only_now + only_earlier > 0
      ? [
          `  The runs asked different questions: ${only_now} only in this run and ${only_earlier} only in the earlier one aren't compared.`,
        ]
      : []),
    ...(differences.length > 0 ? differences : ["the same settings and versions"]).map(
      (each) => `  ${each}`,
    ),
    ...(measures.length > 0 ? ["", row("", ["earlier", "now", "change", "n"])] : []),
    ...inGroups((measure) => {
      const change = byName.get(measure.name);
      if (!change) {
        return [];
      }
      const { earlier, now, difference, p, is_noise } = change;
      const cells = [earlier, now].map((value) => formatValue(measure, value));
      const signed = `${difference > 0 ? "+" : ""}${formatDifference(measure, difference)}`;
      const note = is_noise ? `within noise (p = ${p.toFixed(2)})` : `p = ${p.toFixed(3)}`;
      const label = labelOf(measure, settings);
      return [
        `${row(label, [...cells, signed, `${change.questions}`])}  ${difference === 0 ? "" : note}`.trimEnd(),
      ];
    }),
    "",
    changed.length > 0 ? `${count(changed.length, "question")} changed` : "No question changed.",
    ...changed
      .slice(0, CHANGED_SHOWN)
      .map(({ id, question, changes }) => `  ${id}  ${clip(question)}: ${changes.join(", ")}`),
    ...(changed.length > CHANGED_SHOWN ? [`  and ${changed.length - CHANGED_SHOWN} more`] : []),
  ];
  return `\n${lines.join("\n")}\n`;
}

/** The rows of each group below its name; a group without rows is left out. */
function inGroups(rowsOf: (measure: Measure) => string[]): string[] {
  return Object.entries(GROUPS).flatMap(([group, name]) => {
    const rows = MEASURES.filter((measure) => measure.group === group).flatMap(rowsOf);
    return rows.length > 0 ? ["", name, ...rows] : [];
  });
}

function labelOf({ label }: Measure, { top_k }: RunHeader["settings"]): string {
  return `  ${label.replace("{k}", String(top_k))}`;
}

function formatValue({ group }: Measure, value: number): string {
  return group === "search" ? value.toFixed(3) : `${(100 * value).toFixed(1)}%`;
}

/** Of shares in percentage points. */
function formatDifference({ group }: Measure, difference: number): string {
  return group === "search" ? difference.toFixed(3) : `${(100 * difference).toFixed(1)} pt`;
}

function spread({ mean, p50, p95, total }: Spread, format: (value: number) => string): string[] {
  return [mean, p50, p95, total].map(format);
}

function row(label: string, cells: readonly string[]): string {
  return `${label.padEnd(LABEL_WIDTH)}${cells.map((cell) => cell.padStart(COLUMN_WIDTH)).join("")}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function clip(question: string): string {
  const line = question.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line;
}
