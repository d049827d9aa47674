import { useInfiniteQuery } from "@tanstack/react-query";
import { LoadMore } from "@/components/shell/load-more";
import { ErrorNotice } from "@/components/shell/state";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Moment } from "@/components/ui/time";
import { activityQuery } from "@/lib/platform/audit/client";
import { formatActor, formatEvent } from "./activity-labels";
import { formatDays } from "./labels";
import { Section, SectionBody } from "./section";

/** The account's audit log, for owners. `days`: how long events are kept; 0 means forever. */
export function ActivitySection({ days }: { days: number }) {
  const retention = days === 0 ? "forever" : `for ${formatDays(days)}`;
  return (
    <Section
      title="Activity"
      description={`Changes to keys, members, passwords and funds. Kept ${retention}.`}
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
            title={query.data ? "This list may be out of date." : "This list couldn’t be loaded."}
            description={query.error?.message ?? ""}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        </SectionBody>
      )}
      {query.data && events.length === 0 && (
        <SectionBody>
          <p className="text-muted">
            No activity yet. Changes to keys, members and funds will appear here.
          </p>
        </SectionBody>
      )}
      {events.length > 0 && (
        <>
          <ul aria-label="Activity" className="divide-y">
            {events.map((event) => (
              <li key={event.id} className="grid gap-0.5 p-4 sm:px-5">
                <span className="[overflow-wrap:anywhere]">
                  <span className="font-medium">{formatActor(event)}</span> {formatEvent(event)}
                </span>
                <span className="flex flex-wrap gap-x-3 text-muted text-xs">
                  <Moment value={event.created_at} />
                  {event.request_id && (
                    <code className="min-w-0 truncate font-mono" title="Request ID">
                      {event.request_id}
                    </code>
                  )}
                </span>
              </li>
            ))}
          </ul>
          <div className="grid gap-3 border-t p-4 sm:px-5">
            <LoadMore query={query} noun={{ one: "event", many: "events" }} count={events.length} />
          </div>
        </>
      )}
    </>
  );
}

function ActivitySkeleton() {
  return (
    <SectionBody>
      <LoadingStatus label="Loading activity" />
      {["first", "second", "third"].map((row) => (
        <div key={row} aria-hidden className="grid gap-1.5">
          <Skeleton className="w-64" />
          <Skeleton className="w-40" />
        </div>
      ))}
    </SectionBody>
  );
}
