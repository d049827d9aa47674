import { type UseQueryResult, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import {
  CircleCheck,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  X,
} from "lucide-react";
import { Button, buttonVariants } from "@/components/ui/button";
import { formatUsd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import { checkoutQuery, ledgerQuery, pollDelayMs } from "@/lib/money/billing/client";
import type { CheckoutSession, Credits } from "@/lib/money/billing/schema";
import {
  type CheckoutViewKind,
  findCollected,
  isUnsettled,
  toCheckoutViewState,
} from "./checkout-view-state";

/** The checkout in the URL. */
export interface Return {
  id: string;
  isCancelled: boolean;
}

interface CheckoutNoticeProps {
  checkout: Return;
  credits: Credits;
  onAddFunds: () => void;
  onDismiss: () => void;
}

/** The outcome of a checkout the user returned from. Polls until it is known. */
export function CheckoutNotice({ checkout, credits, onAddFunds, onDismiss }: CheckoutNoticeProps) {
  const { isCancelled } = checkout;
  const query = useQuery({
    ...checkoutQuery(checkout.id),
    refetchInterval: ({ state }) =>
      isUnsettled(state.data, isCancelled) && pollDelayMs(state.dataUpdateCount),
  });
  const view = toCheckoutViewState({ session: query.data, error: query.error, isCancelled });
  // Read with the balance before a paid checkout is shown.
  const ledger = useInfiniteQuery({ ...ledgerQuery(), enabled: false });
  const collected =
    view.kind === "paid" && query.data
      ? findCollected(query.data.amount, ledger.data?.pages[0]?.data ?? [])
      : null;
  const Icon = ICONS[view.kind];
  return (
    <section
      aria-label="Checkout"
      className={cn("flex items-start gap-3 rounded-lg px-4 py-3", LOOKS[view.tone].card)}
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", LOOKS[view.tone].icon)} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-6 gap-y-3">
        <div role="status" className="min-w-0 flex-1 basis-64">
          <p className="font-medium">{view.title}</p>
          <p className="max-w-prose text-muted">
            {view.text}
            {collected && ` ${formatUsd(collected)} of it paid for an earlier refund or dispute.`}
            {view.kind === "paid" && ` ${formatUsd(credits.available_usd)} is available now.`}
          </p>
        </div>
        <NextStep kind={view.kind} query={query} onAddFunds={onAddFunds} />
      </div>
      {view.kind !== "checking" && (
        <Button
          variant="ghost"
          size="icon"
          aria-label="Dismiss"
          className="-mt-1.5 -mr-2 hover:bg-ink/8"
          onClick={onDismiss}
        >
          <X aria-hidden />
        </Button>
      )}
    </section>
  );
}

interface NextStepProps extends Pick<CheckoutNoticeProps, "onAddFunds"> {
  kind: CheckoutViewKind;
  query: UseQueryResult<CheckoutSession>;
}

function NextStep({ kind, query, onAddFunds }: NextStepProps) {
  if (kind === "processing" || kind === "unreadable") {
    return (
      <Button onClick={() => void query.refetch()} isPending={query.isFetching}>
        Check again
      </Button>
    );
  }
  if (kind === "cancelled" && query.data) {
    return (
      <a href={query.data.url} className={buttonVariants()}>
        Try again
      </a>
    );
  }
  const isOver = kind === "cancelled" || kind === "failed" || kind === "expired";
  return isOver && <Button onClick={onAddFunds}>Try again</Button>;
}

const ICONS: Record<CheckoutViewKind, LucideIcon> = {
  checking: LoaderCircle,
  paid: CircleCheck,
  processing: Hourglass,
  cancelled: CircleSlash,
  failed: CircleX,
  expired: CircleSlash,
  unknown: CircleQuestionMark,
  unreadable: CircleX,
};

const LOOKS = {
  neutral: { card: "bg-sunken", icon: "text-muted" },
  success: { card: "bg-success-soft", icon: "text-success" },
  warning: { card: "bg-warning-soft", icon: "text-warning" },
  danger: { card: "bg-danger-soft", icon: "text-danger" },
};
