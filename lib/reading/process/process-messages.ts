/** What a process does, by the names that its thread knows. */
export type TaskName = "read" | "paint" | "recognize";

export interface ProcessSettings {
  name: TaskName;
  memoryMb: number;
  /** CPU time. */
  timeoutMs: number;
}

/** Precedes the files, which are sent in slices, one after the other. */
export interface TaskHeader {
  message: object;
  sizes: number[];
}

/** To the thread, which returns the parts of its answer as bytes. */
export interface ThreadTask {
  message: object;
  files: Uint8Array<ArrayBuffer>[];
}

/** Follows the answer, which is sent in slices. */
export interface TaskEnd {
  state: "answered" | "exceeded" | "failed";
  cpuMs: number;
  /** Of the answer's parts. */
  sizes?: number[];
  /** Why it failed. */
  message?: string;
}
