"use client";

import { KEYS_PAGE } from "@/components/keys/labels";
import { PageHeader } from "@/components/shell/page-header";
import { ErrorState } from "@/components/shell/state";

export default function KeysError({ retry }: { retry: () => void }) {
  return (
    <>
      <PageHeader {...KEYS_PAGE} />
      <ErrorState
        title="Your keys could not be read"
        description="Something went wrong on our side. The keys themselves go on working. Try again in a moment."
        onRetry={retry}
      />
    </>
  );
}
