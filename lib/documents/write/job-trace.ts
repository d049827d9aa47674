import "server-only";

import type { Span } from "@opentelemetry/api";
import { ingestCost } from "@/lib/billing/rates";
import { countSettled } from "@/lib/billing/write/settle";
import { metrics, secondsSince } from "@/lib/metrics";
import { beginRootSpan, DATABASE, endSpan, inSpan, within } from "@/lib/tracing";
import { DocumentError } from "../document-error";
import { ingestUsage } from "./upload";

/** `superseded`: it was ended by someone else meanwhile. */
export type JobOutcome = "completed" | "failed" | "superseded";

/** One attempt at a job, as its trace and the metrics tell of it. */
export class JobTrace {
  readonly #span: Span | undefined;

  constructor({ id, attempts }: { id: string; attempts: number }) {
    this.#span = beginRootSpan("document job", {
      "footnote.job_id": id,
      "footnote.attempt": attempts,
    });
  }

  async run(work: () => Promise<JobOutcome>): Promise<void> {
    try {
      const outcome = await within(this.#span, work);
      metrics()?.jobs.add(1, { outcome });
      endSpan(this.#span);
    } catch (thrown) {
      // What its document is at fault for ends a job; anything else is tried again.
      const outcome = thrown instanceof DocumentError ? "failed" : "interrupted";
      metrics()?.jobs.add(1, { outcome });
      endSpan(this.#span, thrown);
      throw thrown;
    }
  }

  async stage<T>(name: "reading" | "embedding" | "indexing", work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await inSpan(name, name === "indexing" ? DATABASE : {}, work);
    } finally {
      metrics()?.jobStages.record(secondsSince(startedAt), { stage: name });
    }
  }
}

/** What a job that was stored is charged for. */
export function countIngestion({ hold_id }: { hold_id: string | null }, tokens: number): void {
  if (hold_id) {
    const usage = ingestUsage({ tokens, latencyMs: 0, status: 202 });
    countSettled(usage, tokens ? ingestCost(tokens) : 0n);
  }
}
