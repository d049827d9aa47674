import { AppError } from "@/lib/errors";
import { generateApiKey } from "@/lib/platform/auth/secret";
import { db } from "@/lib/platform/db/client";
import { call, dispatch } from "@/lib/testing/api";
import { makeAccount, setBalance } from "@/lib/testing/factories";
import { issueKey } from "@/lib/testing/issue-key";
import { pdfPage } from "@/lib/testing/pdf-files";
import { makeKeyPair, makeStoredAnswer, makeStoredResponse } from "@/lib/testing/stored-answer";
import { A_FILE, UPLOADED } from "./pools";
import { type Body, type Drawn, JSON_LINES, type RowKind } from "./request";

/** An account that sends requests, and the rows that drawn requests refer to. */
export interface Client {
  accountId: string;
  key: string;
  /** A file that can be added to stores. */
  fileId: string;
  rows: Record<RowKind, string[]>;
}

const ROWS_OF_A_KIND = 6;
const FILE_FIELDS = new Set(["file", "data"]);

/** Creates an account with a key of every scope, documents with finished jobs, and stored answers. */
export async function makeClient(): Promise<Client> {
  const { id: accountId, ctx } = await makeAccount();
  await setBalance(accountId, 100);
  const { secret: key, ctx: keyCtx } = await makeKeyPair(ctx);
  const rows: Client["rows"] = {
    document: [],
    job: [],
    completion: [],
    response: [],
    checkout: [],
    preset: [],
    key: [],
    upload: [],
    store: [],
    batch: [],
  };
  for (let count = 0; count < ROWS_OF_A_KIND; count += 1) {
    const { json } = await call("POST", "/v1/kb/documents", {
      key,
      body: { scope: "customer_kb", text: `Ward ${count} opens at ${count} o'clock.` },
    });
    rows.document.push(json.id);
    rows.job.push(json.job_id);
    rows.completion.push(await makeStoredAnswer(keyCtx));
    rows.response.push(await makeStoredResponse(keyCtx));
    const checkouts = "/v1/billing/checkout-sessions";
    const checkout = await call("POST", checkouts, { key, body: { amount: 2500 } });
    rows.checkout.push(checkout.json.id);
    const preset = await call("POST", "/v1/presets", {
      key,
      body: { name: `ward-${count}`, model: "footnote-extract-1" },
    });
    rows.preset.push(preset.json.id);
    rows.key.push(await issueKey(key, `Ward ${count}`));
    const upload = await call("POST", "/v1/uploads", {
      key,
      body: { bytes: UPLOADED.length, filename: "ward.txt", purpose: "user_data" },
    });
    rows.upload.push(upload.json.id);
    // Every other one can be completed.
    if (count % 2 === 0) {
      const raw = formOf({ data: UPLOADED, part_number: 1 });
      await call("POST", `/v1/uploads/${upload.json.id}/parts`, { key, raw });
    }
  }
  for (const [at, document] of rows.document.entries()) {
    const stores = "/v1/vector_stores";
    const store = await call("POST", stores, { key, body: { name: `Ward ${at}` } });
    const body = { file_ids: at % 2 === 0 ? rows.document : [document] };
    const batch = await call("POST", `${stores}/${store.json.id}/file_batches`, { key, body });
    rows.store.push(store.json.id);
    rows.batch.push(batch.json.id);
  }
  const raw = formOf({ purpose: "assistants", file: "The ward opens at seven." });
  const { json: file } = await call("POST", "/v1/files", { key, raw });
  const client = { accountId, key, rows, fileId: file.id };
  await endJobs(client);
  await storeOriginals(client);
  return client;
}

/** Gives the documents the file that a worker would have kept: a PDF, whose pages can be drawn. */
async function storeOriginals({ accountId, rows }: Client): Promise<void> {
  const bytes = Buffer.from(await pdfPage(() => undefined));
  const kept = { accountId, bytes, name: "ward.pdf", isOriginal: true, sizeBytes: bytes.length };
  await db().document.updateMany({
    where: { id: { in: rows.document } },
    data: { mediaType: "application/pdf" },
  });
  await db().documentUpload.createMany({
    data: rows.document.map((documentId) => ({ documentId, ...kept })),
  });
}

/** Cancels queued jobs: no worker runs here, and each job has an open hold. */
export async function endJobs({ accountId, key }: Client): Promise<void> {
  const open = await db().job.findMany({ where: { accountId, finishedAt: null } });
  for (const { id } of open) {
    await call("POST", `/v1/kb/jobs/${id}/cancel`, { key });
  }
}

/** Sends a drawn request with an account's credentials, and throws if the response doesn't end in time. */
export async function sendDrawn(
  client: Client,
  drawn: Drawn,
  deadlineMs: number,
): Promise<{ status: number; headers: Headers; text: string }> {
  const guard = Promise.withResolvers<never>();
  const timer = setTimeout(() => guard.reject(new Error("no answer in time")), deadlineMs);
  try {
    return await Promise.race([responseTo(toRequest(client, drawn)), guard.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function responseTo(request: Request) {
  const response = await dispatch(request);
  const text = await response.text().catch(textOfCut);
  return { status: response.status, headers: response.headers, text };
}

/** A download ends early when another request deletes its document. */
function textOfCut(cause: unknown): string {
  if (cause instanceof AppError && cause.code === "conflict") {
    return "";
  }
  throw cause;
}

const MEDIA_TYPES_BY_KIND: Partial<Record<Body["kind"], string>> = {
  json: "application/json",
  lines: JSON_LINES,
};

function toRequest(client: Client, drawn: Drawn): Request {
  const segments = drawn.ids.map((drawnId) => {
    const id =
      typeof drawnId === "string" ? drawnId : client.rows[drawnId.row][drawnId.at % ROWS_OF_A_KIND];
    // A URL can contain neither lone surrogates nor empty segments.
    return encodeURIComponent((id || " ").toWellFormed());
  });
  const path = drawn.path.replace("{page}", "1.png");
  const named = path.replaceAll(/\{\w+\}/g, () => segments.shift() ?? "x");
  const url = new URL(named, "http://localhost:3000");
  for (const [name, value] of drawn.query) {
    url.searchParams.append(name, value);
  }
  const headers = new Headers(drawn.headers);
  const authorization = authorizationOf(client, drawn.credential);
  if (authorization) {
    headers.set("authorization", authorization);
  }
  const body = drawn.method === "GET" ? null : bytesOf(drawn.body, client.fileId);
  const mediaType = MEDIA_TYPES_BY_KIND[drawn.body.kind];
  if (mediaType && !headers.has("content-type")) {
    headers.set("content-type", mediaType);
  }
  return new Request(url, { method: drawn.method, headers, body });
}

function authorizationOf({ key }: Client, credential: Drawn["credential"]): string | null {
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

function bytesOf(body: Body, fileId: string): BodyInit | null {
  switch (body.kind) {
    case "none":
      return null;
    case "bytes":
      return new Uint8Array(body.bytes);
    case "json":
      return JSON.stringify(body.value)?.replaceAll(A_FILE, fileId) ?? "";
    case "lines":
      return body.values.map((value) => JSON.stringify(value)).join("\n");
    case "form":
      return formOf(body.fields);
  }
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    form.append(name, FILE_FIELDS.has(name) ? new File([text], `${text.slice(0, 40)}.txt`) : text);
  }
  return form;
}
