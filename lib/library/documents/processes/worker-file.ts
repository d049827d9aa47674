import { programFile } from "@/lib/platform/program-file";

/** The module that processes and threads that read documents load. */
export function workerFile(): string {
  return programFile("threads.mjs", "lib/reading/process/worker.mjs");
}
