import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { publicGate, route } from "@/lib/platform/http/route";
import { sse } from "@/lib/platform/http/sse";
import { createHost } from "./host";

const echo = route({
  gate: publicGate,
  params: z.object({ id: z.string() }),
  body: z.unknown(),
  handle: async ({ params, body }) => ({ ...params, body }),
});

async function serve(files: Parameters<typeof createHost>[0]) {
  const host = createHost(files, (request, response) => response.end(`next: ${request.url}`));
  const server = createServer(host.answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { host, port, url: `http://127.0.0.1:${port}` };
}

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } });
}

describe("the host of npm start", () => {
  it("routes a path to its route file, with params and body", async () => {
    const { url } = await serve({ "../app/v1/things/[id]/route.ts": { POST: echo } });
    const response = await post(`${url}/v1/things/a-1?x=1`, '{"a":"ä"}');
    expect(await response.json()).toEqual({ id: "a-1", body: { a: "ä" } });
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  });

  it("answers the liveness probe itself, and leaves the rest of /api to Next.js", async () => {
    const live = route({ gate: publicGate, handle: async () => ({ status: "ok" }) });
    const { url } = await serve({ "../app/api/live/route.ts": { GET: live } });
    expect(await (await fetch(`${url}/api/live`)).json()).toEqual({ status: "ok" });
    for (const path of ["/api/live/", "/api/lively", "/api/health"]) {
      expect(await (await fetch(url + path)).text()).toBe(`next: ${path}`);
    }
  });

  it("leads to the not-found page of Next.js if a page's path can't be decoded", async () => {
    const { url } = await serve({});
    for (const path of ["/keys/%E0%A4%A", "/s/%zz?x=1", "/%"]) {
      expect(await (await fetch(url + path)).text()).toBe("next: /%");
    }
    expect(await (await fetch(`${url}/keys/%E0%A4%B6`)).text()).toBe("next: /keys/%E0%A4%B6");
  });

  it("passes paths and methods that the route files don't cover to Next.js", async () => {
    const { url } = await serve({ "../app/v1/[...rest]/route.ts": { POST: echo } });
    for (const path of ["/", "/v1", "/v1/a/", "/v1/%61", "/v1/.a", "/v10/a", "/api/v1/a"]) {
      expect(await (await post(url + path, "{}")).text()).toBe(`next: ${path}`);
    }
    for (const method of ["GET", "DELETE"]) {
      expect(await (await fetch(`${url}/v1/a`, { method })).text()).toBe("next: /v1/a");
    }
  });

  it("signals the handler when a client disconnects, and is idle once the handler finishes", async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const waiting = route({
      gate: async (_request, { signal }) => ({ ctx: signal }),
      handle: ({ ctx: signal }) => {
        begun.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => ended.promise.then(() => reject(signal.reason)));
        });
      },
    });
    const { host, port } = await serve({ "../app/v1/wait/route.ts": { GET: waiting } });
    const client = connect(port, "127.0.0.1");
    client.write("GET /v1/wait HTTP/1.1\r\nhost: a\r\n\r\n");
    await begun.promise;
    client.destroy();
    let isIdle = false;
    const idle = host.idle().then(() => {
      isIdle = true;
    });
    await new Promise(setImmediate);
    expect(isIdle).toBe(false);
    ended.resolve();
    await idle;
  });

  it("closes a stream's source when its reader disconnects", async () => {
    const ended = Promise.withResolvers<void>();
    async function* events() {
      try {
        for (let count = 0; ; count += 1) {
          yield { count };
          await new Promise(setImmediate);
        }
      } finally {
        ended.resolve();
      }
    }
    const stream = route({ gate: publicGate, handle: async () => sse(events()) });
    const { url } = await serve({ "../app/v1/stream/route.ts": { GET: stream } });
    const response = await fetch(`${url}/v1/stream`);
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(
      /^data: {"count":0}\n\n/,
    );
    await reader?.cancel();
    await ended.promise;
  });

  it("answers 413 before an oversized body has arrived", async () => {
    const { port } = await serve({ "../app/v1/things/[id]/route.ts": { POST: echo } });
    const client = connect(port, "127.0.0.1");
    client.write(
      "POST /v1/things/a HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 9000000\r\n\r\n{",
    );
    const answer = await new Promise<string>((resolve) =>
      client.once("data", (bytes) => resolve(bytes.toString())),
    );
    client.destroy();
    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"payload_too_large"/);
  });
});
