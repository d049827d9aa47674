"use client";

import { OVERVIEW_PAGE } from "@/components/overview/labels";
import { PageHeader } from "@/components/shell/page-header";
import { ErrorState } from "@/components/shell/state";

export default function OverviewError({ retry }: { retry: () => void }) {
  return (
    <>
      <PageHeader {...OVERVIEW_PAGE} />
      <ErrorState
        title="We couldn’t load your account"
        description="Something went wrong on our side. Your keys and balance are safe. Try again in a moment."
        onRetry={retry}
      />
    </>
  );
}
