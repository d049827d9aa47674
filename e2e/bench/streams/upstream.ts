import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

// The streams bench's upstream: numbered chunks at the requested pace.

const HEADERS = { "content-type": "text/event-stream" };

/** Parsed from the `user` field, which every gateway passes on. */
interface Pace {
  chunks: number;
  every_ms: number;
}

function event(fields: object): string {
  const frame = { id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1_767_225_600 };
  return `data: ${JSON.stringify({ ...frame, model: "bench", system_fingerprint: "fp", ...fields })}\n\n`;
}

function choice(delta: object, finish_reason: string | null) {
  return { index: 0, delta, logprobs: null, finish_reason };
}

const events: string[] = [];
for (let index = 0; index < 1000; index += 1) {
  events.push(event({ choices: [choice({ content: `${index} ` }, null)] }));
}

function end(chunks: number): string {
  const usage = { prompt_tokens: 38, completion_tokens: chunks, total_tokens: 38 + chunks };
  return `${event({ choices: [choice({}, "stop")] })}${event({ choices: [], usage })}data: [DONE]\n\n`;
}

function stream(response: ServerResponse, { chunks, every_ms }: Pace): void {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(events[sent]);
    sent += 1;
    if (sent === chunks) {
      clearInterval(timer);
      response.end(end(chunks));
    }
  }, every_ms);
  response.once("close", () => clearInterval(timer));
}

const server = createServer(async (request, response) => {
  const { user } = (await json(request)) as { user: string };
  stream(response.writeHead(200, HEADERS), JSON.parse(user));
});
server.keepAliveTimeout = 60_000;
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
});
process.on("disconnect", () => process.exit(0));
