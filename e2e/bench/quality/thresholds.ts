import path from "node:path";
import { mean } from "@/lib/answers/evaluation/measures";
import { type Judged, readClaims, readQuestions } from "./judgments";
import offTopic from "./off-topic.json" with { type: "json" };
import type { Row } from "./part";
import { withCorpus, withServer } from "./server";

interface Corpus {
  set: string;
  file: string;
  /** Empty for a corpus without judgments. */
  questions: Judged[];
}

const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
/** The default `top_k`. */
const FIRST = 8;

/**
 * The curve of `min_score`, words only: how many of the relevant passages among the first 8 pass each threshold, and how
 * many lines of small talk get any passage. The other half of the lines and of MEDIQA's questions was used for tuning.
 */
export async function measureThresholds(folder: string): Promise<Row[]> {
  const half = process.env.FOOTNOTE_BENCH_SPLIT === "train" ? 0 : 1;
  const isOfHalf = (_: unknown, index: number) => index % 2 === half;
  const lines = offTopic.filter(isOfHalf);
  const corpora: Corpus[] = [
    { set: "MEDIQA", file: "mediqa", questions: readQuestions(folder).filter(isOfHalf) },
    {
      set: "SciFact",
      file: "scifact",
      questions: readClaims(folder, half === 0 ? "train" : "test"),
    },
    { set: "MedQuAD", file: "medquad", questions: [] },
  ];
  const rows: Row[] = [];
  for (const corpus of corpora) {
    rows.push(...(await measureCurve(folder, corpus, lines)));
  }
  return rows;
}

async function measureCurve(
  folder: string,
  { set, file, questions }: Corpus,
  lines: readonly string[],
): Promise<Row[]> {
  const [relevant, best] = await withCorpus(path.join(folder, file, "corpus.jsonl.gz"), (env) =>
    withServer(env, async (post) => {
      const search = async (query: string) => {
        const body = { query, sources: ["public_kb"], top_k: FIRST, min_score: 0 };
        return ((await post("/v1/kb/search", body)) as { data: Found[] }).data;
      };
      const kept: number[] = [];
      for (const { text, relevant } of questions) {
        const found = await search(text);
        kept.push(
          ...found.flatMap(({ metadata: { id = "" }, similarity }) =>
            relevant.has(id) ? similarity : [],
          ),
        );
      }
      const most: number[] = [];
      for (const line of lines) {
        const found = await search(line);
        most.push(Math.max(0, ...found.map(({ similarity }) => similarity)));
      }
      return [kept, most];
    }),
  );
  return THRESHOLDS.flatMap((threshold): Row[] => {
    const share = (values: readonly number[] = []) =>
      mean(values.map((value) => Number(value >= threshold)));
    const measure = (what: string) => `${what} at min_score ${threshold}`;
    return [
      ...(questions.length > 0
        ? [{ set, measure: measure("relevant passages kept"), value: share(relevant) }]
        : []),
      { set, measure: measure("small talk with a passage"), value: share(best) },
    ];
  });
}

interface Found {
  metadata: { id?: string };
  similarity: number;
}
