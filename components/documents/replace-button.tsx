import { RefreshCw } from "lucide-react";
import { lazy, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { Document } from "@/lib/library/documents/schema";
import { ACCEPTED_FILES } from "@/lib/reading/formats";
import { useUploads } from "./use-uploads";

const UploadList = lazy(async () => ({ default: (await import("./upload-list")).UploadList }));

/** Uploads a file as a document's next version. Its id and its links stay, and the old text until the new one is ready. */
export function ReplaceButton({ document }: { document: Document }) {
  const { queue } = useUploads();
  const input = useRef<HTMLInputElement>(null);
  const scope = document.scope === "personal_kb" ? "personal_kb" : "customer_kb";
  return (
    <>
      <Button onClick={() => input.current?.click()}>
        <RefreshCw aria-hidden />
        Replace
      </Button>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_FILES}
        hidden
        aria-label="New version"
        onChange={({ target }) => {
          queue.add([...(target.files ?? [])], { scope, ocr: "auto", replaces: document.id });
          target.value = "";
        }}
      />
    </>
  );
}

interface NewVersionsProps {
  documentId: string;
  /** The page then shows the progress of the job. */
  onAccepted: () => void;
}

/** New versions of a document that are being uploaded. */
export function NewVersions({ documentId, onAccepted }: NewVersionsProps) {
  const { queue, uploads } = useUploads();
  const own = uploads.filter(({ replaces }) => replaces === documentId);
  const accepted = own.find(({ state }) => state.at === "accepted");
  useEffect(() => {
    if (accepted?.state.at !== "accepted") {
      return;
    }
    queue.remove([accepted.id]);
    if (accepted.state.isDuplicate) {
      toast.success("This file is already the current version. Nothing was charged.");
    }
    onAccepted();
  }, [accepted, queue, onAccepted]);
  const shown = own.filter(({ state }) => state.at !== "accepted");
  return shown.length > 0 && <UploadList uploads={shown} queue={queue} />;
}
