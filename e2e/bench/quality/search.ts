import path from "node:path";
import { mean, ndcg, recall } from "@/lib/answers/evaluation/measures";
import { type Judged, readClaims, readQuestions, withTypos } from "./judgments";
import type { Row } from "./part";
import { withCorpus, withServer } from "./server";

interface Found {
  id: string;
  similarity: number;
}

const DEPTH = 100;

/** MEDIQA's consumer questions, as they are and with a typo each, through POST /v1/kb/search. */
export async function measureConsumerQuestions(folder: string): Promise<Row[]> {
  const questions = readQuestions(folder);
  if (questions.length === 0) {
    return [];
  }
  const found = await withCorpus(path.join(folder, "mediqa/corpus.jsonl.gz"), (env) =>
    searchByHttp([...questions, ...withTypos(questions)], env),
  );
  const score = (rankings: readonly Found[][]) =>
    mean(questions.map(({ relevant }, index) => ndcg(ids(rankings[index]), relevant, 10)));
  return [
    { set: "MEDIQA", measure: "nDCG@10", value: score(found), goal: "≥ 0.635" },
    {
      set: "MEDIQA with a typo a question",
      measure: "nDCG@10",
      value: score(found.slice(questions.length)),
      goal: "≥ 0.60",
    },
  ];
}

/** SciFact's claims through POST /v1/kb/search, and by the library for what the API doesn't return. */
export async function measureClaims(folder: string): Promise<Row[]> {
  const split = process.env.FOOTNOTE_BENCH_SPLIT === "train" ? "train" : "test";
  const claims = readClaims(folder, split);
  return withCorpus(path.join(folder, "scifact/corpus.jsonl.gz"), async (env, importSeconds) => {
    const byHttp = await searchByHttp(claims, env);
    const byLibrary = await searchByLibrary(claims, env.DATA_DIR ?? "");
    const each = (score: (claim: Judged, index: number) => number) => mean(claims.map(score));
    const set = `SciFact ${split}`;
    return [
      {
        set,
        measure: "nDCG@10",
        value: each(({ relevant }, index) => ndcg(ids(byHttp[index]), relevant, 10)),
        goal: "≥ 0.695",
      },
      {
        set,
        measure: "Recall@10",
        value: each(({ relevant }, index) => recall(ids(byHttp[index]), relevant, 10)),
      },
      {
        set,
        measure: "Recall@100",
        value: each(({ relevant }, index) => recall(ids(byLibrary[index]), relevant, DEPTH)),
        goal: "≥ 0.92",
      },
      ...keptByMinScore(claims, byLibrary).map((row) => ({ set, ...row })),
      { set, measure: "import, seconds", value: importSeconds },
    ];
  });
}

function keptByMinScore(claims: readonly Judged[], found: readonly Found[][]) {
  const judged = claims.flatMap(({ relevant }, index) =>
    (found[index] ?? []).map(({ id, similarity }) => ({
      isRelevant: relevant.has(id),
      isKept: similarity >= 0.3,
    })),
  );
  const kept = (isRelevant: boolean) =>
    mean(judged.filter((one) => one.isRelevant === isRelevant).map((one) => Number(one.isKept)));
  return [
    { measure: "relevant passages that pass the default min_score", value: kept(true) },
    { measure: "other passages of the top 300 that pass it", value: kept(false) },
  ];
}

function ids(found: readonly Found[] | undefined): string[] {
  return (found ?? []).map(({ id }) => id);
}

function searchByHttp(claims: readonly Judged[], env: NodeJS.ProcessEnv): Promise<Found[][]> {
  return withServer(env, async (post) => {
    const found: Found[][] = [];
    for (const { text } of claims) {
      const body = { query: text, sources: ["public_kb"], top_k: 50, min_score: 0 };
      const { data } = (await post("/v1/kb/search", body)) as {
        data: { metadata: { id?: string }; similarity: number }[];
      };
      found.push(
        rankDocuments(data.map(({ metadata, similarity }) => ({ id: metadata.id, similarity }))),
      );
    }
    return found;
  });
}

async function searchByLibrary(claims: readonly Judged[], dataDir: string): Promise<Found[][]> {
  Object.assign(process.env, { DATA_DIR: dataDir, DATABASE_URL: "", EMBEDDING_MODEL: "" });
  const { search } = await import("@/lib/library/retrieval/read/search");
  const { PUBLIC_COLLECTION } = await import("@/lib/library/documents/collections");
  const { closeDatabase } = await import("@/lib/platform/db/client");
  const found: Found[][] = [];
  for (const { text } of claims) {
    const ctx = {
      account: { id: "acct_bench" },
      actor: { kind: "system" as const, job: "bench" },
      requestId: "req_bench",
      signal: new AbortController().signal,
    };
    const { passages } = await search(ctx as never, {
      query: text,
      collections: [PUBLIC_COLLECTION],
      topK: 3 * DEPTH,
      minScore: 0,
    });
    found.push(
      rankDocuments(
        passages.map(({ metadata, similarity }) => ({ id: metadata.id as string, similarity })),
      ),
    );
  }
  await closeDatabase();
  return found;
}

/** Ranks each document by its best passage. Documents outside the corpus keep their ranks. */
function rankDocuments(passages: readonly { id: string | undefined; similarity: number }[]) {
  const best = new Map<string, Found>();
  for (const [index, { id = `other-${index}`, similarity }] of passages.entries()) {
    if (!best.has(id)) {
      best.set(id, { id, similarity });
    }
  }
  return [...best.values()];
}
