import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { openEmbedder, readEmbeddingSettings, replaceEmbedder } from "@/lib/models/embedding";
import { generateApiKey, generateToken, hashSecret } from "@/lib/platform/auth/secret";
import { db } from "@/lib/platform/db/client";
import { EnvSchema } from "@/lib/platform/env";
import { dispatch } from "@/lib/testing/api";
import { setBalance } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { signedIn } from "@/lib/testing/session";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";
import { captureLog, type Plants, placesOf, plantsIn } from "@/tests/planted-secrets";

/** Letters only, so that a planted word of a document is one that queries are corrected to. */
const run = newId("request")
  .slice(-12)
  .toLowerCase()
  .replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
const plants: Plants = {};

/** Returns a text that occurs nowhere else. */
function plant(name: string): string {
  plants[name] = `planted${name.replaceAll(/\W/g, "")}${run}`;
  return plants[name];
}

/** Registers a password, token or secret that was generated elsewhere. */
function remember(name: string, text: string): string {
  plants[name] = text;
  return text;
}

/** The error responses, with the names of their requests. */
const refusals: { name: string; text: string }[] = [];
const statuses = new Set<number>();
let addresses = 0;

interface Options {
  key?: string;
  headers?: Record<string, string>;
  body?: object;
  raw?: BodyInit;
}

async function ask(name: string, endpoint: string, { key, headers, body, raw }: Options = {}) {
  const [method = "", path = ""] = endpoint.split(" ");
  addresses += 1;
  const response = await dispatch(`http://localhost:3000${path}`, {
    method,
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(key && { authorization: `Bearer ${key}` }),
      "x-forwarded-for": `203.0.113.${addresses}`,
      ...headers,
    },
    body: body ? JSON.stringify(body) : (raw ?? null),
  });
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const errors = isStream
    ? text.split("\n\n").filter((event) => event.includes('"error"'))
    : [text];
  statuses.add(response.status);
  if (response.status >= 400 || (isStream && errors.length > 0)) {
    refusals.push({ name, text: errors.join("\n") });
  }
  return isStream || !text ? null : JSON.parse(text);
}

let log: ReturnType<typeof captureLog>;
let owner: Record<string, string>;
let key: string;

beforeAll(async () => {
  log = captureLog();
  await startBackgroundWork();
  await signUps();
  await keys();
  await passwords();
  await documents();
  await stores();
  await searches();
  await assistants();
  await messages();
  await storedMessages();
  await stopBackgroundWork();
}, 120_000);
afterAll(() => log.end());

async function signUps(): Promise<void> {
  const email = `${newId("member")}@example.org`;
  const body = { email, password: plant("a password signed up with") };
  await ask("sign up", "POST /api/account/sign-up", { body });
  const { id, accountId } = await db().member.findUniqueOrThrow({ where: { email } });
  await setBalance(accountId, 5);
  owner = await signedIn(id);
  const second = { email, password: plant("a password of an e-mail that is taken") };
  await ask("sign up again", "POST /api/account/sign-up", { body: second });
  const self = { email, role: "member" };
  await ask("invite oneself", "POST /api/members/invitations", { headers: owner, body: self });
  const wrong = { email: plant("no e-mail"), password: plant("a password beside no e-mail") };
  await ask("sign up wrongly", "POST /api/account/sign-up", { body: wrong });
  const long = { email, password: plant("a password too long").repeat(9) };
  await ask("sign up at length", "POST /api/account/sign-up", { body: long });
}

async function keys(): Promise<void> {
  const body = {
    name: "one",
    mode: "test",
    scopes: [
      "chat:completions",
      "kb:search",
      "kb:documents:write",
      "kb:documents:read",
      "keys:write",
    ],
    knowledge_scopes: ["public_kb", "customer_kb"],
    models: ["footnote-extract-1", "scripted", "scripted-slow", "vendor/with-fallback"],
  };
  const made = await ask("make a key", "POST /api/keys", { headers: owner, body });
  const first = remember("a key's first secret", made.secret);
  const rotated = await ask("rotate it", `POST /api/keys/${made.key.id}/rotate`, {
    headers: owner,
    body: { overlap_seconds: 3600 },
  });
  key = remember("a key's secret", rotated.secret);
  const { name, mode } = body;
  const issue = { key, body: { name, mode, scopes: ["kb:search"] } };
  const issued = await ask("make a key with a key", "POST /v1/keys", issue);
  remember("a secret that a key was given", issued.secret);
  const rotation = { key, body: { overlap_seconds: 3600 } };
  const replaced = await ask("rotate it with a key", `POST /v1/keys/${issued.id}/rotate`, rotation);
  remember("a secret that a key was given later", replaced.secret);
  const unknown = remember("an unknown secret", generateApiKey("live"));
  const malformed = remember("a malformed secret", `${generateApiKey("live")}x`);
  for (const secret of [first, key, unknown, malformed]) {
    await ask("models", "GET /v1/models", { key: secret });
    await ask("a scope it lacks", "GET /v1/billing/credits", { key: secret });
    await ask("in the query", `GET /v1/kb/documents?api_key=${secret}`, { key });
    await ask("as basic", "GET /v1/models", { headers: { authorization: `Basic ${secret}` } });
    await ask("in another header", "GET /v1/models", { headers: { "x-api-key": secret } });
    await ask("in the body", "POST /v1/kb/search", { key, body: { query: "x", api_key: secret } });
    await ask("in a session's place", "GET /api/keys", {
      headers: { cookie: `session=${secret}` },
    });
  }
}

