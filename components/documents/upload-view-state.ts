import type { Tone } from "@/components/ui/badge";
import type { Job } from "@/lib/documents/schema";
import { formatCount, formatStage, STATUS_LABELS } from "./labels";
import type { Upload } from "./upload-queue";

/** What the list shows of an upload. */
interface UploadView {
  badge: { name: string; tone: Tone };
  detail: string | null;
  /** Progress from 0 to 1; null if there is none. */
  part: number | null;
  /** Why it failed, and what to do. */
  problem: string | null;
  isOpen: boolean;
  canRetry: boolean;
}

const IDLE = { detail: null, part: null, problem: null, isOpen: false, canRetry: false };

/** `job` is null until it was first loaded. */
export function uploadView({ state }: Pick<Upload, "state">, job: Job | null): UploadView {
  switch (state.at) {
    case "waiting":
      return { ...IDLE, badge: { name: "Waiting", tone: "neutral" }, isOpen: true };
    case "sending":
      return {
        ...IDLE,
        badge: { name: "Uploading", tone: "accent" },
        detail: state.part < 1 ? `${Math.floor(state.part * 100)}% uploaded` : "Processing…",
        part: state.part,
        isOpen: true,
      };
    case "rejected":
      return {
        ...IDLE,
        badge: { name: "Rejected", tone: "danger" },
        problem: state.message,
        canRetry: true,
      };
    case "canceled":
      return { ...IDLE, badge: STATUS_LABELS.cancelled, canRetry: true };
    case "accepted":
      return state.isDuplicate
        ? {
            ...IDLE,
            badge: STATUS_LABELS.completed,
            detail: "Already uploaded (identical file). You weren’t charged.",
          }
        : jobView(job);
  }
}

function jobView(job: Job | null): UploadView {
  if (!job) {
    return { ...IDLE, badge: STATUS_LABELS.queued };
  }
  const badge = STATUS_LABELS[job.status];
  switch (job.status) {
    case "completed":
      return { ...IDLE, badge, detail: formatReport(job) };
    case "failed":
      return { ...IDLE, badge, problem: job.error?.message ?? null, canRetry: true };
    case "cancelled":
      return { ...IDLE, badge, canRetry: true };
    default:
      return { ...IDLE, badge, detail: formatStage(job), part: job.progress, isOpen: true };
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
