"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { jobQuery } from "@/lib/documents/client";
import { formatCount } from "./labels";
import type { Upload, UploadQueue } from "./upload-queue";
import { UploadRow } from "./upload-row";

interface UploadListProps {
  uploads: readonly Upload[];
  queue: UploadQueue;
}

/** The files of this visit, each with where it stands. */
export function UploadList({ uploads, queue }: UploadListProps) {
  const client = useQueryClient();
  const statusOf = (jobId: string) => client.getQueryData(jobQuery(jobId).queryKey)?.status;
  useLeaveWarning(uploads.some(({ state }) => ["waiting", "sending"].includes(state.at)));
  // What failed stays: its file is still here to be sent again.
  const clear = () => {
    const done = uploads.filter(
      ({ state }) =>
        state.at === "taken" && (state.isKnown || statusOf(state.jobId) === "completed"),
    );
    queue.remove(done.map(({ id }) => id));
  };
  return (
    <section aria-labelledby="uploads" className="overflow-hidden rounded-lg border bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-3.5 py-1.5">
        <h2 id="uploads" className="font-medium">
          Uploads
        </h2>
        <p role="status" className="flex-1 text-muted text-xs">
          {formatWhere(uploads)}
        </p>
        <Button size="sm" variant="ghost" className="-mr-2" onClick={clear}>
          Clear what is ready
        </Button>
      </header>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by the keyboard too.
        tabIndex={0}
        aria-label="Files"
        className="max-h-80 divide-y overflow-y-auto -outline-offset-2"
      >
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </section>
  );
}

function formatWhere(uploads: readonly Upload[]): string {
  const count = (at: Upload["state"]["at"]) =>
    uploads.filter(({ state }) => state.at === at).length;
  const parts = [
    `${count("taken")} of ${formatCount(uploads.length, "file")} sent`,
    count("refused") > 0 && `${count("refused")} refused`,
    count("stopped") > 0 && `${count("stopped")} stopped`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** The browser asks before the page is left while files are on their way. */
function useLeaveWarning(isBusy: boolean): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isBusy) {
      window.addEventListener("beforeunload", ask);
    }
    return () => window.removeEventListener("beforeunload", ask);
  }, [isBusy]);
}
