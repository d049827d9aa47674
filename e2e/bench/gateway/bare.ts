import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { Pool } from "undici";

// The least that a gateway of node:http and undici does: it reads a JSON body and passes it and the answer on. It shows
// what the machine leaves for everything else.

const upstream = new URL(process.argv[2] ?? "");
const pool = new Pool(upstream.origin, { connections: 64 });
const path = `${upstream.pathname}/chat/completions`;
const headers = { "content-type": "application/json" };

const server = createServer(async (request, response) => {
  const body = JSON.stringify(await json(request));
  const answer = await pool.request({ path, method: "POST", headers, body });
  const text = JSON.stringify(await answer.body.json());
  response
    .writeHead(answer.statusCode, { ...headers, "content-length": Buffer.byteLength(text) })
    .end(text);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on("disconnect", () => process.exit(0));
