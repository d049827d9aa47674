import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../product";
import { apiKey, baseURL } from "./product";
import { EXTRACT_MODEL, QUESTION } from "./scenario";

const CHAT = JSON.stringify({
  model: EXTRACT_MODEL,
  messages: [{ role: "user", content: QUESTION }],
  citations: { enabled: true },
});
const JSON_TYPE = "content-type: application/json";

/** Method and path, further header lines, body. KEY is the server's own. */
const REQUESTS: [line: string, headers?: string[], body?: string][] = [
  ["POST /v1/chat/completions", ["KEY", JSON_TYPE], CHAT],
  ["POST /v1/chat/completions?a=%00", ["KEY", JSON_TYPE], CHAT],
  ["POST /v1/chat/completions", ["KEY", JSON_TYPE], "{"],
  ["POST /v1/chat/completions", ["KEY", JSON_TYPE], ""],
  ["POST /v1/chat/completions", ["KEY", "content-type: text/plain"], "a"],
  ["POST /v1/chat/completions", [JSON_TYPE], CHAT],
  ["POST /v1/chat/completions/", ["KEY", JSON_TYPE], CHAT],
  ["DELETE /v1/chat/completions", ["KEY"]],
  ["GET /v1/models", ["KEY"]],
  ["GET /v1/models?a=1&a=2", ["KEY"]],
  ["GET /v1/models/", ["KEY"]],
  ["GET /v1/./models", ["KEY"]],
  ["GET /v1/%6dodels", ["KEY"]],
  ["GET /v1/models/a%2Fb", ["KEY"]],
  [`GET /v1/models/${EXTRACT_MODEL}`, ["KEY"]],
  ["GET /v1/kb/documents/doc_%00", ["KEY"]],
  ["GET /v1/nothing/here", ["KEY"]],
  ["GET /v1", ["KEY"]],
  ["HEAD /v1/models", ["KEY"]],
  ["PATCH /v1/billing/credits", ["KEY"]],
];
/** The parts of a response that clients depend on. */
const HEADERS = [
  "content-type",
  "allow",
  "location",
  "www-authenticate",
  "x-should-retry",
  "accept",
];

it("gives the same responses on every server that hosts the routes", {
  timeout: 240_000,
}, async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-hosts-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const models = [{ id: EXTRACT_MODEL }];
  const plain = await startServer({ dataDir, databaseUrl: "", models, isPlain: true });
  onTestFinished(plain.stop);
  const demo = JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8"));
  const product = new URL(baseURL);
  for (const request of REQUESTS) {
    const [own, next] = [
      await answerOf(product, apiKey, request),
      await answerOf(new URL(plain.url), demo.test_key, request),
    ];
    expect({ request, ...own }).toEqual({ request, ...next });
  }
});

it("answers OPTIONS with the methods of the path, which plain Next doesn't know", async () => {
  const { status, headers, hasRequestId } = await answerOf(new URL(baseURL), apiKey, [
    "OPTIONS /v1/models",
  ]);
  expect(status).toContain("204");
  expect([new Map(headers).get("allow"), hasRequestId]).toEqual(["get, head, options", true]);
});

it("answers a malformed path with an error of the API, where plain Next fails", async () => {
  const request: (typeof REQUESTS)[number] = ["GET /v1/models/%FF", ["KEY"]];
  const { status, body, hasRequestId } = await answerOf(new URL(baseURL), apiKey, request);
  expect(status).toContain("400");
  expect([body, hasRequestId]).toMatchObject([{ code: "invalid_request" }, true]);
});

/** Sends a raw request, because a client would normalize the URL. */
async function answerOf(
  { hostname, port }: URL,
  key: string,
  [line, headers = [], body]: (typeof REQUESTS)[number],
) {
  const socket = connect(Number(port), hostname);
  const lines = [
    `${line} HTTP/1.1`,
    "host: footnote.example",
    "connection: close",
    ...headers.map((header) => (header === "KEY" ? `authorization: Bearer ${key}` : header)),
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
  const [head = "", ...rest] = (await text(socket)).split("\r\n\r\n");
  const [status, ...fields] = head.split("\r\n");
  const received = new Map(fields.map((field) => field.split(": ", 2) as [string, string]));
  const lower = new Map([...received].map(([name, value]) => [name.toLowerCase(), value]));
  return {
    status,
    headers: HEADERS.map((name) => [name, lower.get(name)?.toLowerCase()] as const),
    hasRequestId: lower.has("x-request-id"),
    body: shapeOf(rest.join("\r\n\r\n")),
  };
}

/** Replaces what differs between responses: ids, times and remaining limits. */
function shapeOf(body: string): unknown {
  const start = body.indexOf("{");
  if (start < 0) {
    return body.replace(/[\s\d]+/g, "");
  }
  const json = JSON.parse(body.slice(start, body.lastIndexOf("}") + 1));
  return json.error ?? { ...Object.fromEntries(Object.keys(json).map((name) => [name, 0])) };
}
