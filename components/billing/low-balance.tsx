import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { formatUsd } from "@/components/ui/usd";
import { lowBalanceQuery } from "@/lib/money/billing/client";
import type { LowBalance as Setting } from "@/lib/money/billing/schema";

// Rendered on the server; its code loads last because few visits use it.
const ThresholdForm = lazy(async () => ({
  default: (await import("./threshold-form")).ThresholdForm,
}));

export function LowBalance({ setting }: { setting: Setting }) {
  const { data } = useQuery({ ...lowBalanceQuery, initialData: setting });
  const amount = data.threshold_usd === null ? null : formatUsd(data.threshold_usd);
  return (
    <section
      aria-labelledby="low-balance"
      className="grid gap-x-10 gap-y-4 rounded-lg border bg-surface p-5 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <div className="grid content-start gap-1.5">
        <h2 id="low-balance" className="font-medium text-base">
          Low-balance email
        </h2>
        <p className="max-w-prose text-muted">
          {amount === null
            ? "Off. Turn it on to email owners before requests start failing."
            : `Owners get one email each time the balance drops below ${amount}.`}
          {!data.can_change && " An owner can change this."}
        </p>
        {!data.can_mail && (
          <p className="max-w-prose text-muted text-xs">
            Email isn’t set up on this server. Alerts go to the server log instead.
          </p>
        )}
      </div>
      <Suspense>{data.can_change && <ThresholdForm amount={amount} />}</Suspense>
    </section>
  );
}
