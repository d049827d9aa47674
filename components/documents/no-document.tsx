import { FileQuestion } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "@/components/ui/button";
import { BackToDocuments } from "./back-to-documents";

/** What stands where there is no document that the member may read. */
export function NoDocument() {
  return (
    <div className="grid gap-4">
      <BackToDocuments />
      <section className="grid justify-items-center gap-3 rounded-lg border border-dashed bg-surface px-6 py-14 text-center">
        <FileQuestion aria-hidden className="size-6 text-muted" />
        <h1 className="font-medium text-base">There is no such document</h1>
        <p className="max-w-sm text-balance text-muted">
          Its address may be mistyped, or it belongs to somebody else. Ask whoever sent you the
          link.
        </p>
        <Link href="/documents" className={buttonLook()}>
          See your documents
        </Link>
      </section>
    </div>
  );
}
