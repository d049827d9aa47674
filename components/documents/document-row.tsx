"use client";

import { Trash2 } from "lucide-react";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { AlertMark } from "@/components/ui/alert-mark";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/time";
import { cn } from "@/lib/cn";
import { useCancelJob } from "@/lib/documents/client";
import type { JobGlimpse, ListedDocument } from "@/lib/documents/library-schema";
import { formatFormat, formatSize, formatStage, SCOPE_LABELS, STATUS_LABELS } from "./labels";
import { ProgressBar } from "./progress-bar";
import { useJob } from "./use-job";

interface DocumentRowProps extends ComponentProps<"li"> {
  document: ListedDocument;
  onDelete: (document: ListedDocument) => void;
}

/** A document in the list: its facts, where its job stands, and what can be done with it. */
export function DocumentRow({ document, onDelete, ...props }: DocumentRowProps) {
  const job = useJob(document.job);
  const status = job?.status ?? document.status;
  return (
    <li {...props} className={cn(ROW, DOCUMENT_COLUMNS)}>
      <div className="grid min-w-0 flex-1 @max-[52rem]:basis-[calc(100%-4rem)]">
        <Link
          href={`/documents/${document.id}`}
          className="truncate rounded-sm font-medium underline-offset-4 hover:underline"
          title={document.title}
        >
          {document.title}
        </Link>
        <span className="truncate text-muted text-xs">{formatKind(document)}</span>
      </div>
      <Fact name="Scope" className="@max-[52rem]:order-3">
        {SCOPE_LABELS[document.scope].name}
      </Fact>
      <div className="@max-[52rem]:order-2 @max-[52rem]:has-[p,progress]:w-full">
        <JobState job={job} status={status} title={document.title} />
      </div>
      <Fact name="Passages" className="@max-[52rem]:order-4 @min-[52rem]:text-right tabular-nums">
        {document.chunks.toLocaleString("en-US")}
        <span className="@min-[52rem]:hidden">
          {document.chunks === 1 ? " passage" : " passages"}
        </span>
      </Fact>
      <Fact name="Added" className="@max-[52rem]:order-5 whitespace-nowrap text-muted">
        <RelativeTime value={document.created_at} />
      </Fact>
      <div className="@max-[52rem]:order-1 flex justify-end">
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Delete ${document.title}`}
          onClick={() => onDelete(document)}
        >
          <Trash2 aria-hidden />
        </Button>
      </div>
    </li>
  );
}

/** Where there is room for columns; elsewhere the facts stand in a line below the title. */
export const DOCUMENT_COLUMNS =
  "@min-[52rem]:grid @min-[52rem]:grid-cols-[minmax(0,1fr)_6rem_11rem_6rem_7rem_4.5rem] items-center gap-x-4";
const ROW =
  "flex @min-[52rem]:min-h-16 flex-wrap @max-[52rem]:gap-x-3 gap-y-1.5 border-b px-3.5 py-2.5 last:border-b-0 hover:bg-sunken/50";

interface FactProps {
  name: string;
  className?: string;
  children: ReactNode;
}

function Fact({ name, className, children }: FactProps) {
  return (
    <span className={cn("@max-[52rem]:text-xs", className)}>
      <span className="sr-only">{name}: </span>
      {children}
    </span>
  );
}

interface JobStateProps {
  job: JobGlimpse | null;
  status: ListedDocument["status"];
  title: string;
}

function JobState({ job, status, title }: JobStateProps) {
  const cancellation = useCancelJob();
  const isOpen = status === "queued" || status === "processing";
  const words = STATUS_LABELS[status];
  return (
    <div className="grid gap-1">
      <span className="flex items-center gap-1.5">
        <span className="sr-only">Status: </span>
        <Badge tone={words.tone}>{words.name}</Badge>
        {isOpen && job && (
          <Button
            size="sm"
            variant="ghost"
            isPending={cancellation.isPending}
            onClick={() => cancellation.mutate(job.id)}
          >
            Cancel<span className="sr-only"> {title}</span>
          </Button>
        )}
      </span>
      {isOpen && job && (
        <>
          <ProgressBar label={`${title}: ${formatStage(job)}`} part={job.progress} />
          <p className="text-muted text-xs">{formatStage(job)}</p>
        </>
      )}
      {status === "failed" && job?.error && (
        <p className="@min-[52rem]:line-clamp-2 text-xs" title={job.error.message}>
          {job.error.message}
        </p>
      )}
      {cancellation.error && (
        <p role="alert" className="flex gap-2 text-xs">
          <AlertMark />
          {cancellation.error.message}
        </p>
      )}
    </div>
  );
}

function formatKind({ media_type, size_bytes, source_type }: ListedDocument): string {
  return [
    formatFormat(media_type),
    formatSize(size_bytes),
    source_type !== "document" && source_type,
  ]
    .filter(Boolean)
    .join(" · ");
}
