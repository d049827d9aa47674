import pRetry from "p-retry";
import { AppError } from "@/lib/errors";
import { fetchJson, parseErrorBody } from "@/lib/fetch-json";
import type { OcrMode } from "@/lib/reading/ocr/ocr-mode";
import type { AcceptedDocument } from "./schema";
import { findUnfinished, forgetUpload, rememberUpload } from "./unfinished-uploads";
import type { Upload } from "./upload-schema";

export interface Sending {
  file: File;
  scope: "customer_kb" | "personal_kb";
  ocr: OcrMode;
  /** The document that the file is the next version of. */
  replaces?: string | undefined;
  /** The vector store that it goes into. */
  store?: string | undefined;
  /** Called with the share that was sent, from 0 to 1. */
  onProgress: (part: number) => void;
  /** Called when the connection is lost, before each new attempt. */
  onInterrupted: () => void;
  signal: AbortSignal;
}

/** A larger file is sent in parts of this size, so that a lost connection costs at most one of them. */
export const PART_BYTES = 4 * 1024 * 1024;
/** About two minutes. */
const RETRIES = { retries: 9, minTimeout: 1000, maxTimeout: 20_000 };

class ConnectionLostError extends Error {}

/** What passes by itself: the server is restarting, or receives as much as it can. */
const TEMPORARY = ["rate_limit_exceeded", "service_unavailable"];

/**
 * Uploads a file from the browser. Waits out a lost connection; after a reload, the same file continues where it was.
 * Throws the endpoint's error as AppError, or the signal's reason.
 */
export function sendDocument(sending: Sending): Promise<AcceptedDocument> {
  return sending.file.size > PART_BYTES ? sendInParts(sending) : sendWhole(sending);
}

/** The same bytes sent twice are one document, so that it can be sent again. */
function sendWhole(sending: Sending): Promise<AcceptedDocument> {
  const { file, onProgress } = sending;
  return persist(sending, async () => {
    const form = toForm({ ...optionsOf(sending), file });
    const answer = await post("/api/documents", form, { ...sending, onProgress });
    return (await import("./schema")).AcceptedDocument.parse(answer);
  });
}

async function sendInParts(sending: Sending): Promise<AcceptedDocument> {
  const { file, signal, onProgress } = sending;
  const { id, parts } = await persist(sending, () => openUpload(sending));
  rememberUpload(file, id);
  try {
    const arrived = new Map(parts.map((part) => [part.part_number, part.bytes]));
    for (let at = 0, number = 1; at < file.size; at += PART_BYTES, number += 1) {
      const data = file.slice(at, at + PART_BYTES);
      const report = (part: number) => onProgress((at + part * data.size) / file.size);
      if (arrived.get(number) !== data.size) {
        await persist(sending, () =>
          post(`${pathOf(id)}/parts`, toForm({ part_number: String(number), data }), {
            signal,
            onProgress: report,
          }),
        );
      }
      report(1);
    }
    const { document } = await persist(sending, () =>
      fetchUpload(`${pathOf(id)}/complete`, { body: optionsOf(sending), signal }),
    );
    if (!document) {
      throw new Error("The upload is completed without a document.");
    }
    forgetUpload(id);
    return document;
  } catch (cause) {
    if (signal.aborted || cause instanceof AppError) {
      discardUpload(id);
    }
    throw cause;
  }
}

/** The upload of this file that was interrupted, or a new one. */
async function openUpload({ file, signal }: Sending): Promise<Upload> {
  const known = findUnfinished(file);
  const found =
    known && (await fetchUpload(pathOf(known), { signal }).catch((cause) => orNull(cause, known)));
  if (found && found.status === "pending") {
    return found;
  }
  const body = { bytes: file.size, filename: file.name.slice(0, 500) };
  return fetchUpload("/api/uploads", { body, signal });
}

/** An upload that is gone is forgotten; another failure is thrown. */
function orNull(cause: unknown, id: string): null {
  if (cause instanceof AppError && cause.code === "not_found") {
    forgetUpload(id);
    return null;
  }
  throw cause;
}

/** Ends an upload that won't be continued. If the request is lost, the server's own expiry ends it. */
export function discardUpload(id: string): void {
  forgetUpload(id);
  void fetch(`${pathOf(id)}/cancel`, { method: "POST", keepalive: true }).catch(() => undefined);
}

/** The state of an upload in parts. Throws not_found. */
export function getOwnUpload(id: string): Promise<Upload> {
  return fetchUpload(pathOf(id), {});
}

function fetchUpload(path: string, options: { body?: object; signal?: AbortSignal }) {
  return fetchJson(path, {
    ...options,
    schema: async () => (await import("./upload-schema")).Upload,
  }).catch((cause: unknown) => {
    throw cause instanceof AppError || options.signal?.aborted
      ? cause
      : new ConnectionLostError(UNREACHABLE);
  });
}

/** Tries until the connection is back, or `signal` aborts. */
function persist<T>({ signal, onInterrupted }: Sending, work: () => Promise<T>): Promise<T> {
  return pRetry(work, {
    ...RETRIES,
    signal,
    shouldRetry: ({ error }) =>
      error instanceof ConnectionLostError ||
      (error instanceof AppError && TEMPORARY.includes(error.code)),
    onFailedAttempt: ({ error }) => {
      if (error instanceof ConnectionLostError) {
        onInterrupted();
      }
    },
  });
}

const UNREACHABLE = "We couldn’t reach the server. Check your connection and try again.";

/** Posts a form with XMLHttpRequest, because `fetch` doesn't report progress. */
function post(
  path: string,
  form: FormData,
  { signal, onProgress }: Pick<Sending, "signal" | "onProgress">,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener("abort", stop, { once: true });
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () =>
      request.status < 300 ? resolve(request.response) : reject(failureOf(request));
    request.onabort = () => reject(signal.reason);
    request.onerror = () => reject(new ConnectionLostError(UNREACHABLE));
    request.onloadend = () => signal.removeEventListener("abort", stop);
    request.open("POST", path);
    request.responseType = "json";
    request.send(form);
  });
}

/** A server that restarts answers without a body, or its proxy does. */
function failureOf({ status, response }: XMLHttpRequest): Error {
  const isAway = status >= 502 && !(response as { error?: unknown } | null)?.error;
  return isAway ? new ConnectionLostError(UNREACHABLE) : parseErrorBody(response);
}

function optionsOf({ scope, ocr, replaces, store }: Sending) {
  return { scope, ocr, ...(replaces && { replaces }), ...(store && { store }) };
}

function toForm(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value);
  }
  return form;
}

function pathOf(id: string): string {
  return `/api/uploads/${encodeURIComponent(id)}`;
}
