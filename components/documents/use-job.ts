"use client";

import { useQuery } from "@tanstack/react-query";
import { jobQuery } from "@/lib/documents/client";
import type { JobGlimpse } from "@/lib/documents/library-schema";
import type { Job } from "@/lib/documents/schema";

/** A job as it stands now: what was read of it in a list, until something newer is known. */
export function useJob(listed: JobGlimpse | null): JobGlimpse | null {
  const isOpen = listed?.status === "queued" || listed?.status === "processing";
  const { data } = useQuery({ ...jobQuery(listed?.id ?? ""), enabled: isOpen });
  return isOpen && data ? data : listed;
}

/** A job that is known by its id alone; null until it was first read. */
export function useJobById(id: string | null): Job | null {
  const { data } = useQuery({ ...jobQuery(id ?? ""), enabled: id !== null });
  return data ?? null;
}
