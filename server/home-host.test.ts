import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withHomeHost } from "./home-host";

const HOME = "http://localhost:3000";
const server = createServer(withHomeHost(HOME, (_request, response) => response.end("page")));

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

/** Where a GET is redirected to; null if it is answered. */
async function locationOf(path: string, headers: Record<string, string>): Promise<string | null> {
  const { port } = server.address() as AddressInfo;
  const request = get({
    ...{ port, path, host: "127.0.0.1" },
    // As the connection guard completes it.
    headers: { accept: "text/html,*/*", "x-forwarded-for": "127.0.0.1", ...headers },
  });
  const [response] = await once(request, "response");
  response.resume();
  return response.headers.location ?? null;
}

describe("a page opened at another name of this machine", () => {
  it.each([
    ["127.0.0.1:3000", "/sign-in?callbackUrl=%2Fbilling"],
    ["[::1]:3000", "/billing?checkout=cs_1"],
    ["127.0.0.1:3000", "//evil.example/x"],
  ])("is opened at APP_URL's name instead: %s%s", async (host, path) => {
    expect(await locationOf(path, { host })).toBe(`${HOME}${path}`);
  });

  it.each([
    ["APP_URL's own name", "/billing", { host: "localhost:3000" }],
    ["another port, which is another server", "/billing", { host: "127.0.0.1:4000" }],
    ["a host that isn't this machine", "/billing", { host: "footnote.example" }],
    ["a host that only looks like it", "/", { host: "127.0.0.1:3000@evil.example" }],
    ["the API", "/v1/models", { host: "127.0.0.1:3000" }],
    ["a health check", "/api/health", { host: "127.0.0.1:3000" }],
    ["a request that wants no page", "/billing", { host: "127.0.0.1:3000", accept: "*/*" }],
    [
      "a proxy's request",
      "/",
      { host: "127.0.0.1:3000", "x-forwarded-for": "192.0.2.1, 127.0.0.1" },
    ],
    [
      "a proxy that names the host",
      "/",
      { host: "127.0.0.1:3000", "x-forwarded-host": "a.example" },
    ],
  ])("stays where it is for %s", async (_name, path, headers) => {
    expect(await locationOf(path, headers)).toBeNull();
  });
});
