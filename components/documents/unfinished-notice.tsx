import { useQueries, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { unfinishedQuery } from "@/lib/library/documents/client";
import { discardUpload } from "@/lib/library/documents/send";
import { listUnfinished } from "@/lib/library/documents/unfinished-uploads";
import type { Upload } from "./upload-queue";

/** Uploads that a reload interrupted. Only choosing the file again gives the page its bytes. */
export function UnfinishedNotice({ uploads }: { uploads: readonly Upload[] }) {
  const client = useQueryClient();
  const [ids, setIds] = useState(() => listUnfinished().map(({ id }) => id));
  const found = useQueries({ queries: ids.map(unfinishedQuery) });
  const shown = found.flatMap(({ data }) =>
    data?.status === "pending" && !uploads.some(({ file }) => file.name === data.filename)
      ? data
      : [],
  );
  if (shown.length === 0) {
    return null;
  }
  const discard = (id: string) => {
    discardUpload(id);
    client.removeQueries(unfinishedQuery(id));
    setIds(ids.filter((one) => one !== id));
  };
  return (
    <section
      aria-labelledby="unfinished"
      className="grid gap-1.5 rounded-lg bg-warning-soft px-4 py-3"
    >
      <h2 id="unfinished" className="font-medium">
        Interrupted uploads
      </h2>
      <p>Choose the same files again to resume where they left off.</p>
      <ul className="grid gap-1">
        {shown.map(({ id, filename, bytes, parts }) => (
          <li key={id} className="flex min-w-0 items-center gap-2">
            <span title={filename} className="truncate font-medium">
              {filename}
            </span>
            <span className="shrink-0 text-muted text-xs tabular-nums">
              {Math.floor((100 * parts.reduce((sum, part) => sum + part.bytes, 0)) / bytes)}%
              uploaded
            </span>
            <Button
              size="icon"
              variant="ghost"
              className="size-7"
              aria-label={`Discard ${filename}`}
              onClick={() => discard(id)}
            >
              <X aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
