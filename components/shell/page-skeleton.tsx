import type { ReactNode } from "react";
import { ListSkeleton, LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";

/**
 * A part of a page while it loads, as high as the part itself: a card by its classes, a list by its rows, a bar such as a
 * heading, or a grid of fields or of other parts.
 */
export type SkeletonBlock =
  | string
  | { list: number; isCompact?: boolean; rowClassName?: string }
  | { bar: string }
  | { grid: string; fields: number }
  | { grid: string; blocks: readonly SkeletonBlock[] };

interface PageSkeletonProps {
  header: ReactNode;
  /** Announced to screen readers, such as "Loading keys". */
  label: string;
  blocks: readonly SkeletonBlock[];
}

/** A console page while it loads. Its header is there already. */
export function PageSkeleton({ header, ...content }: PageSkeletonProps) {
  return (
    <>
      {header}
      <BlocksSkeleton {...content} />
    </>
  );
}

/** The content of a page, or the part of it that loads later. */
export function BlocksSkeleton({ label, blocks }: Omit<PageSkeletonProps, "header">) {
  return (
    <div className="grid gap-6">
      <LoadingStatus label={label} />
      {blocks.map(toSkeleton)}
    </div>
  );
}

function toSkeleton(block: SkeletonBlock, at: number): ReactNode {
  if (typeof block === "string") {
    return (
      <div
        key={at}
        aria-hidden
        className={cn(
          "grid grid-cols-1 content-start gap-4 rounded-lg border bg-surface p-4",
          block,
        )}
      >
        <Skeleton className="w-44 max-w-full" />
      </div>
    );
  }
  if ("list" in block) {
    const { list, ...props } = block;
    return <ListSkeleton key={at} rows={list} hasHead {...props} />;
  }
  if ("bar" in block) {
    return <Skeleton key={at} className={block.bar} />;
  }
  return (
    <div key={at} className={`grid min-w-0 ${block.grid}`}>
      {"blocks" in block
        ? block.blocks.map(toSkeleton)
        : Array.from({ length: block.fields }, toField)}
    </div>
  );
}

function toField(_: unknown, at: number): ReactNode {
  return (
    <div key={at} aria-hidden className="grid gap-1">
      <Skeleton className="w-14" />
      <Skeleton className="h-9" />
    </div>
  );
}
