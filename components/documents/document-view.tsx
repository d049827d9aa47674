"use client";

import { MessageSquareQuote, Pencil, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { BackLink } from "@/components/shell/back-link";
import { Badge } from "@/components/ui/badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { AlertMark } from "@/components/ui/form-error";
import { useDialog } from "@/components/ui/use-dialog";
import type { JobSummary, OpenDocument } from "@/lib/library/documents/library-schema";
import { DocumentAttributes } from "./document-attributes";
import { DocumentFacts, DocumentWarnings } from "./document-facts";
import { DocumentStores } from "./document-stores";
import { ProgressBar, useJob } from "./job-progress";
import { formatStage, STATUS_LABELS } from "./labels";
import { NewVersions, ReplaceButton } from "./replace-button";
import { StandingBadge } from "./standing-badge";

// Loaded when first opened.
const DeleteDialog = lazy(async () => ({
  default: (await import("./delete-dialog")).DeleteDialog,
}));
const MembershipDialog = lazy(async () => ({
  default: (await import("./membership-dialog")).MembershipDialog,
}));
const EditDialog = lazy(async () => ({
  default: (await import("./edit-dialog")).EditDialog,
}));

interface DocumentViewProps {
  opened: OpenDocument;
  /** About the quote that the URL names. */
  notice: ReactNode;
  /** The text, if there is any. */
  children: ReactNode;
}

export function DocumentView({ opened, notice, children }: DocumentViewProps) {
  const { document } = opened;
  const router = useRouter();
  const job = useJob(document.job);
  const dialog = useDialog<"edit" | "delete" | "stores">();
  const status = job?.status ?? document.status;
  const refresh = () => {
    dialog.close();
    // The server renders the title, the details and the stores.
    router.refresh();
  };
  const hasCompleted = document.job?.status !== job?.status && job?.status === "completed";
  useEffect(() => {
    if (hasCompleted) {
      // The server renders the details and the text.
      router.refresh();
    }
  }, [hasCompleted, router]);
  return (
    <article ref={dialog.fallback} tabIndex={-1} className="grid gap-5 outline-none">
      <header className="grid gap-2">
        <BackLink href="/documents" name="Documents" />
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1 className="min-w-0 font-semibold text-xl tracking-tight [overflow-wrap:anywhere]">
              {document.title}
            </h1>
            {status !== "completed" && (
              <Badge tone={STATUS_LABELS[status].tone}>{STATUS_LABELS[status].name}</Badge>
            )}
            <StandingBadge standing={document.standing} />
          </div>
          <Actions opened={opened} onShow={dialog.show} />
        </div>
      </header>
      {notice}
      <Suspense>
        <NewVersions documentId={document.id} onAccepted={() => router.refresh()} />
      </Suspense>
      {job && <JobNotice job={job} isReplacement={document.chunks > 0} />}
      <DocumentWarnings opened={opened} />
      <DocumentFacts opened={opened} />
      {opened.is_own && (
        <>
          <DocumentStores document={document} onChange={() => dialog.show("stores")} />
          <DocumentAttributes document={document} />
        </>
      )}
      {children}
      <Suspense>
        {dialog.open === "edit" && (
          <EditDialog document={document} onSaved={refresh} {...dialog.handlers} />
        )}
        {dialog.open === "stores" && (
          <MembershipDialog documents={[document]} onDone={refresh} {...dialog.handlers} />
        )}
        {dialog.open === "delete" && (
          <DeleteDialog
            document={document}
            onDeleted={() => {
              dialog.finish();
              router.push("/documents");
            }}
            {...dialog.handlers}
          />
        )}
      </Suspense>
    </article>
  );
}

interface ActionsProps {
  opened: OpenDocument;
  onShow: (dialog: "edit" | "delete") => void;
}

function Actions({ opened: { document, is_own }, onShow }: ActionsProps) {
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      {document.chunks > 0 && (
        <ButtonLink
          href={`/playground?document=${encodeURIComponent(document.id)}`}
          prefetch={false}
        >
          <MessageSquareQuote aria-hidden />
          Ask this document
        </ButtonLink>
      )}
      {is_own && (
        <>
          <ReplaceButton document={document} />
          <Button onClick={() => onShow("edit")}>
            <Pencil aria-hidden />
            Edit
          </Button>
          <Button onClick={() => onShow("delete")}>
            <Trash2 aria-hidden />
            Delete
          </Button>
        </>
      )}
    </div>
  );
}

/** The progress of a job, or why it produced no text. The text of a document that is being replaced stays until then. */
function JobNotice({ job, isReplacement }: { job: JobSummary; isReplacement: boolean }) {
  const outcome = isReplacement ? "The new version" : "The text";
  switch (job.status) {
    case "queued":
    case "processing":
      return (
        <section aria-label="Processing" className="grid gap-2 rounded-lg border bg-surface p-4">
          <p role="status">{`${formatStage(job)}. ${outcome} will appear here when it’s ready.`}</p>
          <ProgressBar label={formatStage(job)} part={job.progress} />
        </section>
      );
    case "failed":
      return (
        <section role="alert" className="flex gap-2.5 rounded-lg bg-danger-soft px-4 py-3">
          <span className="pt-0.5">
            <AlertMark />
          </span>
          <p>
            {isReplacement && "The new version couldn’t be read, so this is still the old one. "}
            {job.error?.message ?? "The document couldn’t be processed. Upload it again."}
          </p>
        </section>
      );
    case "cancelled":
      return (
        <p className="rounded-lg bg-sunken px-4 py-3">
          {isReplacement
            ? "The new version was canceled, so this is still the old one."
            : "Processing was canceled, so there is no text. Upload the file again to process it."}
        </p>
      );
    default:
      return null;
  }
}
