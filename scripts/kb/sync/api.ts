import { setTimeout as sleep } from "node:timers/promises";
import pRetry, { AbortError } from "p-retry";
import * as z from "zod";
import { AcceptedDocument, Document, Job } from "@/lib/library/documents/schema";

const RETRIES = 8;
const TIMEOUT_MS = 120_000;
const MAX_WAIT_SECONDS = 60;
const PAGE = 100;
/** The endpoint's limit. */
const MAX_DELETED = 1000;

const Failure = z.object({ error: z.object({ message: z.string() }) });
const Page = z.object({ data: z.array(Document), next_cursor: z.string().nullable() });
const Deleted = z.object({
  data: z.array(
    z.object({
      external_id: z.string().nullable(),
      deleted: z.boolean(),
      error: z.object({ message: z.string() }).nullable(),
    }),
  ),
});

export type RemoteDocument = z.infer<typeof Document>;

export interface ApiOptions {
  /** Where the public API is, without /v1. */
  baseUrl: string;
  key: string;
  scope: string;
}

/** The public API, as far as a sync needs it. Waits where the server asks to, and retries failures that may pass. */
export class DocumentsApi {
  constructor(
    private readonly options: ApiOptions,
    private readonly signal: AbortSignal,
  ) {}

  /** The scope's documents whose external id begins with the prefix. */
  async list(prefix: string): Promise<Map<string, RemoteDocument>> {
    const found = new Map<string, RemoteDocument>();
    let after: string | null = null;
    do {
      const query: string = `?limit=${PAGE}${after ? `&after=${after}` : ""}`;
      const page: z.infer<typeof Page> = Page.parse(await this.#send("GET", `documents${query}`));
      for (const document of page.data) {
        const { external_id: id, scope } = document;
        if (scope === this.options.scope && id?.startsWith(prefix)) {
          found.set(id, document);
        }
      }
      after = page.next_cursor;
    } while (after);
    return found;
  }

  /** Uploads a version and waits until its job has ended. Returns why it failed, or null. */
  async upload(form: FormData): Promise<string | null> {
    form.set("scope", this.options.scope);
    form.set("on_duplicate", "replace");
    const accepted = AcceptedDocument.parse(await this.#send("POST", "documents", form));
    for (;;) {
      const answer = await this.#send("GET", `jobs/${accepted.job_id}?wait=30`);
      const { finished_at, error, status } = Job.parse(answer);
      if (finished_at) {
        return status === "completed" ? null : (error?.message ?? "The upload was canceled.");
      }
      this.signal.throwIfAborted();
    }
  }

  /** Returns the failures. */
  async remove(externalIds: readonly string[]): Promise<{ id: string; message: string }[]> {
    const failures: { id: string; message: string }[] = [];
    for (let start = 0; start < externalIds.length; start += MAX_DELETED) {
      const external_ids = externalIds.slice(start, start + MAX_DELETED);
      const body = { scope: this.options.scope, external_ids };
      const { data } = Deleted.parse(await this.#send("POST", "documents/delete", body));
      for (const { external_id, error } of data) {
        if (error) {
          failures.push({ id: external_id ?? "", message: error.message });
        }
      }
    }
    return failures;
  }

  #send(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
    const url = new URL(`${this.options.baseUrl}/v1/kb/${path}`);
    const options = { retries: RETRIES, minTimeout: 500, maxTimeout: 20_000, signal: this.signal };
    return pRetry(() => this.#attempt(url, method, body), options);
  }

  async #attempt(url: URL, method: string, body?: object): Promise<unknown> {
    const isForm = body instanceof FormData;
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.options.key}`,
        ...(body && !isForm && { "content-type": "application/json" }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) {
      return answer;
    }
    const failure = Failure.safeParse(answer);
    const message = failure.success ? failure.data.error.message : `Status ${response.status}.`;
    if (response.status !== 429 && response.status < 500) {
      throw new AbortError(message);
    }
    const seconds = Number(response.headers.get("retry-after")) || 0;
    await sleep(Math.min(seconds, MAX_WAIT_SECONDS) * 1000, null, { signal: this.signal });
    throw new Error(message);
  }
}
