"use client";

import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn, Check } from "lucide-react";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState, StaleNotice } from "@/components/shell/state";
import { Button, ButtonLink } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useDismissal } from "@/components/ui/use-dismissal";
import { RequestTable } from "@/components/usage/request-table";
import { cn } from "@/lib/cn";
import { overviewQuery, useDismissSteps } from "@/lib/money/usage/client";
import type { OnboardingChecklist, Overview } from "@/lib/money/usage/overview-schema";
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
          <ButtonLink href="/usage" size="sm">
            All requests
          </ButtonLink>
        )}
      </div>
      {recent.length > 0 ? (
        <RequestTable requests={recent} />
      ) : (
        <EmptyState
          icon={ChartNoAxesColumn}
          title="No requests yet"
          description="Ask a question in the playground, or call the API with your key."
          action={<ButtonLink href="/playground">Open the playground</ButtonLink>}
        />
      )}
    </section>
  );
}

const STEPS = [
  {
    id: "key",
    name: "Create a key",
    about: "Use one key per service.",
    action: "Go to API keys",
    href: "/keys",
  },
  {
    id: "document",
    name: "Add a document",
    about: "Answers can then cite your documents, alongside public knowledge.",
    action: "Go to documents",
    href: "/documents",
  },
  {
    id: "cited_answer",
    name: "Get a cited answer",
    about: "Ask in the playground, or send citations: {enabled: true} with your key.",
    action: "Open the playground",
    href: "/playground",
  },
  {
    id: "top_up",
    name: "Add funds",
    about: "Requests are paid from a prepaid balance.",
    action: "Go to billing",
    href: "/billing",
  },
] as const;

interface FirstStepsProps {
  steps: OnboardingChecklist;
  onDismiss: () => void;
}

/** A new account's checklist. Steps are ticked by real events. */
function FirstSteps({ steps, onDismiss }: FirstStepsProps) {
  const shown = STEPS.filter(({ id }) => steps[id] !== null);
  const done = shown.filter(({ id }) => steps[id]).length;
  const next = shown.find(({ id }) => !steps[id]);
  return (
    <section aria-labelledby="first-steps" className="rounded-lg border bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2.5">
        <div className="items-center gap-3 sm:flex">
          <h2 id="first-steps" className="font-medium text-base">
            Get started
          </h2>
          <p className="text-muted">
            {done === shown.length ? "All done" : `${done} of ${shown.length} done`}
          </p>
        </div>
        <ButtonLink href="/start" size="sm" className="ml-auto">
          Show code
        </ButtonLink>
        <Button variant="ghost" size="sm" onClick={onDismiss} className="-mr-2">
          Dismiss<span className="sr-only"> the first steps</span>
        </Button>
      </header>
      <ol className="grid sm:grid-cols-2 xl:grid-cols-4">
        {shown.map((step, index) => (
          <li
            key={step.id}
            aria-current={step === next ? "step" : undefined}
            className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 gap-y-2 px-4 py-3.5"
          >
            <StepMark number={index + 1} isDone={Boolean(steps[step.id])} />
            <div className="grid gap-0.5">
              <p className={cn("font-medium", steps[step.id] && "text-muted")}>
                {step.name}
                {steps[step.id] && <span className="sr-only">, done</span>}
              </p>
              {!steps[step.id] && <p className="text-muted text-xs leading-5">{step.about}</p>}
            </div>
            {!steps[step.id] && (
              <ButtonLink
                href={step.href}
                size="sm"
                variant={step === next ? "primary" : "secondary"}
                className="col-start-2 justify-self-start"
              >
                {step.action}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepMark({ number, isDone }: { number: number; isDone: boolean }) {
  return (
    <span
      aria-hidden
      className={cn(
        "grid size-5 place-items-center rounded-full font-medium text-xs tabular-nums",
        isDone ? "bg-success-soft text-success" : "border border-control text-muted",
      )}
    >
      {isDone ? <Check className="size-3.5" /> : number}
    </span>
  );
}
