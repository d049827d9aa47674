import { generateApiKey } from "@/lib/auth/secret";
import { db } from "@/lib/db/client";
import { call, dispatch } from "@/lib/testing/api";
import { makeAccount, setBalance } from "@/lib/testing/factories";
import { makeKeyPair, makeStoredAnswer } from "@/lib/testing/stored-answer";
import type { Body, GeneratedRequest } from "./request";

/** The caller of generated requests, and its rows. */
export interface Caller {
  accountId: string;
  key: string;
  rows: Record<"document" | "job" | "completion", string[]>;
}

const ROWS_OF_A_KIND = 6;

/** An account with a key that has all scopes, processed documents, and stored answers. */
export async function makeCaller(): Promise<Caller> {
  const { id: accountId, ctx } = await makeAccount();
  await setBalance(accountId, 100);
  const { secret: key, ctx: keyCtx } = await makeKeyPair(ctx);
  const rows: Caller["rows"] = { document: [], job: [], completion: [] };
  for (let count = 0; count < ROWS_OF_A_KIND; count += 1) {
    const { json } = await call("POST", "/v1/kb/documents", {
      key,
      body: { scope: "customer_kb", text: `Ward ${count} opens at ${count} o'clock.` },
    });
    rows.document.push(json.id);
    rows.job.push(json.job_id);
    rows.completion.push(await makeStoredAnswer(keyCtx));
  }
  const caller = { accountId, key, rows };
  await endJobs(caller);
  return caller;
}

/** Cancels queued jobs. No worker runs here, and each job holds funds. */
export async function endJobs({ accountId, key }: Caller): Promise<void> {
  const open = await db().job.findMany({ where: { accountId, finishedAt: null } });
  for (const { id } of open) {
    await call("POST", `/v1/kb/jobs/${id}/cancel`, { key });
  }
}

/** Sends a generated request for an account, with a deadline. */
export async function sendGenerated(
  caller: Caller,
  generated: GeneratedRequest,
  deadlineMs: number,
): Promise<{ status: number; headers: Headers; text: string }> {
  const guard = Promise.withResolvers<never>();
  const timer = setTimeout(() => guard.reject(new Error("no answer in time")), deadlineMs);
  try {
    return await Promise.race([answerTo(toRequest(caller, generated)), guard.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function answerTo(request: Request) {
  const response = await dispatch(request);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function toRequest(caller: Caller, generated: GeneratedRequest): Request {
  const id =
    typeof generated.id === "string"
      ? generated.id
      : caller.rows[generated.id.row][generated.id.at % ROWS_OF_A_KIND];
  // A URL can't contain lone surrogates or empty segments.
  const segment = encodeURIComponent((id || " ").toWellFormed());
  const url = new URL(generated.path.replaceAll(/\{\w+\}/g, segment), "http://localhost:3000");
  for (const [name, value] of generated.query) {
    url.searchParams.append(name, value);
  }
  const headers = new Headers(generated.headers);
  const authorization = authorizationOf(caller, generated.credential);
  if (authorization) {
    headers.set("authorization", authorization);
  }
  const body = generated.method === "GET" ? null : bytesOf(generated.body);
  if (generated.body.kind === "json" && !headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  return new Request(url, { method: generated.method, headers, body });
}

function authorizationOf(
  { key }: Caller,
  credential: GeneratedRequest["credential"],
): string | null {
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
