"use client";

import { ErrorState } from "@/components/shell/state";

export default function ReceiptError({ retry }: { retry: () => void }) {
  return (
    <main className="mx-auto max-w-lg px-4 py-24">
      <ErrorState
        heading="h1"
        title="We couldn’t load this receipt"
        description="Something went wrong on our side. Your payment is safe. Try again in a moment."
        onRetry={retry}
      />
    </main>
  );
}
