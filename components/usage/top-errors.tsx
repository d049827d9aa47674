import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/time";
import type { ErrorGroup } from "@/lib/money/usage/schema";
import { formatNumber, formatOutcome } from "./labels";

/** The most frequent errors of the range. Each links to its docs and its latest request. */
export function TopErrors({ errors }: { errors: readonly ErrorGroup[] }) {
  return (
    <section aria-labelledby="top-errors" className="grid gap-1 rounded-lg border bg-surface p-4">
      <h2 id="top-errors" className="font-medium">
        Top errors
      </h2>
      <ul>
        {errors.map(({ endpoint, status, code, requests, last_id, last_at }) => (
          <li
            key={`${endpoint} ${status} ${code}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b py-2 last:border-b-0 last:pb-0 lg:grid lg:grid-cols-[3.5rem_13rem_minmax(0,1fr)_auto] lg:justify-items-start"
          >
            <span className="min-w-8 font-medium tabular-nums">
              {formatNumber(requests)}
              <span className="sr-only"> {requests === 1 ? "time" : "times"}</span>
            </span>
            <ErrorBadge status={status} code={code} />
            <code className="min-w-0 break-all font-mono text-muted text-xs">{endpoint}</code>
            <Link
              href={`/usage/${last_id}`}
              prefetch={false}
              className="ml-auto whitespace-nowrap rounded-sm text-accent text-xs hover:underline"
            >
              Latest: <RelativeTime value={last_at} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Links to what the docs say about the code, if there is one. */
function ErrorBadge({ status, code }: Pick<ErrorGroup, "status" | "code">) {
  const badge = <Badge tone="danger">{formatOutcome({ status, error_code: code })}</Badge>;
  return code ? (
    <Link href={`/docs/errors#${code}`} className="rounded-sm">
      {badge}
    </Link>
  ) : (
    badge
  );
}
