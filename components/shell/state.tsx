import type { UseQueryResult } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { AlertMark } from "@/components/ui/form-error";
import { cn } from "@/lib/cn";

interface StateProps {
  title: string;
  description: ReactNode;
  /** h1 where nothing else on the page is one. */
  heading?: "h1" | "h2";
}

interface EmptyStateProps extends StateProps {
  icon: LucideIcon;
  /** What to do next. */
  action?: ReactNode;
}

const CARD = "grid justify-items-center gap-3 rounded-lg border bg-surface px-6 py-14 text-center";

/** Shown in place of an empty list or a missing page. */
export function EmptyState({ icon: Icon, action, ...state }: EmptyStateProps) {
  return (
    <section className={cn(CARD, "border-dashed")}>
      <Icon aria-hidden className="size-6 text-muted" />
      <StateText {...state} />
      {action}
    </section>
  );
}

function StateText({ title, description, heading: Heading = "h2" }: StateProps) {
  return (
    <div className="grid gap-1">
      <Heading className="font-medium text-base">{title}</Heading>
      <p className="max-w-sm text-balance text-muted [overflow-wrap:anywhere]">{description}</p>
    </div>
  );
}

interface FailureProps extends StateProps {
  onRetry: () => void;
  isRetrying?: boolean;
}

/** When "Try again" goes, focus moves to the section around it instead of the top of the page. */
function passFocusOn(failure: HTMLElement | null) {
  const section = failure?.parentElement?.closest<HTMLElement>("[tabindex='-1']");
  return () => {
    if (failure?.contains(document.activeElement)) {
      section?.focus({ preventScroll: true });
    }
  };
}

/** Shown in place of something that failed to load, with a button to retry. */
export function ErrorState({ onRetry, isRetrying, ...state }: FailureProps) {
  return (
    <section ref={passFocusOn} role="alert" className={CARD}>
      <AlertMark />
      <StateText {...state} />
      <Button onClick={onRetry} isPending={isRetrying}>
        Try again
      </Button>
    </section>
  );
}

interface FailedQuery extends Pick<UseQueryResult, "error" | "isFetching"> {
  refetch: () => unknown;
}

/** `ErrorState` of a query. */
export function LoadError({ title, query }: { title: string; query: FailedQuery }) {
  return (
    <ErrorState
      title={title}
      description={query.error?.message ?? ""}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  );
}

/** A failure above data that is still usable. */
export function ErrorNotice({ title, description, onRetry, isRetrying }: FailureProps) {
  return (
    <div
      ref={passFocusOn}
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-danger-soft px-3 py-2"
    >
      <AlertMark />
      <p className="min-w-0 flex-1 basis-48">
        <span className="font-medium">{title}</span> {description}
      </p>
      <Button size="sm" onClick={onRetry} isPending={isRetrying}>
        Try again
      </Button>
    </div>
  );
}

interface StaleNoticeProps {
  query: Pick<UseQueryResult, "isRefetchError" | "isRefetching" | "error"> & {
    refetch: () => unknown;
  };
  title?: string;
}

/** A notice above data whose refresh failed. */
export function StaleNotice({ query, title = "This list may be out of date." }: StaleNoticeProps) {
  return (
    query.isRefetchError && (
      <ErrorNotice
        title={title}
        description={query.error?.message ?? ""}
        onRetry={() => void query.refetch()}
        isRetrying={query.isRefetching}
      />
    )
  );
}
