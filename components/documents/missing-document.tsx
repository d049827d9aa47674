import { FileQuestion, FileX, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { BackLink } from "@/components/shell/back-link";
import { EmptyState } from "@/components/shell/state";
import { ButtonLink } from "@/components/ui/button";
import { Day } from "@/components/ui/time";
import type { DocumentTombstone } from "@/lib/library/documents/library-schema";

export function DeletedDocument({ trace }: { trace: DocumentTombstone }) {
  return (
    <Missing
      icon={FileX}
      title="This document was deleted"
      description={
        <>
          Its text and passages were deleted on <Day value={trace.deleted_at} />. Stored answers
          keep the quotes they cited.
        </>
      }
    />
  );
}

/** For a document that does not exist or that the member may not read. */
export function NoDocument() {
  return (
    <Missing
      icon={FileQuestion}
      title="Document not found"
      description="The link may be wrong, or you may not have access. Ask the person who sent it."
    />
  );
}

function Missing(props: { icon: LucideIcon; title: string; description: ReactNode }) {
  return (
    <div className="grid gap-4">
      <BackLink href="/documents" name="Documents" />
      <EmptyState
        {...props}
        heading="h1"
        action={<ButtonLink href="/documents">Go to documents</ButtonLink>}
      />
    </div>
  );
}
