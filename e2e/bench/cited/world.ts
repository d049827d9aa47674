import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
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
  const took = { embedder: 0, upstream: 0 };
  const points = new Map(queries.map(({ text, point }) => [text, JSON.stringify([...point])]));
  const anywhere = JSON.stringify(
    Array.from({ length: DIMENSIONS }, (_, index) => Math.sin(index + 1)),
  );
  const embeddings = ({ input }: { input: string | string[] }) => {
    const data = [input].flat().map((text, index) => {
      const embedding = points.get(text) ?? anywhere;
      return `{"object":"embedding","index":${index},"embedding":${embedding}}`;
    });
    const usage = `{"prompt_tokens":1,"total_tokens":1}`;
    return `{"object":"list","data":[${data}],"usage":${usage}}`;
  };
  const completion = JSON.stringify({
    ...{ id: "chatcmpl-bench", object: "chat.completion", created: 1_767_225_600, model: MODEL },
    choices: [{ index: 0, message: { role: "assistant", content: ANSWER }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1200, completion_tokens: 60, total_tokens: 1260 },
  });
  const server: Server = createServer(async (request, response) => {
    const startedAt = performance.now();
    const body = await text(request);
    const isEmbedding = request.url?.endsWith("/embeddings");
    const answer = isEmbedding ? embeddings(JSON.parse(body)) : completion;
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
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
