"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import Link from "next/link";
import { useEffect } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { AlertMark } from "@/components/ui/form-error";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format-count";
import { jobQuery, useCancelJob } from "@/lib/library/documents/client";
import type { Job, JobReport } from "@/lib/library/documents/schema";
import { FormatIcon } from "./format-icon";
import { ProgressBar } from "./job-progress";
import { formatSize, formatStage, STATUS_LABELS } from "./labels";
import type { Upload, UploadQueue } from "./upload-queue";

/** Uploads under way, and those that need attention. One that is ready moves to the list of documents. */
export function UploadList({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const isUploading = uploads.some(({ state }) => ["waiting", "sending"].includes(state.at));
  useEffect(() => {
    // Leaving the site would interrupt them, so the browser asks first.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isUploading) {
      window.addEventListener("beforeunload", warn);
    }
    return () => window.removeEventListener("beforeunload", warn);
  }, [isUploading]);
  const shown = uploads.filter(({ state }) => state.at !== "done");
  return (
    <section aria-labelledby="uploads" className="overflow-hidden rounded-lg border bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-1.5">
        <h2 id="uploads" className="font-medium">
          Uploads
        </h2>
        <p role="status" className="flex-1 text-muted text-xs">
          {formatSummary(uploads)}
        </p>
        {!isUploading && (
          <Button
            size="sm"
            variant="ghost"
            className="-mr-2"
            onClick={() => queue.remove(uploads.map(({ id }) => id))}
          >
            Dismiss
          </Button>
        )}
      </header>
      {shown.length > 0 && (
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must scroll by keyboard too.
          tabIndex={0}
          aria-label="Files"
          className="max-h-96 divide-y overflow-y-auto border-t -outline-offset-2"
        >
          {shown.map((upload) => (
            <UploadRow key={upload.id} upload={upload} queue={queue} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Such as "3 of 4 files uploaded, 2 ready, 1 rejected". */
function formatSummary(uploads: readonly Upload[]): string {
  const count = (...places: Upload["state"]["at"][]) =>
    uploads.filter(({ state }) => places.includes(state.at)).length;
  const parts = [
    `${count("accepted", "done")} of ${formatCount(uploads.length, "file")} uploaded`,
    count("done") > 0 && `${count("done")} ready`,
    count("rejected") > 0 && `${count("rejected")} rejected`,
    count("canceled") > 0 && `${count("canceled")} canceled`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** Of the same height in every state, but for one with a problem to read. */
function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { id, state, file } = upload;
  const jobId = state.at === "accepted" && !state.isDuplicate ? state.jobId : null;
  const { data: job } = useQuery({ ...jobQuery(jobId ?? ""), enabled: jobId !== null });
  const cancellation = useCancelJob();
  const view = uploadView(upload, job ?? null);
  const problem = view.problem ?? cancellation.error?.message;
  const isReady = job?.status === "completed";
  useEffect(() => {
    if (isReady) {
      queue.finish(id);
    }
  }, [isReady, queue, id]);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-3.5 py-2">
      <FormatIcon name={file.name} />
      <div className={cn("grid min-w-0", problem && "max-sm:col-span-2")}>
        <p className="flex min-w-0 items-baseline gap-2">
          <span className="truncate font-medium" title={file.name}>
            <FileName upload={upload} />
          </span>
          <span className="shrink-0 text-muted text-xs">{formatSize(file.size)}</span>
        </p>
        {problem ? (
          <p className="flex gap-2 text-xs">
            <AlertMark />
            <span className="min-w-0 break-words">{problem}</span>
          </p>
        ) : (
          <p className="min-h-4 truncate text-muted text-xs tabular-nums">{view.detail}</p>
        )}
      </div>
      <div
        className={cn(
          "flex min-h-7 items-center gap-1.5",
          problem && "max-sm:col-span-2 max-sm:col-start-2 max-sm:mt-1.5",
        )}
      >
        <Badge tone={view.badge.tone}>{view.badge.name}</Badge>
        <RowActions
          upload={upload}
          queue={queue}
          view={view}
          isCanceling={cancellation.isPending}
          onCancel={() => (job ? cancellation.mutate(job.id) : queue.cancel(id))}
        />
      </div>
      <div className="col-span-3 mt-1.5 h-1">
        {view.part !== null && (
          <ProgressBar label={`${file.name}: ${view.detail ?? view.badge.name}`} part={view.part} />
        )}
      </div>
    </li>
  );
}

interface RowActionsProps {
  upload: Upload;
  queue: UploadQueue;
  view: UploadView;
  isCanceling: boolean;
  onCancel: () => void;
}

function RowActions({ upload: { id, file }, queue, view, ...props }: RowActionsProps) {
  return (
    <>
      {view.isOpen && (
        <Button size="sm" variant="ghost" isPending={props.isCanceling} onClick={props.onCancel}>
          Cancel<span className="sr-only"> {file.name}</span>
        </Button>
      )}
      {view.canRetry && (
        <Button size="sm" onClick={() => queue.retry(id)}>
          Try again<span className="sr-only"> with {file.name}</span>
        </Button>
      )}
      {!view.isOpen && (
        <Button
          size="icon"
          variant="ghost"
          className="size-7"
          aria-label={`Remove ${file.name} from this list`}
          onClick={() => queue.remove([id])}
        >
          <X aria-hidden />
        </Button>
      )}
    </>
  );
}

/** A duplicate's links to the document. */
function FileName({ upload: { file, state } }: { upload: Upload }) {
  return state.at === "accepted" && state.isDuplicate ? (
    <Link
      href={`/documents/${state.documentId}`}
      className="rounded-sm underline decoration-line underline-offset-4 hover:decoration-ink"
    >
      {file.name}
    </Link>
  ) : (
    file.name
  );
}

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

/** How much of the bar sending the file is; processing it is the rest. */
const SENDING_PART = 0.5;

/** `job` is null until it was first loaded. */
export function uploadView({ state }: Pick<Upload, "state">, job: Job | null): UploadView {
  switch (state.at) {
    case "waiting":
      return { ...IDLE, badge: { name: "Waiting", tone: "neutral" }, part: 0, isOpen: true };
    case "sending": {
      const sent = state.part < 1 ? `${Math.floor(state.part * 100)}% uploaded` : "Processing…";
      const detail = state.isInterrupted ? "Connection lost. Waiting to continue…" : sent;
      const badge = { name: "Uploading", tone: "accent" } as const;
      return { ...IDLE, badge, detail, part: SENDING_PART * state.part, isOpen: true };
    }
    case "rejected": {
      const badge = { name: "Rejected", tone: "danger" } as const;
      return { ...IDLE, badge, problem: state.message, canRetry: true };
    }
    case "canceled":
      return { ...IDLE, badge: STATUS_LABELS.cancelled, canRetry: true };
    case "done":
      return { ...IDLE, badge: STATUS_LABELS.completed };
    case "accepted":
      return state.isDuplicate
        ? { ...IDLE, badge: STATUS_LABELS.completed, detail: DUPLICATE }
        : jobView(job);
  }
}

const DUPLICATE = "Already uploaded (identical file). You weren’t charged.";

function jobView(job: Job | null): UploadView {
  if (!job) {
    const detail = "Waiting to start";
    return { ...IDLE, badge: STATUS_LABELS.queued, detail, part: SENDING_PART };
  }
  const badge = STATUS_LABELS[job.status];
  switch (job.status) {
    case "completed":
      return { ...IDLE, badge, detail: job.report && formatReport(job.report) };
    case "failed":
      return { ...IDLE, badge, problem: job.error?.message ?? null, canRetry: true };
    case "cancelled":
      return { ...IDLE, badge, canRetry: true };
    default:
      return {
        ...{ ...IDLE, badge, detail: formatStage(job), isOpen: true },
        part: SENDING_PART + (1 - SENDING_PART) * job.progress,
      };
  }
}

function formatReport({ chunks, embedded_chunks: embedded, pages, warnings }: JobReport): string {
  const parts = [
    formatCount(chunks, "passage"),
    embedded !== undefined && `${embedded} embedded so far`,
    pages !== null && formatCount(pages, "page"),
    warnings.length > 0 && formatCount(warnings.length, "warning"),
  ];
  return parts.filter(Boolean).join(", ");
}
