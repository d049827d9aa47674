import { Pool } from "undici";
import { MODEL, startFootnote } from "../gateway/gateways";
import { type Gateway, runOwn } from "../gateway/processes";
import type { BenchQuery } from "../search/queries";
import { onServer } from "../search/server";

/** A running build of the product. */
export interface Build {
  name: string;
  gateway: Gateway;
  databaseUrl: string;
  /** Asks a query, and throws unless it is answered with citations. */
  ask(query: BenchQuery): Promise<void>;
  /** The chunks that each query's last answer was given, in order, with their similarity. */
  sources: Map<BenchQuery, string[]>;
}

interface Surroundings {
  databaseUrl: string;
  dataDir: string;
  upstream: string;
  checkout?: string | undefined;
}

export async function openBuild(
  name: string,
  surroundings: Surroundings,
  queries: readonly BenchQuery[],
): Promise<Build> {
  const { gateway, env } = await startFootnote({
    ...surroundings,
    env: {
      ...{ EMBEDDING_MODEL: "bench", EMBEDDING_BASE_URL: surroundings.upstream },
      // Background work would replace the copied vector indexes.
      RUN_JOBS: "false",
    },
  });
  // Like a worker does, after the public sample was imported.
  await onServer(surroundings.databaseUrl, (client) =>
    client.query("SELECT gin_clean_pending_list('chunk_term_keys_idx')"),
  );
  const accounts = [...new Set(queries.map(({ accountId }) => accountId))].join(",");
  const keys = JSON.parse(await runOwn("account.ts", ["join", MODEL, accounts], env));
  const sources: Build["sources"] = new Map();
  // `fetch` would take a third of what the server takes for an answer.
  const { origin, pathname: path } = new URL(gateway.url);
  const connections = new Pool(origin);
  const ask = async (query: BenchQuery) => {
    const answer = await connections.request({
      path,
      method: "POST",
      headers: { ...gateway.headers, authorization: `Bearer ${keys[query.accountId]}` },
      body: JSON.stringify({
        model: MODEL,
        max_tokens: 200,
        messages: [{ role: "user", content: query.text }],
        citations: {
          ...{ enabled: true, required: true, top_k: 8, min_score: 0 },
          sources: query.collections.map(({ scope }) => scope),
        },
      }),
    });
    const body = JSON.parse(await answer.body.text());
    if (answer.statusCode !== 200 || body.citations.length === 0 || body.warnings) {
      throw new Error(`${name}: ${answer.statusCode}: ${JSON.stringify(body).slice(0, 400)}`);
    }
    sources.set(
      query,
      body.citations.map((one: { chunk_id: string; similarity: number }) =>
        [one.chunk_id, one.similarity].join(" "),
      ),
    );
  };
  return { name, gateway, databaseUrl: surroundings.databaseUrl, ask, sources };
}

/** How many queries got the same sources from all builds, in the same order and as similar. */
export function compareSources([first, ...others]: readonly Build[]) {
  const queries = [...(first?.sources.keys() ?? [])];
  const sourcesOf = (build: Build | undefined, query: BenchQuery) =>
    build?.sources.get(query) ?? [];
  const isSame = (query: BenchQuery) =>
    others.every((other) => sourcesOf(other, query).join() === sourcesOf(first, query).join());
  return { queries: queries.length, with_the_same_sources: queries.filter(isSame).length };
}
