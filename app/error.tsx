"use client";

import { ErrorState } from "@/components/shell/state";

export default function PageError({ retry }: { retry: () => void }) {
  return (
    <main className="mx-auto max-w-xl px-4 py-16">
      <ErrorState
        heading="h1"
        title="We couldn’t load this page"
        description="Something went wrong on our side. Try again in a moment."
        onRetry={retry}
      />
    </main>
  );
}
