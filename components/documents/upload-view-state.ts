import type { Tone } from "@/components/ui/badge";
import type { Job } from "@/lib/documents/schema";
import { formatCount, formatStage, STATUS_LABELS } from "./labels";
import type { Upload } from "./upload-queue";

/** What is said of a file on its way. */
export interface UploadFace {
  badge: { name: string; tone: Tone };
  words: string | null;
  /** From 0 to 1; null where nothing moves. */
  part: number | null;
  /** Why it failed, and what to do. */
  problem: string | null;
  isOpen: boolean;
  canRetry: boolean;
}

const STILL = { words: null, part: null, problem: null, isOpen: false, canRetry: false };
const WAITING = { name: "Waiting", tone: "neutral" } as const;
const THERE_ALREADY = "It was there already, word for word. Nothing was charged.";

/** `job` is null until it was first read. */
export function faceOf({ state }: Pick<Upload, "state">, job: Job | null): UploadFace {
  switch (state.at) {
    case "waiting":
      return { ...STILL, badge: WAITING, isOpen: true };
    case "sending":
      return {
        ...STILL,
        badge: { name: "Uploading", tone: "accent" },
        words:
          state.part < 1 ? `${Math.floor(state.part * 100)} % sent` : "Sent, and being taken in",
        part: state.part,
        isOpen: true,
      };
    case "refused":
      return {
        ...STILL,
        badge: { name: "Refused", tone: "danger" },
        problem: state.message,
        canRetry: true,
      };
    case "stopped":
      return { ...STILL, badge: { name: "Stopped", tone: "neutral" }, canRetry: true };
    case "taken":
      return state.isKnown
        ? { ...STILL, badge: STATUS_LABELS.completed, words: THERE_ALREADY }
        : faceOfJob(job);
  }
}

function faceOfJob(job: Job | null): UploadFace {
  if (!job) {
    return { ...STILL, badge: STATUS_LABELS.queued };
  }
  const badge = STATUS_LABELS[job.status];
  switch (job.status) {
    case "completed":
      return { ...STILL, badge, words: formatReport(job) };
    case "failed":
      return { ...STILL, badge, problem: job.error?.message ?? null, canRetry: true };
    case "cancelled":
      return { ...STILL, badge, canRetry: true };
    default:
      return { ...STILL, badge, words: formatStage(job), part: job.progress, isOpen: true };
  }
}

function formatReport({ report }: Job): string | null {
  if (!report) {
    return null;
  }
  const { chunks, pages, warnings } = report;
  const parts = [
    formatCount(chunks, "passage"),
    pages !== null && formatCount(pages, "page"),
    warnings.length > 0 && formatCount(warnings.length, "warning"),
  ];
  return parts.filter(Boolean).join(", ");
}
