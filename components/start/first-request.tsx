import { useInfiniteQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import Link from "next/link";
import { buttonVariants } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/time";
import { Usd } from "@/components/ui/usd";
import { formatDuration, formatKind, formatOutcome } from "@/components/usage/labels";
import { requestsQuery } from "@/lib/money/usage/client";
import type { LoggedRequest } from "@/lib/money/usage/schema";

const POLL_MS = 2000;

interface FirstRequestProps {
  keyId: string;
  /** The account's first one, if there was one before this visit. */
  earlier: LoggedRequest | null;
}

/** Waits for a request with the key: a check mark when it succeeds, the reason when it is refused. */
export function FirstRequest({ keyId, earlier }: FirstRequestProps) {
  const { data, isError } = useInfiniteQuery({
    ...requestsQuery({ key: keyId }),
    enabled: earlier === null,
    refetchInterval: ({ state }) => (findSuccess(state.data?.pages) ? false : POLL_MS),
  });
  const success = earlier ?? findSuccess(data?.pages);
  const latest = data?.pages[0]?.data[0];
  return (
    <section
      aria-label="Your first request"
      aria-live="polite"
      className="grid gap-3 rounded-lg border bg-surface p-4"
    >
      {success ? <Arrived request={success} /> : <Waiting failed={latest} isOffline={isError} />}
    </section>
  );
}

function findSuccess(pages: { data: LoggedRequest[] }[] | undefined): LoggedRequest | undefined {
  return pages?.flatMap(({ data }) => data).findLast(({ status }) => status < 400);
}

function Arrived({ request }: { request: LoggedRequest }) {
  return (
    <>
      <p className="flex items-center gap-2.5 font-medium text-base">
        <span
          aria-hidden
          className="grid size-6 animate-appear place-items-center rounded-full bg-success-soft text-success"
        >
          <Check className="size-4" />
        </span>
        Your first request arrived
      </p>
      <p className="text-muted">
        <RelativeTime value={request.created_at} />: {formatKind(request.kind)}, answered in{" "}
        {formatDuration(request.latency_ms)} for <Usd value={request.cost_usd} />.
      </p>
      <Link
        href={`/usage/${request.id}`}
        className={buttonVariants({ variant: "primary", size: "sm" })}
      >
        See its sources and cost
      </Link>
    </>
  );
}

function Waiting({ failed, isOffline }: { failed: LoggedRequest | undefined; isOffline: boolean }) {
  return (
    <>
      <p className="flex items-center gap-2.5 font-medium text-base">
        <span aria-hidden className="relative grid size-6 place-items-center">
          <span className="absolute size-4 animate-ping rounded-full bg-accent/30" />
          <span className="size-2 rounded-full bg-accent" />
        </span>
        Waiting for your first request
      </p>
      <p className="text-muted">
        {isOffline
          ? "We can’t reach the server right now. We’ll keep trying."
          : "Run the code. A check mark appears here when the request arrives."}
      </p>
      {failed && (
        <p>
          A request arrived, but failed: {formatOutcome(failed)}.{" "}
          <Link
            href={`/usage/${failed.id}`}
            className="rounded-sm text-accent underline underline-offset-4"
          >
            See why
          </Link>
        </p>
      )}
    </>
  );
}
