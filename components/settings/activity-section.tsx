"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { LoadMore } from "@/components/shell/load-more";
import { ErrorNotice } from "@/components/shell/state";
import { Skeleton } from "@/components/ui/skeleton";
import { Moment } from "@/components/ui/time";
import { activityQuery } from "@/lib/audit/client";
import type { AuditEvent } from "@/lib/audit/schema";
import { EVENT_NOUN, formatActor, formatEvent } from "./activity-labels";
import { formatDays } from "./labels";
import { Section, SectionBody } from "./section";

/** Who did what in the account; for owners. `days`: how long it is kept, 0 for ever. */
export function ActivitySection({ days }: { days: number }) {
  return (
    <Section
      title="Activity"
      description={`Who did what to keys, members, passwords and funds. Kept ${formatRetention(days)}.`}
    >
      <Activity />
    </Section>
  );
}

function Activity() {
  const query = useInfiniteQuery(activityQuery);
  if (query.isPending) {
    return <ActivitySkeleton />;
  }
  const events = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      {(!query.data || query.isRefetchError) && (
        <SectionBody>
          <ErrorNotice
            title={query.data ? "This list may be out of date." : "This list could not be read."}
            description={query.error?.message ?? ""}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        </SectionBody>
      )}
      {query.data && events.length === 0 && (
        <SectionBody>
          <p className="text-muted">
            Nothing yet. What is done to keys, members and funds from now on is listed here.
          </p>
        </SectionBody>
      )}
      {events.length > 0 && (
        <>
          <ul aria-label="Activity" className="divide-y">
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ul>
          <div className="grid gap-3 border-t p-4 sm:px-5">
            <LoadMore query={query} noun={EVENT_NOUN} count={events.length} />
          </div>
        </>
      )}
    </>
  );
}

function EventRow({ event }: { event: AuditEvent }) {
  return (
    <li className="grid gap-0.5 p-4 sm:px-5">
      <span className="break-words">
        <span className="font-medium">{formatActor(event)}</span> {formatEvent(event)}
      </span>
      <span className="flex flex-wrap gap-x-3 text-muted text-xs">
        <Moment value={event.created_at} />
        {event.request_id && (
          <code className="min-w-0 truncate font-mono" title="Request id">
            {event.request_id}
          </code>
        )}
      </span>
    </li>
  );
}

function ActivitySkeleton() {
  return (
    <SectionBody>
      <p role="status" className="sr-only">
        Reading activity
      </p>
      {["first", "second", "third"].map((row) => (
        <div key={row} aria-hidden className="grid gap-1.5">
          <Skeleton className="w-64" />
          <Skeleton className="w-40" />
        </div>
      ))}
    </SectionBody>
  );
}

function formatRetention(days: number): string {
  return days === 0 ? formatDays(days) : `for ${formatDays(days)}`;
}
