import type { AppError } from "@/lib/errors";
import { processSingleton } from "@/lib/singleton";

/** A request of a known key that failed without a usage record, so nothing was charged. */
export interface Refusal {
  requestId: string;
  account_id: string;
  key_id: string;
  /** The path template, such as `/v1/kb/jobs/{job_id}`. */
  endpoint: string;
  model: string | null;
  status: number;
  error: AppError;
  latencyMs: number;
}

const listeners = processSingleton(
  "refusal listener",
  (): { listener?: (refusal: Refusal) => void } => ({}),
);

/** Called with each refused request, after its response; replaces an earlier listener. */
export function onRefusal(listener: (refusal: Refusal) => void): void {
  listeners.listener = listener;
}

export function reportRefusal(refusal: Refusal): void {
  listeners.listener?.(refusal);
}
