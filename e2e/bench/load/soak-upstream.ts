import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

// The upstream of the soak and abuse benches: a small completion, plain or in chunks every 20 ms, which quotes its first
// source. For the user "slow" it waits first, and for "megabytes" it streams those as fast as they are read.

const PIECE_MS = 20;
const SLOW_MS = 2000;
const MEGABYTES = 4;
const LONG_PIECE = "These words go on. ".padEnd(16 * 1024, "and on ");
const WORDS =
  "Call emergency services at once [1]. Sudden weakness of one side and trouble speaking are signs.".split(
    " ",
  );
const FRAME = { id: "chatcmpl-soak", created: 1_767_225_600, model: "bench" };
const USAGE = {
  prompt_tokens: 40,
  completion_tokens: WORDS.length,
  total_tokens: 40 + WORDS.length,
};

const server = createServer(async (request, response) => {
  const { stream, user } = JSON.parse(await text(request));
  if (user === "slow") {
    await sleep(SLOW_MS);
  }
  await (stream ? inPieces(response, user === "megabytes") : whole(response));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
});
process.on("disconnect", () => process.exit(0));

function whole(response: ServerResponse): void {
  const message = { role: "assistant", content: WORDS.join(" "), refusal: null };
  response.writeHead(200, { "content-type": "application/json" }).end(
    JSON.stringify({
      ...FRAME,
      object: "chat.completion",
      choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
      usage: USAGE,
    }),
  );
}

async function inPieces(response: ServerResponse, isLong: boolean): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choices: object[], usage: object | null = null) =>
    response.write(
      `data: ${JSON.stringify({ ...FRAME, object: "chat.completion.chunk", choices, usage })}\n\n`,
    );
  for (let left = isLong ? MEGABYTES * 64 : 0; left > 0 && !response.destroyed; left -= 1) {
    send([{ index: 0, delta: { content: LONG_PIECE }, finish_reason: null }]);
    while (response.writableNeedDrain && !response.destroyed) {
      await sleep(PIECE_MS);
    }
  }
  for (const word of WORDS) {
    send([{ index: 0, delta: { content: `${word} ` }, finish_reason: null }]);
    await sleep(PIECE_MS);
  }
  send([{ index: 0, delta: {}, finish_reason: "stop" }]);
  send([], USAGE);
  response.end("data: [DONE]\n\n");
}
