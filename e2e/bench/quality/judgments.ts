import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Judged {
  id: string;
  text: string;
  /** The documents that experts judged relevant. */
  relevant: ReadonlySet<string>;
}

/** The folder with the judged data; null if there is none. */
export function dataFolder(): string | null {
  const folder = process.env.FOOTNOTE_DATA || path.resolve("../shared/data");
  return existsSync(path.join(folder, "scifact")) ? folder : null;
}

/** A split's SciFact claims with a relevant abstract. */
export function readClaims(folder: string, split: "train" | "test"): Judged[] {
  const [, ...rows] = readFileSync(path.join(folder, `scifact/qrels-${split}.tsv`), "utf8")
    .trim()
    .split("\n");
  const relevant = new Map<string, Set<string>>();
  for (const row of rows) {
    const [query = "", document = "", grade] = row.split("\t");
    if (Number(grade) > 0) {
      relevant.set(query, (relevant.get(query) ?? new Set()).add(document));
    }
  }
  return readFileSync(path.join(folder, `scifact/queries-${split}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; text: string })
    .flatMap(({ id, text }) => {
      const documents = relevant.get(id);
      return documents ? [{ id, text, relevant: documents }] : [];
    });
}

/** Normalized discounted cumulative gain of a ranking with binary relevance. */
export function ndcg(
  ranking: readonly string[],
  relevant: ReadonlySet<string>,
  at: number,
): number {
  const gain = (index: number) => 1 / Math.log2(index + 2);
  const found = ranking
    .slice(0, at)
    .reduce((sum, id, index) => sum + (relevant.has(id) ? gain(index) : 0), 0);
  const best = Array.from({ length: Math.min(at, relevant.size) }, (_, index) => gain(index));
  return found / best.reduce((sum, each) => sum + each, 0);
}

export function recall(
  ranking: readonly string[],
  relevant: ReadonlySet<string>,
  at: number,
): number {
  return ranking.slice(0, at).filter((id) => relevant.has(id)).length / relevant.size;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
