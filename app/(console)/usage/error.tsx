"use client";

import { PageHeader } from "@/components/shell/page-header";
import { ErrorState } from "@/components/shell/state";
import { USAGE_PAGE } from "@/components/usage/labels";

export default function UsageError({ retry }: { retry: () => void }) {
  return (
    <>
      <PageHeader {...USAGE_PAGE} />
      <ErrorState
        title="Your usage could not be read"
        description="Something went wrong on our side. The records themselves are safe. Try again in a moment."
        onRetry={retry}
      />
    </>
  );
}
