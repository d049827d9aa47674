"use client";

import { BILLING_PAGE } from "@/components/billing/labels";
import { PageHeader } from "@/components/shell/page-header";
import { ErrorState } from "@/components/shell/state";

export default function BillingError({ retry }: { retry: () => void }) {
  return (
    <>
      <PageHeader {...BILLING_PAGE} />
      <ErrorState
        title="We couldn’t load your balance"
        description="Something went wrong on our side. Your balance is safe. Try again in a moment."
        onRetry={retry}
      />
    </>
  );
}
