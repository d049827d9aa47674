"use client";

import { ErrorState } from "@/components/shell/state";

export default function RequestError({ retry }: { retry: () => void }) {
  return (
    <ErrorState
      heading="h1"
      title="This request could not be read"
      description="Something went wrong on our side. The record itself is safe. Try again in a moment."
      onRetry={retry}
    />
  );
}
