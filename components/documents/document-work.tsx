"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { AlertMark } from "@/components/ui/alert-mark";
import type { JobGlimpse, ListedDocument } from "@/lib/documents/library-schema";
import { formatStage } from "./labels";
import { ProgressBar } from "./progress-bar";

interface DocumentWorkProps {
  document: ListedDocument;
  /** As it stands now. */
  job: JobGlimpse | null;
}

/** What is still being done about a document, or why nothing came of it. */
export function DocumentWork({ document, job }: DocumentWorkProps) {
  useFreshPage(document.job, job);
  if (job?.status === "queued" || job?.status === "processing") {
    return (
      <section aria-label="Processing" className="grid gap-2 rounded-lg border bg-surface p-4">
        <p role="status">{formatStage(job)}. Its text is shown here once it is ready.</p>
        <ProgressBar label={formatStage(job)} part={job.progress} />
      </section>
    );
  }
  if (job?.status === "failed") {
    return (
      <section role="alert" className="flex gap-2.5 rounded-lg bg-danger-soft px-4 py-3">
        <span className="pt-0.5">
          <AlertMark />
        </span>
        <p>{job.error?.message ?? "The document could not be processed. Upload it again."}</p>
      </section>
    );
  }
  return job?.status === "cancelled" ? (
    <p className="rounded-lg bg-sunken px-4 py-3">
      Its processing was cancelled, so it has no text. Upload it again to have it read.
    </p>
  ) : null;
}

/** Reads the page anew when its job has ended: facts and text are the server's. */
function useFreshPage(listed: JobGlimpse | null, job: JobGlimpse | null): void {
  const router = useRouter();
  const hasEnded = listed?.status !== job?.status && job?.status === "completed";
  useEffect(() => {
    if (hasEnded) {
      router.refresh();
    }
  }, [hasEnded, router]);
}