async function passwords(): Promise<void> {
  const first = plants["a password signed up with"];
  const change = (current_password: string, password: string) =>
    ask("change the password", "POST /api/settings/password", {
      headers: owner,
      body: { current_password, password },
    });
  await change(plant("a wrong present password"), plant("a password not changed to"));
  await change(first ?? "", plant("a password changed to"));
  const email = `${newId("member")}@example.org`;
  const invited = await ask("invite", "POST /api/members/invitations", {
    headers: owner,
    body: { email, role: "member" },
  });
  const token = remember("an invitation's token", invited.link.split("#")[1]);
  await ask("open", "POST /api/account/invitation", { body: { token } });
  for (const password of [plant("a password joined with"), plant("a password of a second join")]) {
    await ask("join", "POST /api/account/join", { body: { token, password } });
  }
  const tokens = { right: generateToken(), wrong: generateToken() };
  const [{ id: memberId } = { id: "" }] = await db().member.findMany({ where: { email } });
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db().passwordReset.create({
    data: { memberId, tokenHash: hashSecret(tokens.right), expiresAt },
  });
  for (const [which, token] of Object.entries(tokens)) {
    remember(`the ${which} token`, token);
    const body = { token, password: plant(`a new password for the ${which} token`) };
    await ask("reset", "POST /api/account/reset-password", { body });
  }
}

async function documents(): Promise<void> {
  const form = new FormData();
  form.set("scope", "customer_kb");
  form.set("title", plant("a title"));
  form.set("metadata", JSON.stringify({ note: plant("a document's metadata") }));
  form.set(
    "file",
    new File([`${plant("a document")} is a word.`], `${plant("a file's name")}.txt`),
  );
  const kept = await ask("upload", "POST /v1/kb/documents", { key, raw: form });
  await ask("wait", `GET /v1/kb/jobs/${kept.job_id}?wait=30`, { key });
  const text = `%PDF-1.7\n${plant("a broken document")}`;
  const body = { scope: "customer_kb", text };
  const broken = await ask("upload a broken one", "POST /v1/kb/documents", { key, body });
  await ask("wait", `GET /v1/kb/jobs/${broken.job_id}?wait=30`, { key });
  const gone = await ask("upload another", "POST /v1/kb/documents", {
    key,
    body: {
      scope: "customer_kb",
      text: `${plant("a deleted document")} was a word.`,
      title: plant("a deleted title"),
      metadata: { note: plant("a deleted document's metadata") },
    },
  });
  await ask("wait", `GET /v1/kb/jobs/${gone.job_id}?wait=30`, { key });
  await ask("delete", `DELETE /v1/kb/documents/${gone.id}`, { key });
  await ask("upload to nowhere", "POST /v1/kb/documents", {
    key,
    body: { scope: "public_kb", text: plant("a document refused") },
  });
  await ask("upload no file", "POST /v1/kb/documents", {
    key,
    raw: plant("a document that is no form"),
  });
}

