import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withAssets } from "./assets";

const SCRIPT = "console.log('a page');\n".repeat(100);

let folder: string;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "footnote-assets-"));
  await mkdir(path.join(folder, "chunks"));
  await writeFile(path.join(folder, "chunks/a.js"), SCRIPT);
  await writeFile(path.join(folder, "chunks/a.js.br"), brotliCompressSync(SCRIPT));
  server = createServer(
    withAssets(folder, (request, response) => response.writeHead(404).end(request.url)),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

describe("page assets", () => {
  it("are sent compressed and immutable to clients that accept brotli", async () => {
    const response = await fetch(`${base}/_next/static/chunks/a.js`, {
      headers: { "accept-encoding": "gzip, br" },
    });
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(response.headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(response.headers.get("cache-control")).toMatch(/max-age=31536000,\s?immutable/);
    expect(response.headers.get("vary")).toMatch(/accept-encoding/i);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).toBe(SCRIPT);
  });

  it("are sent uncompressed to clients that don't accept brotli", async () => {
    const headers = { "accept-encoding": "identity" };
    const response = await fetch(`${base}/_next/static/chunks/a.js`, { headers });
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(await response.text()).toBe(SCRIPT);
  });

  it.each([
    "/",
    "/v1/models?limit=1",
    "/_next/static/chunks/none.js?x=1",
    "/_next/static/../secret",
    "/_next/static/%2e%2e/package.json",
    "/_next/static/chunks/",
  ])("don't include %s, which goes unchanged to the next handler", async (url) => {
    const response = await fetch(base + url);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe(new URL(url, base).href.slice(base.length));
  });
});
