import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withPageCache } from "./page-cache";

let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer(
    withPageCache((request, response) => {
      const isPrerendered = request.url !== "/overview";
      response.setHeader(
        request.url === "/lower" ? "cache-control" : "Cache-Control",
        isPrerendered ? "s-maxage=31536000" : "no-store",
      );
      response.end();
    }),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

async function cacheControl(path: string, headers: Record<string, string> = {}) {
  return (await fetch(base + path, { headers })).headers.get("cache-control");
}

describe("a shared cache", () => {
  it.each(["/docs", "/lower"])("keeps a prerendered page for a minute: %s", async (path) => {
    expect(await cacheControl(path)).toBe("public, max-age=0, s-maxage=60, must-revalidate");
  });

  it.each(["next-auth.session-token=a", "footnote-member=1", "x=y"])(
    "keeps no page of a browser with a cookie: %s",
    async (cookie) => {
      expect(await cacheControl("/docs", { cookie })).toBe("private, no-cache");
    },
  );

  it("keeps nothing that isn't to be kept", async () => {
    expect(await cacheControl("/overview")).toBe("no-store");
  });
});
