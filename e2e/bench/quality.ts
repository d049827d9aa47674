import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import {
  dataFolder,
  type Judged,
  mean,
  ndcg,
  readClaims,
  readQuestions,
  recall,
  withTypos,
} from "./quality/judgments";

interface Found {
  id: string;
  similarity: number;
}

const PORT = process.env.FOOTNOTE_BENCH_PORT ?? "3197";
const DEPTH = 100;

/**
 * SciFact's claims, and MEDIQA's consumer questions as they are and with a typo each, through POST /v1/kb/search of the
 * built product, each set on a fresh embedded database that also has the public sample.
 * FOOTNOTE_BENCH_SPLIT=train is for tuning; `test` is reported.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const folder = dataFolder();
  if (!folder) {
    return { table: "skipped: no data", result: { skipped: "no data" } };
  }
  const split = process.env.FOOTNOTE_BENCH_SPLIT === "train" ? "train" : "test";
  const questions = readQuestions(folder);
  const consumer = await withCorpus(path.join(folder, "mediqa/corpus.jsonl.gz"), (env) =>
    searchByHttp([...questions, ...withTypos(questions)], env),
  );
  const claims = readClaims(folder, split);
  return withCorpus(path.join(folder, "scifact/corpus.jsonl.gz"), async (env, importSeconds) => {
    const byHttp = await searchByHttp(claims, env);
    const byLibrary = await searchByLibrary(claims, env.DATA_DIR ?? "");
    return report({ split, claims, byHttp, byLibrary, importSeconds, questions, consumer });
  });
}

/** Runs `work` over a fresh embedded database with a corpus. */
async function withCorpus<T>(
  corpus: string,
  work: (env: NodeJS.ProcessEnv, importSeconds: number) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-quality-"));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    EMBEDDING_MODEL: "",
    REQUESTS_PER_MINUTE: "100000",
    APP_URL: `http://localhost:${PORT}`,
    LOG_LEVEL: "error",
  };
  try {
    return await work(env, await load(corpus, env));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function load(corpus: string, env: NodeJS.ProcessEnv): Promise<number> {
  // Some of MEDIQA's pages have "#" as their URL, which an import rejects.
  const file = path.join(env.DATA_DIR ?? "", "corpus.jsonl");
  const lines = gunzipSync(await readFile(corpus)).toString();
  await writeFile(file, lines.replaceAll(/"url": ?"(?!https?:)[^"]*",? ?/g, ""));
  const startedAt = performance.now();
  const child = spawn("npm", ["run", "-s", "kb", "--", "import", file, "--scope", "public_kb"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) {
    throw new Error("the corpus could not be imported");
  }
  return (performance.now() - startedAt) / 1000;
}

async function searchByHttp(claims: readonly Judged[], env: NodeJS.ProcessEnv): Promise<Found[][]> {
  const server = spawn(
    process.execPath,
    ["scripts/start.mjs", "--no-install", "--no-build", "--port", PORT, "--demo"],
    { env, stdio: ["ignore", "ignore", "inherit"] },
  );
  try {
    const key = await liveKey(server, env.DATA_DIR ?? "");
    const found: Found[][] = [];
    for (const { text } of claims) {
      found.push(await searchOnce(key, text));
    }
    return found;
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

async function liveKey(server: ChildProcess, dataDir: string): Promise<string> {
  for (let tries = 0; tries < 240 && server.exitCode === null; tries += 1) {
    const response = await fetch(`http://localhost:${PORT}/api/health`).catch(() => null);
    if (response?.ok) {
      return JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8")).live_key;
    }
    await sleep(500);
  }
  throw new Error("the server did not start; run npm run build first");
}

async function searchOnce(key: string, query: string): Promise<Found[]> {
  const response = await fetch(`http://localhost:${PORT}/v1/kb/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ query, sources: ["public_kb"], top_k: 50, min_score: 0 }),
  });
  if (!response.ok) {
    throw new Error(`a search failed with ${response.status}: ${await response.text()}`);
  }
  const { data } = (await response.json()) as {
    data: { metadata: { id?: string }; similarity: number }[];
  };
  return documents(data.map(({ metadata, similarity }) => ({ id: metadata.id, similarity })));
}

async function searchByLibrary(claims: readonly Judged[], dataDir: string): Promise<Found[][]> {
  Object.assign(process.env, { DATA_DIR: dataDir, DATABASE_URL: "", EMBEDDING_MODEL: "" });
  const { search } = await import("@/lib/retrieval/read/search");
  const { PUBLIC_COLLECTION } = await import("@/lib/documents/collections");
  const { closeDatabase } = await import("@/lib/db/client");
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
      sourceTypes: undefined,
      minScore: 0,
    });
    found.push(
      documents(
        passages.map(({ metadata, similarity }) => ({ id: metadata.id as string, similarity })),
      ),
    );
  }
  await closeDatabase();
  return found;
}

/** Ranks each document by its best passage. Documents outside the corpus keep their ranks. */
function documents(passages: readonly { id: string | undefined; similarity: number }[]): Found[] {
  const best = new Map<string, Found>();
  for (const [index, { id = `other-${index}`, similarity }] of passages.entries()) {
    if (!best.has(id)) {
      best.set(id, { id, similarity });
    }
  }
  return [...best.values()];
}

interface Outcome {
  split: string;
  claims: readonly Judged[];
  byHttp: readonly Found[][];
  byLibrary: readonly Found[][];
  importSeconds: number;
  questions: readonly Judged[];
  /** For the questions as they are, then with a typo each. */
  consumer: readonly Found[][];
}

function report(outcome: Outcome) {
  const { split, claims, byHttp, byLibrary, importSeconds, questions, consumer } = outcome;
  const ids = (found: readonly Found[] | undefined) => (found ?? []).map(({ id }) => id);
  const each = (score: (claim: Judged, index: number) => number) => mean(claims.map(score));
  const judged = claims.flatMap(({ relevant }, index) =>
    (byLibrary[index] ?? []).map(({ id, similarity }) => ({
      isRelevant: relevant.has(id),
      isKept: similarity >= 0.3,
    })),
  );
  const kept = (isRelevant: boolean) =>
    mean(judged.filter((one) => one.isRelevant === isRelevant).map((one) => Number(one.isKept)));
  const consumerNdcg = (found: readonly Found[][]) =>
    mean(questions.map(({ relevant }, index) => ndcg(ids(found[index]), relevant, 10)));
  const result = {
    split,
    claims: claims.length,
    ndcg_at_10: each(({ relevant }, index) => ndcg(ids(byHttp[index]), relevant, 10)),
    recall_at_10: each(({ relevant }, index) => recall(ids(byHttp[index]), relevant, 10)),
    recall_at_100: each(({ relevant }, index) => recall(ids(byLibrary[index]), relevant, DEPTH)),
    kept_relevant_share: kept(true),
    kept_other_share: kept(false),
    mediqa_ndcg_at_10: consumerNdcg(consumer),
    mediqa_typos_ndcg_at_10: consumerNdcg(consumer.slice(questions.length)),
    import_seconds: importSeconds,
  };
  const rows = Object.entries(result).map(
    ([name, value]) =>
      `| ${name} | ${typeof value === "number" ? Number(value.toFixed(4)) : value} |`,
  );
  return { table: ["| measure | value |", "|---|---|", ...rows].join("\n"), result };
}
