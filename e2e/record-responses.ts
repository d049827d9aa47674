import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PDFDocument } from "pdf-lib";
import { EXAMPLES } from "@/components/docs/api/examples";
import { type Operation, readResources } from "@/components/docs/api/openapi";
import { RECORDED, type RecordedResponse, type Recording } from "@/components/docs/api/recorded";
import { startServer } from "./product";

// npm run record-responses: the responses that the API reference shows, as the built product gives them on a fresh
// embedded database. Embeddings need an upstream, so their response stays as it is.

const FILE = path.resolve("components/docs/api/responses.json");
const SENTENCE = "The usual dose of apixaban is 5 mg twice daily.";
/** Lists show their first entries. */
const SHOWN = 2;

interface Options {
  ids?: Record<string, string>;
  query?: string;
  body?: object | string;
  form?: FormData;
}

type Json = Record<string, unknown>;

const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-record-"));
const server = await startServer({ dataDir, env: { PAYMENTS: "simulated" } });
const successes = new Map<string, RecordedResponse>();
try {
  const key = JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8")).live_key;
  await recordSuccesses((name, options) => record(name, key, options));
  await writeFile(FILE, `${JSON.stringify(await withFailures(key), null, 2)}\n`);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

type Caller = (name: string, options?: Options) => Promise<Json>;

async function recordSuccesses(call: Caller): Promise<void> {
  await recordDocuments(call);
  await recordUploads(call);
  await recordAnswers(call);
  await recordPresets(call);
  for (const name of ["post /v1/kb/search", "post /v1/citations/verify", "get /v1/models"]) {
    await call(name);
  }
  await call("get /v1/models/{model}", { ids: { model: "footnote-extract-1" } });
  const lines = EXAMPLES["post /v1/citations/verify/batch"]?.lines ?? [];
  const body = lines.map((line) => JSON.stringify(line)).join("\n");
  await call("post /v1/citations/verify/batch", { body });
  const { id } = await call("post /v1/billing/checkout-sessions");
  await call("get /v1/billing/checkout-sessions/{id}", { ids: { id: String(id) } });
  const today = new Date().toISOString().slice(0, 10);
  const query = `from=${today}&to=${today}&group_by=day,model`;
  await call("get /v1/billing/usage", { query });
  for (const name of ["checkout-config", "credits", "ledger"]) {
    await call(`get /v1/billing/${name}`);
  }
}

async function recordDocuments(call: Caller): Promise<void> {
  const added = await call("post /v1/kb/documents", { form: await guideline() });
  const ids = { id: String(added.id), job_id: String(added.job_id) };
  const of = "/v1/kb/documents/{id}";
  await call("get /v1/kb/jobs/{job_id}", { ids, query: "wait=30" });
  await call("get /v1/kb/documents", { query: "limit=1" });
  await call(`get ${of}`, { ids });
  const found = await call("post /v1/chat/completions", {
    body: {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: "What is the usual dose of apixaban?" }],
      citations: { enabled: true, sources: ["customer_kb"] },
    },
  });
  const ref = /\?quote=([\w-]+)/.exec(JSON.stringify(found))?.[1] ?? "";
  await call(`get ${of}/quote`, { ids, query: `ref=${ref}` });
  await call(`get ${of}/text`, { ids });
  await call(`get ${of}/content`, { ids });
  await call(`get ${of}/pages/{page}`, { ids: { ...ids, page: "1.png" } });
  await call(`patch ${of}`, { ids });
  await call(`delete ${of}`, { ids });
  await call("post /v1/kb/documents/delete");
}

async function recordUploads(call: Caller): Promise<void> {
  const file = (await guideline()).get("file") as File;
  const start = async () => {
    const body = { bytes: file.size, filename: "guideline.pdf", purpose: "user_data" };
    return { id: String((await call("post /v1/uploads", { body })).id) };
  };
  const ids = await start();
  const part = new FormData();
  part.set("part_number", "1");
  part.set("data", file);
  await call("post /v1/uploads/{id}/parts", { ids, form: part });
  await call("get /v1/uploads/{id}", { ids });
  const done = await call("post /v1/uploads/{id}/complete", { ids });
  const job = (done.document as Json | undefined)?.job_id ?? "";
  await call("post /v1/kb/jobs/{job_id}/cancel", { ids: { job_id: String(job) } });
  await call("post /v1/uploads/{id}/cancel", { ids: await start() });
}

