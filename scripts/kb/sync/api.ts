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
/** Of those that change documents. */
const MAX_CHANGED = 500;

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

const Store = z.object({ id: z.string(), name: z.string(), scope: z.string() });
const StorePage = z.object({
  data: z.array(Store),
  has_more: z.boolean(),
  last_id: z.string().nullable(),
});

/** Null removes an attribute. */
export type Attributes = Record<string, string | number | boolean | null>;

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

  /** Uploads a version and waits until its job has ended. `failure` is why it failed, or null. */
  async upload(form: FormData): Promise<{ id: string; failure: string | null }> {
    form.set("scope", this.options.scope);
    form.set("on_duplicate", "replace");
    const accepted = AcceptedDocument.parse(await this.#send("POST", "documents", form));
    for (;;) {
      const answer = await this.#send("GET", `jobs/${accepted.job_id}?wait=30`);
      const { finished_at, error, status } = Job.parse(answer);
      if (finished_at) {
        const failure = error?.message ?? "The upload was canceled.";
        return { id: accepted.id, failure: status === "completed" ? null : failure };
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

  /** The id of the scope's store with this name or id; null if there is none. Throws if several have the name. */
  async findStore(name: string): Promise<string | null> {
    const found: string[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const query: string = `?limit=${PAGE}${after && `&after=${after}`}`;
      const page = StorePage.parse(await this.#send("GET", `../vector_stores${query}`));
      const named = page.data.filter((store) => store.name === name || store.id === name);
      found.push(...named.flatMap(({ id, scope }) => (scope === this.options.scope ? id : [])));
      after = page.has_more ? page.last_id : null;
    }
    if (found.length > 1) {
      throw new Error(`Several vector stores are called ${name}. Name one by its id.`);
    }
    return found[0] ?? null;
  }

  async createStore(name: string): Promise<string> {
    const body = { name, scope: this.options.scope };
    return Store.parse(await this.#send("POST", "../vector_stores", body)).id;
  }

  /** Documents that are in the store already stay. */
  async addToStore(store: string, ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += MAX_CHANGED) {
      const body = { file_ids: ids.slice(start, start + MAX_CHANGED) };
      await this.#send("POST", `../vector_stores/${store}/file_batches`, body);
    }
  }

  async setAttributes(ids: readonly string[], attributes: Attributes): Promise<void> {
    const changed = Object.keys(attributes).length > 0 ? ids : [];
    for (let start = 0; start < changed.length; start += MAX_CHANGED) {
      const body = { ids: changed.slice(start, start + MAX_CHANGED), attributes };
      await this.#send("POST", "documents/update", body);
    }
  }

  #send(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
    const url = new URL(path, `${this.options.baseUrl}/v1/kb/`);
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
