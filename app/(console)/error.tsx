"use client";

import { ErrorState } from "@/components/shell/state";

export default function ConsoleError({ retry }: { retry: () => void }) {
  return (
    <ErrorState
      title="This page could not be read"
      description="Something went wrong on our side. Nothing was changed. Try again in a moment."
      onRetry={retry}
    />
  );
}
