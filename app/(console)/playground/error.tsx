"use client";

import { PLAYGROUND_PAGE } from "@/components/playground/labels";
import { PageHeader } from "@/components/shell/page-header";
import { ErrorState } from "@/components/shell/state";

export default function PlaygroundError({ retry }: { retry: () => void }) {
  return (
    <>
      <PageHeader {...PLAYGROUND_PAGE} />
      <ErrorState
        title="We couldn’t load the playground"
        description="Something went wrong on our side. Your conversation is still in this tab. Try again in a moment."
        onRetry={retry}
      />
    </>
  );
}
