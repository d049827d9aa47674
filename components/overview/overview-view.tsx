"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { ErrorNotice } from "@/components/shell/state";
import { toast } from "@/components/ui/toast";
import { overviewQuery, useDismissSteps } from "@/lib/usage/client";
import type { Overview } from "@/lib/usage/schema";
import { Balance } from "./balance";
import { FirstSteps } from "./first-steps";
import { Errors, Latency } from "./health";
import { KindCharts } from "./kind-charts";
import { OVERVIEW_PAGE } from "./labels";
import { Recent } from "./recent";

interface OverviewViewProps {
  overview: Overview;
  /** Whether the first steps were put away in this browser. */
  isDismissed: boolean;
}

/** The account at a glance, and the way in for a new one. */
export function OverviewView({ overview: initialData, ...initial }: OverviewViewProps) {
  const query = useQuery({ ...overviewQuery, initialData });
  const { content, isDismissed, dismiss } = useDismissal(initial.isDismissed);
  const overview = query.data;
  return (
    <>
      <PageHeader {...OVERVIEW_PAGE} />
      <div ref={content} tabIndex={-1} className="grid gap-6 outline-none">
        {query.isRefetchError && (
          <ErrorNotice
            title="These numbers may be out of date."
            description={query.error.message}
            onRetry={() => void query.refetch()}
            isRetrying={query.isRefetching}
          />
        )}
        {!isDismissed && <FirstSteps steps={overview.steps} onDismiss={dismiss} />}
        <div className="grid gap-4 md:grid-cols-3">
          <Balance overview={overview} />
          <Latency latency={overview.latency} />
          <Errors total={overview.total} />
        </div>
        {overview.total.requests > 0 && <KindCharts overview={overview} />}
        <Recent recent={overview.recent} />
      </div>
    </>
  );
}

const NOT_KEPT =
  "We couldn’t reach the server, so this checklist will come back. Dismiss it again later.";

/** Puts the first steps away at once; the focus goes to what they stood in. */
function useDismissal(initial: boolean) {
  const [isDismissed, setIsDismissed] = useState(initial);
  const content = useRef<HTMLDivElement>(null);
  const { mutate } = useDismissSteps();
  const tell = () => toast.error(NOT_KEPT);
  return {
    content,
    isDismissed,
    dismiss: () => {
      setIsDismissed(true);
      content.current?.focus({ preventScroll: true });
      mutate(true, { onError: () => void tell() });
    },
  };
}
