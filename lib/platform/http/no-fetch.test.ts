import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { signedIn } from "@/lib/testing/session";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

/** Starts a third-party server that records requests. */
async function startTrap() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(String(request.url));
    response.end("caught");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen };
}

/** Uploads a file and waits until its job ends. */
async function ingest(key: string, file: File, fields: Record<string, string> = {}) {
  const form = new FormData();
  form.set("file", file);
  for (const [name, value] of Object.entries({ scope: "customer_kb", ...fields })) {
    form.set(name, value);
  }
  const { status, json } = await call("POST", "/v1/kb/documents", { key, raw: form });
  expect([status, json.error]).toEqual([202, undefined]);
  return (await call("GET", `/v1/kb/jobs/${json.job_id}?wait=15`, { key })).json;
}

describe("a URL from a caller", () => {
  it("is stored or passed on, but never fetched", async () => {
    const { url, seen } = await startTrap();
    const { key, ctx } = await makeKeyedAccount();
    const html = `<html><head><base href="${url}/base/"><link rel="stylesheet" href="${url}/style.css">
      <script src="${url}/script.js"></script><meta http-equiv="refresh" content="0;url=${url}/refresh"></head>
      <body><article><h1>Zebrafish clinic</h1><p>The zebrafish clinic opens at nine. ${"It is on floor two. ".repeat(20)}
      <img src="${url}/image.png"><iframe src="${url}/frame"></iframe><a href="${url}/link">more</a></p>
      <object data="${url}/object"></object></article></body></html>`;
    const markdown = `# Zebrafish\n\n![scan](${url}/scan.png) See [the ward](${url}/ward).\n`;
    const svg = `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "${url}/entity">]><html><body><p>&x; zebrafish ward</p></body></html>`;
    const metadata = JSON.stringify({ homepage: `${url}/metadata`, image: `${url}/meta.png` });
    for (const file of [
      new File([html], "clinic.html", { type: "text/html" }),
      new File([markdown], "ward.md", { type: "text/markdown" }),
      new File([svg], "entity.html", { type: "text/html" }),
    ]) {
      const job = await ingest(key, file, { url: `${url}/source`, metadata });
      expect([file.name, job.status]).toEqual([file.name, "completed"]);
    }
    const image = { type: "image_url", image_url: { url: `${url}/question.png` } };
    const content = [{ type: "text", text: "When does the zebrafish clinic open?" }, image];
    for (const model of ["footnote-extract-1", "scripted"]) {
      const messages = [{ role: "user", content }];
      // The built-in model reads no images.
      const ignore_unsupported = true;
      const body = { model, messages, citations: { enabled: true }, ignore_unsupported };
      const { status, json } = await call("POST", "/v1/chat/completions", { key, body });
      expect([status, json.citations?.length > 0]).toEqual([200, true]);
      expect(JSON.stringify(json.citations)).toContain(`${url}/source`);
    }
    expect(JSON.stringify(upstream().seen.at(-1)?.body)).toContain(`${url}/question.png`);
    const checkout = await call("POST", "/v1/billing/checkout-sessions", {
      key,
      body: { amount: 500, success_url: `${url}/paid`, cancel_url: `${url}/left` },
    });
    expect(checkout.status).toBe(201);
    await call("GET", `/api/settings`, {
      headers: { ...(await signedIn(ctx.actor.id)), referer: `${url}/referer` },
    });
    expect(seen).toEqual([]);
    // Control: the server does record requests.
    await fetch(`${url}/noticed`);
    expect(seen).toEqual(["/noticed"]);
  }, 60_000);
});

/** The only files that make requests, and where each gets its address. */
const ASKING: Record<string, string> = {
  "components/auth/link-script.ts": "our own endpoint",
  "components/docs/api/request-samples.ts": "none: sample code to copy",
  "components/docs/api/send-request.ts": "our own endpoints, with a reader's key",
  "components/playground/ask.ts": "our own endpoint",
  "components/playground/request-code.ts": "none: sample code to copy",
  "components/site/samples.ts": "none: sample code to copy",
  "components/start/first-call.ts": "none: sample code to copy",
  "lib/platform/db/transaction.ts": "none: it only names the type of the database's socket",
  "lib/library/documents/send.ts": "our own endpoints",
  "lib/fetch-json.ts": "our own endpoints",
  "lib/platform/http/request.ts":
    "none: it only tells IPv6 addresses from IPv4 and names Node's types",
  "lib/platform/auth/oauth-providers.ts": "GITHUB_URL",
  "lib/money/billing/vendor/stripe-client.ts": "Stripe, or STRIPE_API_BASE",
  "lib/platform/mail.ts": "SMTP_URL",
  "lib/models/vendor/exchange.ts": "an upstream of MODELS, OPENAI_BASE_URL or EMBEDDING_BASE_URL",
};
const ASKS =
  /(?<![\w.])fetch\(|new (?:OpenAI|Stripe|WebSocket|EventSource)\(|createTransport\(|from "(?:node:)?(?:https?|net|tls|dgram|undici|axios|got)"/;

describe("code that makes requests", () => {
  it("is limited to known files, which call our own endpoints or addresses set by the operator", () => {
    const files = globSync("{app,components,lib}/**/*.{ts,tsx}").filter(
      (name) => !/\.test\.tsx?$|^lib\/(testing|generated)\//.test(name),
    );
    const asking = files.filter((name) => ASKS.test(readFileSync(name, "utf8")));
    expect(asking.toSorted()).toEqual(Object.keys(ASKING).toSorted());
  });
});

describe("an uploaded file", () => {
  it("is returned as JSON, never with its original content type", async () => {
    const { key, ctx } = await makeKeyedAccount();
    const text = "<html><body><script>alert(1)</script><p>The zebrafish ward</p></body></html>";
    const job = await ingest(key, new File([text], "page.html", { type: "text/html" }));
    const headers = await signedIn(ctx.actor.id);
    const id = job.document_id;
    for (const [path, credentials] of [
      [`/v1/kb/documents/${id}`, { key }],
      [`/api/documents/${id}/text?from=0`, { headers }],
    ] as const) {
      const answer = await call("GET", path, credentials);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.headers.get("content-security-policy")).toContain("sandbox");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("can only be served through download.ts, as an attachment", () => {
    const files = globSync("{app,lib}/**/*.{ts,tsx}").filter(
      (name) => !/\.test\.tsx?$|^lib\/(testing|generated)\//.test(name),
    );
    const answering = files.filter((name) => /new Response\(/.test(readFileSync(name, "utf8")));
    expect(answering.toSorted()).toEqual([
      "app/api/auth/[...nextauth]/route.ts",
      "lib/platform/http/download.ts",
      // The JSON of a protocol's library.
      "lib/platform/http/route.ts",
    ]);
  });
});
