import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { AlertMark } from "@/components/ui/alert-mark";
import { Button } from "@/components/ui/button";

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  description: ReactNode;
  /** What to do next. */
  action?: ReactNode;
  /** h1 where nothing else on the page is one. */
  heading?: "h1" | "h2";
}

/** Shown in place of an empty list or a missing page. */
export function EmptyState({
  icon: Icon,
  title,
  description,
  action,
  heading: Heading = "h2",
}: EmptyStateProps) {
  return (
    <section className="grid justify-items-center gap-3 rounded-lg border border-dashed bg-surface px-6 py-14 text-center">
      <Icon aria-hidden className="size-6 text-muted" />
      <div className="grid gap-1">
        <Heading className="font-medium text-base">{title}</Heading>
        <p className="max-w-sm text-balance text-muted">{description}</p>
      </div>
      {action}
    </section>
  );
}

interface FailureProps {
  title: string;
  description: string;
  onRetry: () => void;
  isRetrying?: boolean;
}

interface ErrorStateProps extends FailureProps {
  /** h1 where nothing else on the page is one. */
  heading?: "h1" | "h2";
}

/** Shown in place of something that failed to load, with a button to retry. */
export function ErrorState({ heading: Heading = "h2", ...failure }: ErrorStateProps) {
  return (
    <section
      role="alert"
      className="grid justify-items-center gap-3 rounded-lg border bg-surface px-6 py-14 text-center"
    >
      <AlertMark />
      <div className="grid gap-1">
        <Heading className="font-medium text-base">{failure.title}</Heading>
        <p className="max-w-sm text-balance text-muted">{failure.description}</p>
      </div>
      <Button onClick={failure.onRetry} isPending={failure.isRetrying}>
        Try again
      </Button>
    </section>
  );
}

/** A failure above data that is still usable. */
export function ErrorNotice({ title, description, onRetry, isRetrying }: FailureProps) {
  return (
    <div
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
  query: {
    isRefetchError: boolean;
    isRefetching: boolean;
    error: Error | null;
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
