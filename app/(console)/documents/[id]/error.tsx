"use client";

import { BackToDocuments } from "@/components/documents/back-to-documents";
import { ErrorState } from "@/components/shell/state";

export default function DocumentError({ retry }: { retry: () => void }) {
  return (
    <div className="grid gap-4">
      <BackToDocuments />
      <ErrorState
        heading="h1"
        title="The document could not be read"
        description="Something went wrong on our side. The document itself is safe. Try again in a moment."
        onRetry={retry}
      />
    </div>
  );
}
