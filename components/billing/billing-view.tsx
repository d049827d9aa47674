"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ComponentProps, lazy, Suspense } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { Button } from "@/components/ui/button";
import { formatRoughUsd, formatUsd, Usd } from "@/components/ui/usd";
import { useDialog } from "@/components/ui/use-dialog";
import { useDismissal } from "@/components/ui/use-dismissal";
import { creditsQuery, lowBalanceQuery } from "@/lib/money/billing/client";
import { describeOutstanding } from "@/lib/money/billing/outstanding";
import type {
  CheckoutConfig,
  Credits,
  LedgerPage,
  LowBalance as LowBalanceSetting,
} from "@/lib/money/billing/schema";
import { CheckoutNotice, type Return } from "./checkout-notice";
import { InvoicesContext } from "./entry-name";
import { BILLING_PAGE } from "./labels";
import { Ledger } from "./ledger";

// Loaded when first opened, because most visits don't add funds.
const AddFundsDialog = lazy(async () => ({
  default: (await import("./add-funds-dialog")).AddFundsDialog,
}));

interface BillingViewProps {
  credits: Credits;
  firstPage: LedgerPage;
  config: Omit<CheckoutConfig, "rates">;
  /** Whether the provider makes an invoice for each payment. */
  hasInvoices: boolean;
  lowBalance: LowBalanceSetting;
  /** Null when the user isn't returning from a checkout. */
  checkout: Return | null;
}

export function BillingView({
  credits,
  firstPage,
  config,
  hasInvoices,
  lowBalance,
  checkout,
}: BillingViewProps) {
  const balance = useQuery({ ...creditsQuery, initialData: credits });
  const funds = useDialog<"add">();
  const addFunds = () => funds.show("add");
  // Also for the next reload.
  const { container, isDismissed, dismiss } = useDismissal(false, () =>
    window.history.replaceState(null, "", "/billing"),
  );
  const { provider } = config;
  return (
    <>
      <PageHeader
        {...BILLING_PAGE}
        actions={provider && <AddFunds variant="primary" onClick={addFunds} />}
      />
      <div ref={container} tabIndex={-1} className="grid gap-8 outline-none">
        <div className="grid gap-4">
          {checkout && !isDismissed && (
            <CheckoutNotice
              checkout={checkout}
              credits={balance.data}
              onAddFunds={addFunds}
              onDismiss={dismiss}
            />
          )}
          {!provider && (
            <p className="rounded-lg bg-sunken px-4 py-3">
              Payments aren’t set up on this server. Ask its operator to connect Stripe or grant you
              credit.
            </p>
          )}
          <Outstanding credits={balance.data} />
          <Balance credits={balance.data} />
          <LowBalance setting={lowBalance} />
        </div>
        <InvoicesContext value={hasInvoices}>
          <Ledger
            firstPage={firstPage}
            balance={balance}
            action={provider && <AddFunds onClick={addFunds} />}
          />
        </InvoicesContext>
      </div>
      <Suspense>
        {funds.open && provider && (
          <AddFundsDialog
            config={{ ...config, provider }}
            credits={balance.data}
            {...funds.handlers}
          />
        )}
      </Suspense>
    </>
  );
}

function AddFunds(props: Pick<ComponentProps<typeof Button>, "variant" | "onClick">) {
  return (
    <Button {...props}>
      <Plus aria-hidden />
      Add funds
    </Button>
  );
}

function Balance({ credits }: { credits: Credits }) {
  const hasNothing = !/[1-9]/.test(credits.available_usd);
  const available = formatRoughUsd(credits.available_usd);
  const exact = formatUsd(credits.available_usd);
  return (
    <section
      aria-labelledby="balance"
      className="grid gap-x-10 gap-y-5 rounded-lg border bg-surface p-5 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
    >
      <div className="grid gap-1.5">
        <h2 id="balance" className="font-medium text-muted">
          Available balance
        </h2>
        <p className="break-words font-semibold text-4xl tabular-nums tracking-tight">
          {available}
        </p>
        {exact !== available && (
          <p className="font-mono text-muted text-xs">
            <span className="sr-only">Exactly </span>
            {exact}
          </p>
        )}
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <BalanceFact name="Balance" usd={credits.balance_usd} />
        <BalanceFact name="Reserved" usd={credits.held_usd} />
      </dl>
      <p className="border-t pt-4 text-muted text-xs leading-5 sm:col-span-2">
        {hasNothing && (
          <span className="block font-medium text-danger">
            Requests fail with status 402 until you add funds.
          </span>
        )}
        Reserved is the most your running requests could cost. When a request ends, you pay its
        actual cost and the rest is released.
      </p>
    </section>
  );
}

function Outstanding({ credits }: { credits: Credits }) {
  const text = describeOutstanding(formatUsd(credits.outstanding_usd), credits.outstanding_reason);
  return text && <p className="rounded-lg bg-warning-soft px-4 py-3">{text}</p>;
}

function BalanceFact({ name, usd }: { name: string; usd: string }) {
  return (
    <div className="grid gap-1">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="font-medium text-base">
        <Usd value={usd} />
      </dd>
    </div>
  );
}

// Rendered on the server; its code loads last because few visits use it.
const ThresholdForm = lazy(async () => ({
  default: (await import("./threshold-form")).ThresholdForm,
}));

function LowBalance({ setting }: { setting: LowBalanceSetting }) {
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
