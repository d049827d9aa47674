import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

// The processes bench's upstream: always the same small completion, optionally streamed, and embeddings provided by
// the parent process.

const CONTENT =
  "Sudden weakness of one side of the face or body, trouble speaking, loss of vision, and severe headache are signs of a stroke. Call emergency services at once.";
const HEAD = { id: "chatcmpl-bench", created: 1_767_225_600, model: "bench" };
const USAGE = { prompt_tokens: 38, completion_tokens: 33, total_tokens: 71 };
const WHOLE = JSON.stringify({
  ...HEAD,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: CONTENT }, finish_reason: "stop" }],
  usage: USAGE,
});

let points: Record<string, string> = {};
/** The vector of any other text, such as the public sample. */
let otherwise = "";
process.on("message", (message: { points: Record<string, string> }) => {
  points = message.points;
  otherwise = Object.values(points)[0] ?? "";
  process.send?.({ ready: true });
});

const server = createServer((request, response) => {
  if (request.url?.endsWith("/embeddings")) {
    void json(request).then((body) => {
      const texts = [(body as { input: string | string[] }).input].flat();
      const data = texts.map((text, index) => ({ index, embedding: points[text] ?? otherwise }));
      send(JSON.stringify({ object: "list", data, model: "bench", usage: USAGE }));
    });
    return;
  }
  request.resume();
  request.on("end", () => send(WHOLE));

  function send(text: string): void {
    const length = Buffer.byteLength(text);
    response
      .writeHead(200, { "content-type": "application/json", "content-length": length })
      .end(text);
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
});
process.on("disconnect", () => process.exit(0));
