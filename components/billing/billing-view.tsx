"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Plus, ReceiptText } from "lucide-react";
import { type ComponentProps, lazy, type ReactNode, Suspense } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState, StaleNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { useDialog } from "@/components/ui/use-dialog";
import { useDismissal } from "@/components/ui/use-dismissal";
import { creditsQuery, ledgerQuery } from "@/lib/billing/client";
import type {
  CheckoutConfig,
  Credits,
  LedgerPage,
  LowBalance as LowBalanceSetting,
} from "@/lib/billing/schema";
import { Balance } from "./balance";
import { CheckoutNotice, type Return } from "./checkout-notice";
import { BILLING_PAGE } from "./labels";
import { LedgerList } from "./ledger-list";
import { LowBalance } from "./low-balance";

// Loaded when first opened, because most visits don't add funds.
const AddFundsDialog = lazy(async () => ({
  default: (await import("./add-funds-dialog")).AddFundsDialog,
}));

interface BillingViewProps {
  credits: Credits;
  firstPage: LedgerPage;
  config: Omit<CheckoutConfig, "rates">;
  lowBalance: LowBalanceSetting;
  /** Null when the user isn't returning from a checkout. */
  checkout: Return | null;
}

/** The account's balance and ledger, with a dialog to add funds. */
export function BillingView({
  credits,
  firstPage,
  config,
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
          <Balance credits={balance.data} />
          <LowBalance setting={lowBalance} />
        </div>
        <Ledger
          firstPage={firstPage}
          balance={balance}
          action={provider && <AddFunds onClick={addFunds} />}
        />
      </div>
      <Suspense>
        {funds.open && provider && (
          <AddFundsDialog config={{ ...config, provider }} {...funds.handlers} />
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

interface LedgerProps {
  firstPage: LedgerPage;
  /** Fetched together with the balance. */
  balance: { isRefetchError: boolean; error: Error | null; refetch: () => unknown };
  /** Shown when the ledger is empty. */
  action: ReactNode;
}

function Ledger({ firstPage, balance, action }: LedgerProps) {
  const query = useInfiniteQuery({
    ...ledgerQuery,
    initialData: { pages: [firstPage], pageParams: [null] },
  });
  const entries = query.data.pages.flatMap((page) => page.data);
  const refetch = () => void Promise.all([query.refetch(), balance.refetch()]);
  return (
    <section aria-labelledby="ledger" className="grid gap-3">
      <h2 id="ledger" className="font-medium text-base">
        Ledger
      </h2>
      <StaleNotice
        title="Your balance and ledger may be out of date."
        query={{
          isRefetchError: query.isRefetchError || balance.isRefetchError,
          isRefetching: query.isRefetching,
          error: query.error ?? balance.error,
          refetch,
        }}
      />
      {entries.length > 0 ? (
        <LedgerList entries={entries} />
      ) : (
        <EmptyState
          icon={ReceiptText}
          title="No entries yet"
          description="Top-ups, charges and refunds appear here."
          action={action}
        />
      )}
      <LoadMore query={query} noun={{ one: "entry", many: "entries" }} count={entries.length} />
    </section>
  );
}
