"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { AlertMark } from "@/components/ui/alert-mark";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useCancelJob } from "@/lib/documents/client";
import { formatSize } from "./labels";
import { ProgressBar } from "./progress-bar";
import type { Upload, UploadQueue } from "./upload-queue";
import { faceOf, type UploadFace } from "./upload-view-state";
import { useJobById } from "./use-job";

interface UploadRowProps {
  upload: Upload;
  queue: UploadQueue;
}

/** One file on its way: how much has left, what its job is at, and why it failed. */
export function UploadRow({ upload, queue }: UploadRowProps) {
  const { state, file } = upload;
  const job = useJobById(state.at === "taken" && !state.isKnown ? state.jobId : null);
  const cancellation = useCancelJob();
  const face = faceOf(upload, job);
  const problem = face.problem ?? cancellation.error?.message;
  const canOpen = state.at === "taken" && face.badge.tone === "success";
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-3.5 py-2">
      <div className="flex min-w-0 items-baseline gap-2">
        <span className="truncate font-medium" title={file.name}>
          {canOpen ? (
            <Link
              href={`/documents/${state.documentId}`}
              className="rounded-sm underline decoration-line underline-offset-4 hover:decoration-ink"
            >
              {file.name}
            </Link>
          ) : (
            file.name
          )}
        </span>
        <span className="shrink-0 text-muted text-xs">{formatSize(file.size)}</span>
      </div>
      <div className="flex min-h-7 items-center gap-1.5">
        <Badge tone={face.badge.tone}>{face.badge.name}</Badge>
        <Actions
          face={face}
          name={file.name}
          isCancelling={cancellation.isPending}
          onCancel={() => (job ? cancellation.mutate(job.id) : queue.stop(upload.id))}
          onRetry={() => queue.retry(upload.id)}
          onDismiss={() => queue.remove([upload.id])}
        />
      </div>
      <div className="col-span-2 grid gap-1 empty:hidden">
        {face.part !== null && (
          <ProgressBar label={`${file.name}: ${face.words}`} part={face.part} />
        )}
        {face.words && <p className="text-muted text-xs">{face.words}</p>}
        {problem && (
          <p className="flex gap-2 text-xs">
            <AlertMark />
            {problem}
          </p>
        )}
      </div>
    </li>
  );
}

interface ActionsProps {
  face: UploadFace;
  name: string;
  isCancelling: boolean;
  onCancel: () => void;
  onRetry: () => void;
  onDismiss: () => void;
}

function Actions({ face, name, isCancelling, onCancel, onRetry, onDismiss }: ActionsProps) {
  if (face.isOpen) {
    return (
      <Button size="sm" variant="ghost" isPending={isCancelling} onClick={onCancel}>
        Cancel<span className="sr-only"> {name}</span>
      </Button>
    );
  }
  return (
    <>
      {face.canRetry && (
        <Button size="sm" onClick={onRetry}>
          Try again<span className="sr-only"> with {name}</span>
        </Button>
      )}
      <Button
        size="icon"
        variant="ghost"
        className="size-7"
        aria-label={`Take ${name} off this list`}
        onClick={onDismiss}
      >
        <X aria-hidden />
      </Button>
    </>
  );
}
