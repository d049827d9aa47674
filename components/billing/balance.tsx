import { Usd } from "@/components/ui/usd";
import type { Credits } from "@/lib/billing/schema";

/** The available balance and how it is calculated. */
export function Balance({ credits }: { credits: Credits }) {
  const hasNothing = !/[1-9]/.test(credits.available_usd);
  return (
    <section
      aria-labelledby="balance"
      className="grid gap-x-10 gap-y-5 rounded-lg border bg-surface p-5 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
    >
      <div className="grid gap-1.5">
        <h2 id="balance" className="font-medium text-muted">
          Available balance
        </h2>
        <p className="break-words font-semibold text-4xl tracking-tight">
          <Usd
            value={credits.available_usd}
            className="[&>span]:font-medium [&>span]:text-muted [&>span]:text-xl"
          />
        </p>
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <Fact name="Balance" usd={credits.balance_usd} />
        <Fact name="Reserved" usd={credits.held_usd} />
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

function Fact({ name, usd }: { name: string; usd: string }) {
  return (
    <div className="grid gap-1">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="font-medium text-base">
        <Usd value={usd} />
      </dd>
    </div>
  );
}
