import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Judged {
  id: string;
  text: string;
  /** The documents that experts judged relevant, with their grades. */
  relevant: ReadonlyMap<string, number>;
}

/** The folder with the judged data; null if there is none. */
export function dataFolder(): string | null {
  const folder = process.env.FOOTNOTE_DATA || path.resolve("../shared/data");
  return existsSync(path.join(folder, "scifact")) ? folder : null;
}

/** A split's SciFact claims with a relevant abstract. */
export function readClaims(folder: string, split: "train" | "test"): Judged[] {
  return readJudged(
    path.join(folder, `scifact/queries-${split}.jsonl`),
    path.join(folder, `scifact/qrels-${split}.tsv`),
  );
}

/** The consumer health questions of MEDIQA; empty if they aren't there. */
export function readQuestions(folder: string): Judged[] {
  const file = path.join(folder, "mediqa/queries.jsonl");
  return existsSync(file) ? readJudged(file, path.join(folder, "mediqa/qrels.tsv")) : [];
}

/** Pairs each query that has a relevant document with its judgments: `query-id, doc-id, grade` after a heading. */
function readJudged(queries: string, judgments: string): Judged[] {
  const lines = (file: string) => readFileSync(file, "utf8").trim().split("\n");
  const relevant = new Map<string, Map<string, number>>();
  for (const row of lines(judgments).slice(1)) {
    const [query = "", document = "", grade] = row.split("\t");
    if (Number(grade) > 0) {
      relevant.set(query, (relevant.get(query) ?? new Map()).set(document, Number(grade)));
    }
  }
  return lines(queries)
    .map((line) => JSON.parse(line) as { id: string; text: string })
    .flatMap(({ id, text }) => {
      const documents = relevant.get(id);
      return documents ? [{ id, text, relevant: documents }] : [];
    });
}

/** Swaps two neighboring letters in the longest word of each text, the same ones in every run. */
export function withTypos(judged: readonly Judged[]): Judged[] {
  return judged.map(({ text, ...rest }, index) => {
    const [word] = [...text.matchAll(/[A-Za-z]+/g)].sort((a, b) => b[0].length - a[0].length);
    const letters = word?.[0] ?? "";
    const places = [...letters.slice(1)].flatMap((letter, at) =>
      letter === letters[at] ? [] : at,
    );
    const at = (word?.index ?? 0) + (places[(7 * index + 3) % Math.max(1, places.length)] ?? 0);
    return {
      ...rest,
      text: `${text.slice(0, at)}${text[at + 1] ?? ""}${text[at] ?? ""}${text.slice(at + 2)}`,
    };
  });
}
