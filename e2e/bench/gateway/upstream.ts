import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// The gateway bench's upstream: always the same small completion, as cheaply as node:http can.

const ANSWER = JSON.stringify({
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1_767_225_600,
  model: "bench",
  system_fingerprint: "fp_bench",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content:
          "Sudden weakness of one side of the face or body, trouble speaking, loss of vision, and severe headache are signs of a stroke. Call emergency services at once.",
        refusal: null,
      },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 38, completion_tokens: 33, total_tokens: 71 },
});
const HEADERS = {
  "content-type": "application/json",
  "content-length": Buffer.byteLength(ANSWER),
};

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, HEADERS).end(ANSWER));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
});
process.on("disconnect", () => process.exit(0));
