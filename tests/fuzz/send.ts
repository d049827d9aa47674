import { generateApiKey } from "@/lib/auth/secret";
import { db } from "@/lib/db/client";
import { call, dispatch } from "@/lib/testing/api";
import { makeAccount, setBalance } from "@/lib/testing/factories";
import { makeKeyPair, makeStoredAnswer } from "@/lib/testing/stored-answer";
import type { Body, Drawn } from "./request";

/** Who asks, and the rows that drawn requests speak of. */
export interface Asker {
  accountId: string;
  key: string;
  rows: Record<"document" | "job" | "completion", string[]>;
}

const ROWS_OF_A_KIND = 6;

/** An account with a key of every scope, documents whose jobs have ended, and stored answers. */
export async function makeAsker(): Promise<Asker> {
  const { id: accountId, ctx } = await makeAccount();
  await setBalance(accountId, 100);
  const { secret: key, ctx: keyCtx } = await makeKeyPair(ctx);
  const rows: Asker["rows"] = { document: [], job: [], completion: [] };
  for (let count = 0; count < ROWS_OF_A_KIND; count += 1) {
    const { json } = await call("POST", "/v1/kb/documents", {
      key,
      body: { scope: "customer_kb", text: `Ward ${count} opens at ${count} o'clock.` },
    });
    rows.document.push(json.id);
    rows.job.push(json.job_id);
    rows.completion.push(await makeStoredAnswer(keyCtx));
  }
  const asker = { accountId, key, rows };
  await endJobs(asker);
  return asker;
}

/** Cancels what waits to be worked on; nothing works on it here, and each job holds money. */
export async function endJobs({ accountId, key }: Asker): Promise<void> {
  const open = await db().job.findMany({ where: { accountId, finishedAt: null } });
  for (const { id } of open) {
    await call("POST", `/v1/kb/jobs/${id}/cancel`, { key });
  }
}

/** Sends a drawn request in the name of an account; gives up on an answer that does not end. */
export async function sendDrawn(
  asker: Asker,
  drawn: Drawn,
  deadlineMs: number,
): Promise<{ status: number; headers: Headers; text: string }> {
  const guard = Promise.withResolvers<never>();
  const timer = setTimeout(() => guard.reject(new Error("no answer in time")), deadlineMs);
  try {
    return await Promise.race([answerTo(toRequest(asker, drawn)), guard.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function answerTo(request: Request) {
  const response = await dispatch(request);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function toRequest(asker: Asker, drawn: Drawn): Request {
  const id =
    typeof drawn.id === "string"
      ? drawn.id
      : asker.rows[drawn.id.row][drawn.id.at % ROWS_OF_A_KIND];
  // An address holds neither halves of characters nor empty segments.
  const segment = encodeURIComponent((id || " ").toWellFormed());
  const url = new URL(drawn.path.replaceAll(/\{\w+\}/g, segment), "http://localhost:3000");
  for (const [name, value] of drawn.query) {
    url.searchParams.append(name, value);
  }
  const headers = new Headers(drawn.headers);
  const authorization = authorizationOf(asker, drawn.credential);
  if (authorization) {
    headers.set("authorization", authorization);
  }
  const body = drawn.method === "GET" ? null : bytesOf(drawn.body);
  if (drawn.body.kind === "json" && !headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  return new Request(url, { method: drawn.method, headers, body });
}

function authorizationOf({ key }: Asker, credential: Drawn["credential"]): string | null {
  switch (credential) {
    case "key":
      return `Bearer ${key}`;
    case "malformed":
      return "Bearer \u00e9 x";
    case "unknown":
      return `Bearer ${generateApiKey("live")}`;
    case "none":
      return null;
  }
}

function bytesOf(body: Body): BodyInit | null {
  switch (body.kind) {
    case "none":
      return null;
    case "bytes":
      return new Uint8Array(body.bytes);
    case "json":
      return JSON.stringify(body.value);
    case "form":
      return formOf(body.fields);
  }
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    form.append(name, name === "file" ? new File([text], `${text.slice(0, 40)}.txt`) : text);
  }
  return form;
}
