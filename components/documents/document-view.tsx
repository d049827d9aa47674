"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { OpenDocument } from "@/lib/documents/library-schema";
import { BackToDocuments } from "./back-to-documents";
import { DocumentFacts, DocumentWarnings } from "./document-facts";
import { DocumentWork } from "./document-work";
import { STATUS_LABELS } from "./labels";
import { useDeletion } from "./use-deletion";
import { useJob } from "./use-job";

// Fetched when it is first opened.
const DeleteDialog = lazy(async () => ({
  default: (await import("./delete-dialog")).DeleteDialog,
}));

interface DocumentViewProps {
  opened: OpenDocument;
  /** What a link to words of it asked for. */
  notice: ReactNode;
  /** The text, once there is one. */
  children: ReactNode;
}

/** A document on a page of its own: facts, warnings, its text, and the way to delete it. */
export function DocumentView({ opened, notice, children }: DocumentViewProps) {
  const router = useRouter();
  const job = useJob(opened.document.job);
  const { asked, list, ask, close, finish, onCloseAutoFocus } = useDeletion<HTMLElement>();
  const status = STATUS_LABELS[job?.status ?? opened.document.status];
  return (
    <article ref={list} tabIndex={-1} className="grid gap-5 outline-none">
      <header className="grid gap-2">
        <BackToDocuments />
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1 className="min-w-0 font-semibold text-xl tracking-tight [overflow-wrap:anywhere]">
              {opened.document.title}
            </h1>
            <Badge tone={status.tone}>{status.name}</Badge>
          </div>
          {opened.is_own && (
            <Button onClick={() => ask(opened.document)}>
              <Trash2 aria-hidden />
              Delete
            </Button>
          )}
        </div>
      </header>
      {notice}
      <DocumentWork document={opened.document} job={job} />
      <DocumentWarnings opened={opened} />
      <DocumentFacts opened={opened} />
      {children}
      <Suspense>
        {asked && (
          <DeleteDialog
            document={asked}
            onDeleted={() => {
              finish();
              router.push("/documents");
            }}
            onClose={close}
            onCloseAutoFocus={onCloseAutoFocus}
          />
        )}
      </Suspense>
    </article>
  );
}
