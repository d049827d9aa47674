"use client";

import { ErrorState } from "@/components/shell/state";

export default function ReceiptError({ retry }: { retry: () => void }) {
  return (
    <main className="mx-auto max-w-lg px-4 py-24">
      <ErrorState
        heading="h1"
        title="This receipt could not be read"
        description="Something went wrong on our side. The payment itself is safe. Try again in a moment."
        onRetry={retry}
      />
    </main>
  );
}