async function stores(): Promise<void> {
  const path = "POST /v1/vector_stores";
  const described = (of: string) => ({
    name: plant(`the name of ${of}`),
    description: plant(`the description of ${of}`),
    metadata: { note: plant(`the metadata of ${of}`) },
  });
  const store = await ask("make a store", path, { key, body: described("a store") });
  await ask("change it", `${path}/${store.id}`, {
    key,
    body: { name: plant("a store's new name") },
  });
  const wrong = { key, body: { name: plant("a long name").repeat(20), metadata: 1 } };
  await ask("change it wrongly", `${path}/${store.id}`, wrong);
  const search = `${path}/${store.id}/search`;
  await ask("search it", search, { key, body: { query: plant("a query of a store") } });
  const filters = { type: "eq", key: "note", value: plant("the value of a filter") };
  await ask("filter it", search, { key, body: { query: "x", filters } });
  await ask("search it in vain", search, {
    key,
    body: { query: plant("a bad query of a store"), max_num_results: 0 },
  });
  const gone = await ask("make another", path, { key, body: described("a deleted store") });
  await ask("delete it", `DELETE /v1/vector_stores/${gone.id}`, { key });
  const foreign = { ...described("a store refused"), scope: "public_kb" };
  await ask("make one elsewhere", path, { key, body: foreign });
  const body = {
    ...described("a store that is too large"),
    metadata: { a: plant("a long value").repeat(99) },
  };
  await ask("make one that is too large", path, { key, body });
  const form = new FormData();
  form.set("purpose", "assistants");
  form.set(
    "file",
    new File(
      [plant("a file without a store")],
      `${plant("the name of a file without a store")}.txt`,
    ),
  );
  const { id } = await ask("keep a file", "POST /v1/files", { key, raw: form });
  const attributes = { note: [plant("a wrong attribute")] };
  const added = { file_id: id, attributes };
  await ask("add it wrongly", `${path}/${store.id}/files`, { key, body: added });
}

async function searches(): Promise<void> {
  const path = "POST /v1/kb/search";
  await ask("search", path, { key, body: { query: plant("a query") } });
  await ask("search in vain", path, { key, body: { query: plant("a bad query"), top_k: 0 } });
  await ask("search at length", path, { key, body: { query: plant("a long query").repeat(2000) } });
  await ask("search no scope", path, {
    key,
    body: { query: plant("a query of no scope"), sources: ["personal_kb"] },
  });
  await ask("search from the console", "POST /api/documents/search", {
    headers: owner,
    body: { query: plant("a query from the console"), preset: "company" },
  });
  for (const status of [400, 500]) {
    await withEchoingEmbedder(status, async () => {
      const query = plant(`a query that is echoed with ${status}`);
      await ask(`search an echo with ${status}`, path, { key, body: { query } });
      const required = { enabled: true, required: true };
      const content = plant(`a question that is echoed with ${status}`);
      const asked = [{ role: "user", content }];
      await chat(`a required search with ${status}`, { messages: asked, citations: required });
    });
  }
}

async function assistants(): Promise<void> {
  const headers = { accept: "application/json, text/event-stream" };
  const post = (method: string, params: object, secret = key) =>
    ask(method, "POST /mcp", {
      ...{ key: secret, headers },
      body: { jsonrpc: "2.0", id: 1, method, params },
    });
  const tool = (name: string, args: object) => post("tools/call", { name, arguments: args });
  await tool("search", { query: plant("an assistant's query") });
  await tool("search", { query: [plant("an assistant's list of queries")] });
  await tool("fetch", { id: plant("an assistant's unknown id") });
  const question = plant("an assistant's question");
  await tool("ask", { question, model: "footnote-extract-1" });
  await tool("ask", { question, model: plant("an assistant's unknown model") });
  const text = `${plant("an assistant's text")} is a word [1].`;
  await tool("verify", { text, sources: [{ text: plant("an assistant's source") }] });
  await tool("verify", { text, sources: [{ url: plant("an assistant's source of no text") }] });
  await tool("verify", { text: `${plant("an assistant's unsourced text")} is a word.` });
  await post("resources/read", { uri: `footnote://documents/${plant("an assistant's URI")}` });
  await post("tools/list", {}, remember("an assistant's wrong secret", generateApiKey("live")));
  await ask("a list", "POST /mcp", { key, headers, body: [plant("an assistant's list")] });
}

/** Uses an embedding model that fails and echoes its input. */
async function withEchoingEmbedder(status: number, work: () => Promise<void>): Promise<void> {
  const working = readEmbeddingSettings(
    EnvSchema.parse({
      EMBEDDING_MODEL: `embed script:${JSON.stringify({
        name: `${run} ${status}`,
        after: 1,
        status,
        echoes: true,
      })}`,
      EMBEDDING_BASE_URL: upstream().url,
    }),
  );
  replaceEmbedder(working && (await openEmbedder(working)));
  await work();
  replaceEmbedder(undefined);
}

function chat(name: string, body: object): Promise<unknown> {
  return ask(name, "POST /v1/chat/completions", { key, body: { model: "scripted", ...body } });
}

