import { FileX } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "@/components/ui/button";
import { Day } from "@/components/ui/time";
import type { DocumentTrace } from "@/lib/documents/library-schema";
import { BackToDocuments } from "./back-to-documents";

/** What is left to say of a document that was deleted. */
export function DeletedDocument({ trace }: { trace: DocumentTrace }) {
  return (
    <div className="grid gap-4">
      <BackToDocuments />
      <section className="grid justify-items-center gap-3 rounded-lg border border-dashed bg-surface px-6 py-14 text-center">
        <FileX aria-hidden className="size-6 text-muted" />
        <h1 className="font-medium text-base">This document was deleted</h1>
        <p className="max-w-sm text-balance text-muted">
          It went on <Day value={trace.deleted_at} />, with its text and passages. Answers that were
          stored before keep the words they quoted.
        </p>
        <Link href="/documents" className={buttonLook()}>
          See your documents
        </Link>
      </section>
    </div>
  );
}
