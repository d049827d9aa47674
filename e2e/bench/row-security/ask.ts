/** A caller in the row-security bench. */
export interface Caller {
  key: string;
  /** The headers of a signed-in member. */
  browser: Record<string, string>;
  queries: string[];
}

export const WORKS = [
  "plain completion",
  "search",
  "list of documents",
  "list of keys",
  "list of requests",
  "usage by key",
] as const;
export type Work = (typeof WORKS)[number];

/** A turn of a worker. */
export interface Order {
  work: Work;
  requests: number;
}

export interface Turn {
  ms_per_request: number;
  cpu_ms_per_request: number;
}
