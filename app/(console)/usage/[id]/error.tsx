"use client";

import { ErrorState } from "@/components/shell/state";

export default function RequestError({ retry }: { retry: () => void }) {
  return (
    <ErrorState
      heading="h1"
      title="We couldn’t load this request"
      description="Something went wrong on our side. The record is safe. Try again in a moment."
      onRetry={retry}
    />
  );
}
