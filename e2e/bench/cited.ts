import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { json } from "node:stream/consumers";
import { MODEL, startFootnote } from "./gateway/gateways";
import { type Gateway, runOwn } from "./gateway/processes";
import { copyCorpus, SEED } from "./search/copy";
import { Corpus } from "./search/corpus";
import { DIMENSIONS } from "./search/points";
import { type BenchQuery, makeQueries } from "./search/queries";
import { openServer } from "./search/server";
import { toTable } from "./shared/table";

const CHUNKS = 100_000;
const QUERIES = 200;
const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 5);
const COPY = "footnote_bench_cited";
/** One sentence per source, so that markers are parsed and claims verified as usual. */
const ANSWER = [1, 2, 3, 4]
  .map((id) => `The passage answers the question about it [${id}].`)
  .join(" ");

/** The embedder's and the upstream's share of the current request. */
interface Elsewhere {
  embedder: number;
  upstream: number;
}

interface Timed extends Elsewhere {
  total: number;
}

/**
 * Sequential cited completions over 100,000 chunks through `npm start` on PostgreSQL: total time minus the time of the
 * embedder and the model, which respond instantly. Uses a copy of the search bench's corpus.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const databaseUrl = await copyCorpus(await openServer(), CHUNKS, COPY);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-cited-"));
  const queries = makeQueries(new Corpus(CHUNKS, SEED), QUERIES);
  const world = await openWorld(queries);
  let gateway: Gateway | undefined;
  try {
    const started = await startFootnote({
      databaseUrl,
      dataDir,
      upstream: world.url,
      env: { EMBEDDING_MODEL: "bench", EMBEDDING_BASE_URL: world.url },
    });
    gateway = started.gateway;
    const accounts = [...new Set(queries.map(({ accountId }) => accountId))].join(",");
    const keys = JSON.parse(await runOwn("account.ts", ["join", MODEL, accounts], started.env));
    const timed = await measureAll(queries, (query) =>
      ask(new URL(started.gateway.url).origin, { query, key: keys[query.accountId], world }),
    );
    return report(timed);
  } finally {
    world.close();
    await gateway?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface World {
  url: string;
  took: Elsewhere;
  close(): void;
}

/** An embedder with precomputed query vectors, and a model that responds instantly. */
async function openWorld(queries: readonly BenchQuery[]): Promise<World> {
  const points = new Map(queries.map(({ text, point }) => [text, [...point]]));
  const anywhere = Array.from({ length: DIMENSIONS }, (_, index) => Math.sin(index + 1));
  const took: Elsewhere = { embedder: 0, upstream: 0 };
  const embeddings = ({ input }: { input: string | string[] }) => ({
    object: "list",
    data: [input].flat().map((text, index) => ({
      ...{ object: "embedding", index },
      embedding: points.get(text) ?? anywhere,
    })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
  const completion = () => ({
    ...{ id: "chatcmpl-bench", object: "chat.completion", created: 1_767_225_600, model: MODEL },
    choices: [{ index: 0, message: { role: "assistant", content: ANSWER }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1200, completion_tokens: 60, total_tokens: 1260 },
  });
  const server: Server = createServer(async (request, response) => {
    const startedAt = performance.now();
    const body = (await json(request)) as { input: string };
    const isEmbedding = request.url?.endsWith("/embeddings");
    const text = JSON.stringify(isEmbedding ? embeddings(body) : completion());
    response.writeHead(200, { "content-type": "application/json" }).end(text);
    took[isEmbedding ? "embedder" : "upstream"] += performance.now() - startedAt;
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, took, close: () => void server.close() };
}

interface Asked {
  query: BenchQuery;
  key: string;
  world: World;
}

async function ask(origin: string, { query, key, world }: Asked): Promise<Timed> {
  Object.assign(world.took, { embedder: 0, upstream: 0 });
  const sources = query.collections.map(({ scope }) => scope);
  const startedAt = performance.now();
  const answer = await fetch(`${origin}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: MODEL,
      max_tokens: 200,
      messages: [{ role: "user", content: query.text }],
      citations: { enabled: true, required: true, top_k: 8, min_score: 0, sources },
    }),
  });
  const body = await answer.json();
  const total = performance.now() - startedAt;
  if (!answer.ok || body.citations.length === 0 || body.warnings) {
    throw new Error(`${answer.status}: ${JSON.stringify(body).slice(0, 400)}`);
  }
  return { total, ...world.took };
}

type Ask = (query: BenchQuery) => Promise<Timed>;

/** Round 0 is the warm-up. */
async function measureAll(queries: readonly BenchQuery[], ask: Ask) {
  const timed: Timed[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const query of queries) {
      const one = await ask(query);
      if (round > 0) {
        timed.push(one);
      }
    }
  }
  return timed;
}

function report(timed: readonly Timed[]) {
  const shares = {
    "total, as seen by the client": timed.map(({ total }) => total),
    embedder: timed.map(({ embedder }) => embedder),
    model: timed.map(({ upstream }) => upstream),
    "product only": timed.map(({ total, embedder, upstream }) => total - embedder - upstream),
  };
  const rows = Object.entries(shares).map(([name, ms]) => [name, at(ms, 0.5), at(ms, 0.95)]);
  const own = shares["product only"];
  const figures = { own_p50_ms: at(own, 0.5), own_p95_ms: at(own, 0.95), requests: timed.length };
  const table = `${toTable(["ms", "p50", "p95"], rows)}\n${JSON.stringify(figures)}`;
  return { table, result: figures };
}

function at(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return Number((ascending[Math.floor(ascending.length * share)] ?? 0).toFixed(2));
}