async function recordAnswers(call: Caller): Promise<void> {
  const of = "/v1/chat/completions";
  const asked = EXAMPLES[`post ${of}`]?.body;
  const stored = await call(`post ${of}`, {
    body: { ...asked, store: true, metadata: { ward: "7" } },
  });
  const ids = { completion_id: String(stored.id) };
  await call(`get ${of}`, { query: "metadata[ward]=7&limit=1" });
  for (const name of [`get ${of}/{completion_id}`, `post ${of}/{completion_id}`]) {
    await call(name, { ids });
  }
  await call(`get ${of}/{completion_id}/messages`, { ids });
  await call(`delete ${of}/{completion_id}`, { ids });
  const question = EXAMPLES["post /v1/responses"]?.body;
  const response = await call("post /v1/responses", { body: { ...question, store: true } });
  const responseIds = { response_id: String(response.id) };
  for (const name of ["get /v1/responses/{response_id}", "delete /v1/responses/{response_id}"]) {
    if (name.startsWith("delete")) {
      await call("get /v1/responses/{response_id}/input_items", { ids: responseIds });
    }
    await call(name, { ids: responseIds });
  }
}

async function recordPresets(call: Caller): Promise<void> {
  const { id } = await call("post /v1/presets");
  const ids = { id: String(id) };
  await call("get /v1/presets");
  for (const method of ["get", "post", "delete"]) {
    await call(`${method} /v1/presets/{id}`, { ids });
  }
}

/** Sends the operation's example, unless told otherwise, and keeps its response. */
async function record(name: string, key: string, options: Options = {}): Promise<Json> {
  const example = EXAMPLES[name] ?? {};
  const response = await send(name, key, {
    ...(example.body && !options.form && { body: example.body }),
    ...(example.query && { query: example.query }),
    ...options,
  });
  if (response.status >= 300) {
    throw new Error(`${name}: ${JSON.stringify(response)}`);
  }
  successes.set(name, response);
  return (response.body ?? {}) as Json;
}

async function send(
  name: string,
  key: string | null,
  { ids = {}, query, body, form }: Options,
): Promise<RecordedResponse> {
  const [method = "", template = ""] = name.split(" ");
  const address = template.replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? "unknown");
  const isLines = typeof body === "string";
  const response = await fetch(`${server.url}${address}${query ? `?${query}` : ""}`, {
    method: method.toUpperCase(),
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { "content-type": isLines ? "application/jsonl" : "application/json" }),
      ...(name.endsWith("checkout-sessions") && { "idempotency-key": "top-up" }),
    },
    ...(body && { body: isLines ? body : JSON.stringify(body) }),
    ...(form && { body: form }),
  });
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  return { status: response.status, type, body: await readBody(response, type) };
}

async function readBody(response: Response, type: string): Promise<unknown> {
  const text = (await response.text()).replaceAll(server.url, "http://localhost:3000");
  if (type === "application/json") {
    const body = JSON.parse(text);
    return Array.isArray(body.data) ? { ...body, data: body.data.slice(0, SHOWN) } : body;
  }
  return type === "application/jsonl" ? text : null;
}

async function withFailures(key: string): Promise<{ [name: string]: Recording }> {
  const all: { [name: string]: Recording } = {};
  for (const operation of operations()) {
    const name = `${operation.method} ${operation.path}`;
    const success = successes.get(name) ?? RECORDED[name]?.success;
    all[name] = { ...(success && { success }), failure: await fail(name, operation, key) };
  }
  return all;
}

/** What goes wrong most often: an unknown id, a body that isn't valid, or no key. */
function fail(name: string, { path: template, requestBody }: Operation, key: string) {
  const { body, lines, query } = EXAMPLES[name] ?? {};
  const hasId = template.includes("{");
  const isKnown = hasId || (requestBody && !lines);
  return send(name, isKnown ? key : null, {
    ...(requestBody && { body: (hasId && body) || {} }),
    ...(query && { query }),
    ...(template.endsWith("/{page}") && { ids: { page: "1.png" } }),
  });
}

function operations(): Operation[] {
  return readResources().flatMap((resource) => resource.operations);
}

async function guideline(): Promise<FormData> {
  const pdf = await PDFDocument.create();
  pdf.setTitle("Apixaban");
  pdf.addPage([400, 300]).drawText(SENTENCE, { x: 30, y: 240, size: 12 });
  const form = new FormData();
  for (const field of EXAMPLES["post /v1/kb/documents"]?.form ?? []) {
    const [name = "", value = ""] = field.split("=");
    if (!value.startsWith("@")) {
      form.set(name, value);
    }
  }
  form.set(
    "file",
    new File([Buffer.from(await pdf.save())], "guideline.pdf", { type: "application/pdf" }),
  );
  return form;
}