/** The ways an upstream responds to a message, most of which echo it. */
const SCRIPTS: Record<string, (text: string) => object> = {
  answers: (text) => ({ text }),
  fails: () => ({ status: 500, echoes: true }),
  "refuses our key": () => ({ status: 401, echoes: true }),
  "has enough": () => ({ status: 429, echoes: true }),
  "knows no model": () => ({ status: 404, echoes: true }),
  breaks: (text) => ({ text: `${text} ${text} ${text}`, breakAfter: 1 }),
  "breaks in its error": () => ({ failure: { status: 500, body: "breaks" }, failures: 9 }),
  "is late": (text) => ({ text, delayMs: 600 }),
  "makes no sense": (text) => ({ choices: [{ [text]: text }], usage: text }),
};

async function messages(): Promise<void> {
  for (const [name, script] of Object.entries(SCRIPTS)) {
    for (const stream of [false, true]) {
      const text = plant(`a message when it ${name}${stream ? " in a stream" : ""}`);
      const content = `${text} script:${JSON.stringify({ ...script(text), name: text })}`;
      const model = name === "is late" ? "scripted-slow" : "scripted";
      const asked = { model, stream, messages: [{ role: "user", content }] };
      await chat(name, { ...asked, metadata: { note: plant("metadata not stored") }, user: text });
    }
  }
  const user = (name: string) => ({ role: "user", content: plant(name) });
  const sourced = { enabled: true, sources: ["personal_kb"] };
  await chat("cited", {
    model: "footnote-extract-1",
    messages: [user("a cited message")],
    citations: { enabled: true },
  });
  await chat("no scope", { messages: [user("a message of no scope")], citations: sourced });
  await chat("no model", { model: "nope", messages: [user("a message to no model")] });
  await chat("no role", { messages: [{ role: "nobody", content: plant("a message of nobody") }] });
  await chat("no list", { messages: plant("a message that is no list") });
  await chat("no stop", { messages: [user("a message beside a wrong field")], stop: [1] });
  await ask("broken", "POST /v1/chat/completions", {
    key,
    headers: { "content-type": "application/json" },
    raw: `{"messages": "${plant("a message in broken JSON")}`,
  });
  await ask("play", "POST /api/playground/chat", {
    headers: owner,
    body: { preset: "company", model: "scripted", messages: [user("a message in the playground")] },
  });
  await ask("an event", "POST /api/webhooks/stripe", {
    headers: { "stripe-signature": plant("a signature") },
    raw: JSON.stringify({ id: plant("an event") }),
  });
}

async function storedMessages(): Promise<void> {
  const content = `script:${JSON.stringify({ text: plant("a stored answer") })}`;
  await chat("store", {
    store: true,
    metadata: { note: plant("stored metadata") },
    messages: [
      { role: "system", content: plant("a stored instruction") },
      { role: "user", content },
    ],
  });
}

/** The columns where planted texts belong, because the caller asked us to store them. */
const BELONG = [
  "chunk.text: a document",
  "document.file_name: a file's name",
  "document.file_name: the name of a file without a store",
  "document.metadata: a document's metadata",
  "document.text: a document",
  "document.title: a title",
  "document.title: the name of a file without a store",
  // What filters compare.
  "document_attribute.value: a document's metadata",
  "document_attribute.value: a file's name",
  "document_attribute.value: a title",
  "document_attribute.value: the name of a file without a store",
  "document_upload.bytes: a document",
  "document_upload.bytes: a file without a store",
  "document_upload.name: a file's name",
  "document_upload.name: the name of a file without a store",
  "document_upload.title: a title",
  "stored_completion.messages: a stored answer",
  "stored_completion.messages: a stored instruction",
  "stored_completion.metadata: stored metadata",
  "stored_completion.response: a stored answer",
  "vector_store.description: the description of a store",
  "vector_store.metadata: the metadata of a store",
  "vector_store.name: a store's new name",
  "vocabulary.word: a document",
  "vocabulary.word: a title",
];

describe("a planted secret or private text", () => {
  it("was sent in many requests, both successful and failed", () => {
    expect(Object.keys(plants).length).toBeGreaterThan(50);
    expect([...statuses].toSorted()).toEqual([
      200, 201, 202, 400, 401, 403, 409, 415, 429, 502, 504,
    ]);
  });

  it("never appears in the log", () => {
    expect(log.lines.length).toBeGreaterThan(80);
    expect(log.lines.filter((line) => line.includes("request failed")).length).toBeGreaterThan(5);
    const leaks = log.lines.flatMap((line) =>
      plantsIn(line, plants).map((name) => ({ name, line })),
    );
    expect(leaks).toEqual([]);
  });

  it("never appears in an error response", () => {
    expect(refusals.length).toBeGreaterThan(40);
    const leaks = refusals.filter(({ text }) => plantsIn(text, plants).length > 0);
    expect(leaks).toEqual([]);
  });

  it("is stored only where the caller put it", async () => {
    expect(await placesOf(plants)).toEqual(BELONG);
  });
});
