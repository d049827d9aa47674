"use client";

import { useQuery } from "@tanstack/react-query";
import { jobQuery } from "@/lib/library/documents/client";
import type { JobSummary } from "@/lib/library/documents/library-schema";

/** The current state of a listed job, polled while it is unfinished. */
export function useJob(listed: JobSummary | null): JobSummary | null {
  const isOpen = listed?.status === "queued" || listed?.status === "processing";
  const { data } = useQuery({ ...jobQuery(listed?.id ?? ""), enabled: isOpen });
  return isOpen && data ? { ...data, warnings: data.report?.warnings.length ?? 0 } : listed;
}

interface ProgressBarProps {
  label: string;
  /** From 0 to 1. */
  part: number;
}

export function ProgressBar({ label, part }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      value={part}
      max={1}
      className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
    />
  );
}
