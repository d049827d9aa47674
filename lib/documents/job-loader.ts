import DataLoader from "dataloader";
import { AppError } from "@/lib/errors";
import { fetchJson } from "@/lib/fetch-json";
import type { Job } from "./schema";

/** The endpoint's limit. */
const MAX_IDS = 100;
const BATCH_WINDOW_MS = 50;

const loader = new DataLoader<string, Job>(
  async (ids) => {
    const { data } = await fetchJson(`/api/documents/jobs?ids=${[...new Set(ids)].join(",")}`, {
      schema: async () => (await import("./library-schema")).JobList,
    });
    const jobs = new Map(data.map((job) => [job.id, job]));
    return ids.map(
      (id) => jobs.get(id) ?? new AppError("not_found", "This job is gone. Reload the list."),
    );
  },
  {
    cache: false,
    maxBatchSize: MAX_IDS,
    batchScheduleFn: (load) => setTimeout(load, BATCH_WINDOW_MS),
  },
);

/** Reads a job. Calls within a short window share one request. Throws not_found. */
export function loadJob(id: string): Promise<Job> {
  return loader.load(id);
}
