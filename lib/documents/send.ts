import { parseErrorBody } from "@/lib/fetch-json";
import type { AcceptedDocument, OcrMode } from "./schema";

export interface Sending {
  file: File;
  scope: "customer_kb" | "personal_kb";
  ocr: OcrMode;
  /** Called with the share that was sent, from 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a file from the browser, with XMLHttpRequest because `fetch` doesn't report progress. Throws the endpoint's
 * error as AppError, or the signal's reason.
 */
export function sendDocument({ file, scope, ocr, onProgress, signal }: Sending) {
  return new Promise<AcceptedDocument>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener("abort", stop, { once: true });
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () =>
      read(request)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener("abort", stop));
    request.onabort = () => reject(signal.reason);
    request.onerror = () => reject(new Error(UNREACHABLE));
    request.open("POST", "/api/documents");
    request.responseType = "json";
    const form = new FormData();
    form.set("scope", scope);
    form.set("ocr", ocr);
    form.set("file", file);
    request.send(form);
  });
}

const UNREACHABLE = "We couldn’t reach the server. Check your connection and try again.";

async function read({ status, response }: XMLHttpRequest): Promise<AcceptedDocument> {
  if (status !== 202) {
    throw parseErrorBody(response);
  }
  return (await import("./schema")).AcceptedDocument.parse(response);
}
