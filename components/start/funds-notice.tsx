import { ButtonLink } from "@/components/ui/button";

export interface Funds {
  /** A decimal string of US dollars. */
  availableUsd: string;
  /** Whether the model of the first request costs anything. */
  isCharged: boolean;
}

/** Warns before the first request that it would be refused. Renders nothing while there is a balance. */
export function FundsNotice({ availableUsd, isCharged }: Funds) {
  return isCharged && Number(availableUsd) <= 0 ? (
    <section
      aria-label="Balance"
      className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-warning-soft px-4 py-3"
    >
      <p className="min-w-0 flex-1 basis-64">
        Your balance is $0.00, and requests to this model are charged. Add funds first, or the
        request is refused with status 402.
      </p>
      <ButtonLink href="/billing" variant="primary">
        Add funds
      </ButtonLink>
    </section>
  ) : null;
}
