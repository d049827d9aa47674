"use client";

import { DOCUMENTS_PAGE } from "@/components/documents/labels";
import { PageHeader } from "@/components/shell/page-header";
import { ErrorState } from "@/components/shell/state";

export default function DocumentsError({ retry }: { retry: () => void }) {
  return (
    <>
      <PageHeader {...DOCUMENTS_PAGE} />
      <ErrorState
        title="Your documents could not be read"
        description="Something went wrong on our side. The documents themselves are safe. Try again in a moment."
        onRetry={retry}
      />
    </>
  );
}
