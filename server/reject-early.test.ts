import { describe, expect, it } from "vitest";
import { methodNotAllowed, notFoundHandler } from "@/lib/platform/http/methods";
import { publicGate, route } from "@/lib/platform/http/route";
import { answersIn, head, rawClient } from "@/lib/testing/raw-client";
import { serve } from "@/lib/testing/raw-server";
import { createHost } from "./host";

const hello = route({ gate: publicGate, handle: async ({ request }) => ({ url: request.url }) });

const FILES = {
  "../app/v1/models/route.ts": { ...methodNotAllowed({ GET: hello }), GET: hello },
  "../app/v1/things/[id]/route.ts": { GET: hello, DELETE: hello },
  "../app/v1/[[...path]]/route.ts": notFoundHandler(),
};

async function send(line: string, headers: Record<string, string> = {}) {
  const host = createHost(FILES, (_request, response) => response.end("a page"));
  const client = rawClient(await serve(host.answer));
  client.send(head(line, { connection: "close", ...headers }));
  const [answer] = answersIn(await client.isClosed());
  return answer;
}

describe("a request that Next would answer without JSON", () => {
  it.each([
    "GET /v1/things/%zz",
    "GET /v1/things/%",
    "GET /v1/jobs/%E0%A4%A",
    "POST /v1/chat/completions/%ff",
    "GET /api/keys/%zz",
    "OPTIONS /v1/models/%zz",
  ])("is a 400 if its path has a malformed percent-encoding: %s", async (line) => {
    const answer = await send(line);
    expect(answer?.status).toBe(400);
    expect(answer?.headers.get("x-request-id")).toMatch(/^req_/);
    expect(JSON.parse(answer?.body ?? "").error).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("percent-encoding"),
    });
  });

  it.each([
    ["TRACE /v1/models", "GET, HEAD, OPTIONS"],
    ["PROPFIND /v1/things/a", "GET, HEAD, DELETE, OPTIONS"],
    ["MKCOL /v1/nope", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"],
    ["TRACE /", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"],
  ])("is a 405 if its method is unknown: %s", async (line, allow) => {
    const answer = await send(line);
    expect([answer?.status, answer?.headers.get("allow")]).toEqual([405, allow]);
    expect(answer?.headers.get("x-request-id")).toMatch(/^req_/);
    expect(JSON.parse(answer?.body ?? "").error.code).toBe("method_not_allowed");
  });

  it.each([
    ["POST /chat/completions", { authorization: "Bearer footnote_test_a" }],
    ["POST /chat/completions", { "content-type": "application/json", "content-length": "0" }],
    ["GET /models", { accept: "application/json" }],
    ["POST /citations/verify", { authorization: "Bearer footnote_test_a" }],
    ["GET /openai/v1/models", { authorization: "Bearer footnote_test_a" }],
    ["GET /kb/documents", { authorization: "Bearer footnote_test_a", accept: "*/*" }],
  ])("is a 404 that says how to set the base URL: %s %j", async (line, headers) => {
    const answer = await send(line, headers as Record<string, string>);
    expect(answer?.status).toBe(404);
    expect(JSON.parse(answer?.body ?? "").error).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("base URL to http://localhost:3000/v1."),
    });
  });

  it.each([
    ["POST /mcp/", { "content-type": "application/json", "content-length": "0" }],
    ["DELETE /mcp/x", { accept: "application/json, text/event-stream" }],
  ])("is a 404 with an id that names the path for an MCP client: %s %j", async (line, headers) => {
    const answer = await send(line, headers as Record<string, string>);
    expect(answer?.status).toBe(404);
    expect(answer?.headers.get("x-request-id")).toMatch(/^req_/);
    expect(JSON.parse(answer?.body ?? "").error.message).toContain("served at /mcp");
  });

  it.each([
    ["GET /billing", { accept: "text/html,application/json;q=0.9" }],
    ["GET /billing", { rsc: "1", accept: "application/json" }],
    ["GET /models", { accept: "*/*" }],
    ["GET /openapi.json", { authorization: "Bearer footnote_test_a" }],
    ["GET /%zz", {}],
  ])("is a page for a browser: %s %j", async (line, headers) => {
    expect((await send(line, headers as Record<string, string>))?.body).toBe("a page");
  });
});

describe("a path with two slashes in a row, or a backslash,", () => {
  it.each(["//v1/models", "/v1//models", "/v1\\models", "//evil.example/x", "/v1/things//a"])(
    "is a 404 that says how to write it: %s",
    async (path) => {
      const answer = await send(`GET ${path}`);
      expect([answer?.status, answer?.headers.get("location")]).toEqual([404, null]);
      expect(answer?.headers.get("x-request-id")).toMatch(/^req_/);
      const once = path.replaceAll("\\", "/").replaceAll("//", "/");
      expect(JSON.parse(answer?.body ?? "").error).toMatchObject({
        code: "not_found",
        message: expect.stringContaining(`Write each slash once: ${once}.`),
      });
    },
  );

  it("is left to the pages for a browser", async () => {
    expect((await send("GET //docs", { accept: "text/html" }))?.body).toBe("a page");
  });
});

describe("OPTIONS", () => {
  it.each([
    ["/v1/models", "GET, HEAD, OPTIONS"],
    ["/v1/things/a", "GET, HEAD, DELETE, OPTIONS"],
    ["*", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"],
  ])("lists the methods of %s", async (path, allow) => {
    const answer = await send(`OPTIONS ${path}`);
    expect([answer?.status, answer?.headers.get("allow")]).toEqual([204, allow]);
    expect(answer?.headers.get("x-request-id")).toMatch(/^req_/);
    expect(answer?.headers.get("vary")).toBe(null);
    expect(answer?.headers.get("access-control-allow-origin")).toBe(null);
  });

  it("is a 404 for an unknown path", async () => {
    expect((await send("OPTIONS /v1/nope"))?.status).toBe(404);
  });
});

describe("a request line in absolute form", () => {
  it.each([
    ["http://example.org/v1/models", "http://example.org/v1/models"],
    ["HTTP://example.org:8080/v1/models?a=1", "http://example.org:8080/v1/models?a=1"],
  ])("is answered for its path and host: %s", async (target, url) => {
    const answer = await send(`GET ${target}`, { host: "other.example" });
    expect([answer?.status, JSON.parse(answer?.body ?? "")]).toEqual([200, { url }]);
  });
});
