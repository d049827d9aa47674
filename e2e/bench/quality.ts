import { measureConversations } from "./quality/conversations";
import { dataFolder } from "./quality/judgments";
import type { Part } from "./quality/part";
import { measureClaims, measureConsumerQuestions } from "./quality/search";
import { measureThresholds } from "./quality/thresholds";
import { toTable } from "./shared/table";

/** In the order of the table. */
const PARTS: Record<string, Part> = {
  mediqa: measureConsumerQuestions,
  scifact: measureClaims,
  conversations: measureConversations,
  thresholds: measureThresholds,
};

/**
 * Search on judged questions, one table. FOOTNOTE_BENCH_PARTS=mediqa,scifact selects parts.
 * FOOTNOTE_BENCH_SPLIT=train is for tuning; `test` is reported.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const folder = dataFolder();
  if (!folder) {
    return { table: "skipped: no data", result: { skipped: "no data" } };
  }
  const selected = process.env.FOOTNOTE_BENCH_PARTS?.split(",") ?? Object.keys(PARTS);
  const rows = [];
  for (const name of selected) {
    const part = PARTS[name];
    if (!part) {
      throw new Error(`there is no part ${name}; use ${Object.keys(PARTS).join(", ")}`);
    }
    rows.push(...(await part(folder)));
  }
  const table = toTable(
    ["set", "measure", "value", "goal"],
    rows.map(({ set, measure, value, goal = "" }) => [
      set,
      measure,
      Number(value.toFixed(4)),
      goal,
    ]),
  );
  return { table, result: { rows } };
}
