"use client";

import { PageHeader } from "@/components/shell/page-header";
import { ErrorState } from "@/components/shell/state";
import { USAGE_PAGE } from "@/components/usage/labels";

export default function UsageError({ retry }: { retry: () => void }) {
  return (
    <>
      <PageHeader {...USAGE_PAGE} />
      <ErrorState
        title="We couldn’t load your usage"
        description="Something went wrong on our side. Your records are safe. Try again in a moment."
        onRetry={retry}
      />
    </>
  );
}
