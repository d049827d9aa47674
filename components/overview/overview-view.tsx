"use client";

import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import Link from "next/link";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState, StaleNotice } from "@/components/shell/state";
import { buttonVariants } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useDismissal } from "@/components/ui/use-dismissal";
import { RequestTable } from "@/components/usage/request-table";
import { overviewQuery, useDismissSteps } from "@/lib/money/usage/client";
import type { Overview } from "@/lib/money/usage/overview-schema";
import { FirstSteps } from "./first-steps";
import { KindCharts } from "./kind-charts";
import { OVERVIEW_PAGE } from "./labels";
import { Tiles } from "./panels";

interface OverviewViewProps {
  overview: Overview;
  /** Whether the checklist was dismissed in this browser. */
  isDismissed: boolean;
}

export function OverviewView({ overview: initialData, ...initial }: OverviewViewProps) {
  const query = useQuery({ ...overviewQuery, initialData });
  const { mutate } = useDismissSteps();
  const { container, isDismissed, dismiss } = useDismissal(initial.isDismissed, () =>
    mutate(true, { onError: () => toast.error(DISMISS_FAILED) }),
  );
  const overview = query.data;
  return (
    <>
      <PageHeader {...OVERVIEW_PAGE} />
      <div ref={container} tabIndex={-1} className="grid gap-6 outline-none">
        <StaleNotice query={query} title="These numbers may be out of date." />
        {!isDismissed && !isDone(overview.steps) && (
          <FirstSteps steps={overview.steps} onDismiss={dismiss} />
        )}
        <Tiles overview={overview} />
        {overview.total.requests > 0 && <KindCharts overview={overview} />}
        <Recent recent={overview.recent} />
      </div>
    </>
  );
}

/** Hidden once every step is done. */
function isDone(steps: Overview["steps"]): boolean {
  return Object.values(steps).every((step) => step !== false);
}

const DISMISS_FAILED =
  "We couldn’t reach the server, so this checklist will come back. Dismiss it again later.";

function Recent({ recent }: Pick<Overview, "recent">) {
  return (
    <section aria-labelledby="recent" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="recent" className="font-medium text-base">
          Recent requests
        </h2>
        {recent.length > 0 && (
          <Link href="/usage" className={buttonVariants({ size: "sm" })}>
            All requests
          </Link>
        )}
      </div>
      {recent.length > 0 ? (
        <RequestTable requests={recent} />
      ) : (
        <EmptyState
          icon={ChartNoAxesColumn}
          title="No requests yet"
          description="Ask a question in the playground, or call the API with your key."
          action={
            <Link href="/playground" className={buttonVariants()}>
              Open the playground
            </Link>
          }
        />
      )}
    </section>
  );
}
