import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { MODEL } from "../gateway/gateways";
import { DIMENSIONS } from "../search/points";
import type { BenchQuery } from "../search/queries";

/** One sentence per source, so that markers are parsed and claims verified as usual. */
const ANSWER = [1, 2, 3, 4]
  .map((id) => `The passage answers the question about it [${id}].`)
  .join(" ");

/** An embedder with precomputed query vectors, and a model that responds instantly. */
export interface World {
  url: string;
  /** Their time in ms since the last reset. */
  took: { embedder: number; upstream: number };
  reset(): void;
  close(): void;
}

export async function openWorld(queries: readonly BenchQuery[]): Promise<World> {
  const points = new Map(queries.map(({ text, point }) => [text, [...point]]));
  const anywhere = Array.from({ length: DIMENSIONS }, (_, index) => Math.sin(index + 1));
  const took = { embedder: 0, upstream: 0 };
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
  return {
    url: `http://127.0.0.1:${port}/v1`,
    took,
    reset: () => Object.assign(took, { embedder: 0, upstream: 0 }),
    close: () => void server.close(),
  };
}
