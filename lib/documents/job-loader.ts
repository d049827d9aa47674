import { AppError } from "@/lib/errors";
import { fetchJson } from "@/lib/fetch-json";
import type { Job } from "./schema";

/** As many as the door takes. */
const MOST = 100;
const GATHER_MS = 50;

interface Waiting {
  id: string;
  resolve: (job: Job) => void;
  reject: (cause: unknown) => void;
}

let waiting: Waiting[] = [];

/** Reads a job; all that are asked for within a moment come in one request. Throws not_found. */
export function loadJob(id: string): Promise<Job> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) {
      setTimeout(loadTogether, GATHER_MS);
    }
    waiting.push({ id, resolve, reject });
  });
}

function loadTogether(): void {
  const asked = waiting;
  waiting = [];
  for (let start = 0; start < asked.length; start += MOST) {
    void loadSome(asked.slice(start, start + MOST));
  }
}

async function loadSome(asked: readonly Waiting[]): Promise<void> {
  try {
    const ids = [...new Set(asked.map(({ id }) => id))];
    const { data } = await fetchJson(`/api/documents/jobs?ids=${ids.join(",")}`, {
      schema: async () => (await import("./library-schema")).JobList,
    });
    const jobs = new Map(data.map((job) => [job.id, job]));
    for (const { id, resolve, reject } of asked) {
      const job = jobs.get(id);
      if (job) {
        resolve(job);
      } else {
        reject(new AppError("not_found", "This job is gone. Reload the list."));
      }
    }
  } catch (cause) {
    for (const { reject } of asked) {
      reject(cause);
    }
  }
}
