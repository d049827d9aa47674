import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUILD_ORIGIN } from "@/lib/platform/env";
import { publicPages, withPublicPages } from "./public-pages";

const SCRIPT = '<script src="/_next/a.js" async="" nonce="r4nd0m"></script>';
const PAGE = `<html><head><meta content="${BUILD_ORIGIN}/image.png"/>${SCRIPT}</head><body data-scripts-on-use="true"><pre class="x"><code>curl http://localhost:3000/v1</code></pre><p>Open http://localhost:3000.</p></body></html>`;

let folder: string;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "footnote-pages-"));
  const routes = {
    "/(site)/sources/[id]/page": "/sources/[id]",
    "/(site)/docs/[slug]/markdown/route": "/docs/[slug]/markdown",
    "/(account)/sign-in/page": "/sign-in",
    "/(console)/keys/page": "/keys",
    "/(console)/settings/[[...section]]/page": "/settings/[[...section]]",
    "/v1/models/[...model]/route": "/v1/models/[...model]",
  };
  await writeFile(path.join(folder, "app-path-routes-manifest.json"), JSON.stringify(routes));
  const files = path.join(folder, "public");
  await mkdir(files);
  await writeFile(path.join(files, "openapi.json"), "{}");
  const options = { isPublic: publicPages(folder, files), appUrl: "https://footnote.example" };
  server = createServer(
    withPublicPages(options, (request, response) => {
      if (request.url === "/sign-in?moved") {
        response.writeHead(307, { location: "/overview" }).end();
        return;
      }
      const isData = request.headers.rsc !== undefined;
      response.setHeader("content-type", isData ? "text/x-component" : "text/html; charset=utf-8");
      response.flushHeaders();
      response.write(PAGE.slice(0, 30));
      response.end(PAGE.slice(30));
    }),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

describe("public pages", () => {
  it.each(["br", "gzip", "identity"])("are sent whole, encoded as %s", async (encoding) => {
    const headers = { "accept-encoding": encoding };
    const response = await fetch(`${base}/sources/doc_1?quote=1`, { headers });
    const sent = encoding === "identity" ? null : encoding;
    expect(response.headers.get("content-encoding")).toBe(sent);
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(response.headers.get("content-length")).toMatch(/^\d+$/);
    const html = await response.text();
    expect(html).toContain('content="https://footnote.example/image.png"');
    expect(html).toContain('<script nonce="r4nd0m">(function loadOnUse');
    expect(html).not.toContain(SCRIPT);
    expect(html).toContain("<code>curl https://footnote.example/v1</code>");
    expect(html).toContain("Open http://localhost:3000.");
  });

  it.each(["/no-such-page", "/sources/doc_1/other"])(
    "include the not-found page, at %s",
    async (url) => {
      const response = await fetch(base + url, { headers: { "accept-encoding": "br" } });
      expect(response.headers.get("content-encoding")).toBe("br");
      expect(await response.text()).toContain('content="https://footnote.example/image.png"');
    },
  );

  it("keep their redirects", async () => {
    const response = await fetch(`${base}/sign-in?moved`, { redirect: "manual" });
    expect(response.status).toBe(307);
    expect(response.headers.get("location")).toBe("/overview");
  });

  it.each([
    ["a page of the console", "/keys", {}],
    ["a route file", "/docs/answers/markdown", {}],
    ["a page with optional parts", "/settings", {}],
    ["a path of several parts", "/v1/models/vendor/large", {}],
    ["a file", "/openapi.json", {}],
    ["a client-side navigation", "/sign-in", { rsc: "1" }],
  ])("don't include %s", async (_name, url, headers) => {
    const response = await fetch(base + url, { headers });
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(await response.text()).toBe(PAGE);
  });
});
