/** What of the process is told, and how. */
export interface TelemetryOptions {
  /** Traces go to a collector. */
  traces: boolean;
  /** Metrics go to a collector. */
  push: boolean;
  /** Metrics are there to be asked for. */
  pull: boolean;
}

export interface TelemetryBackend {
  /** The metrics in Prometheus' text form. */
  scrape(): Promise<string>;
  /** Sends what is waiting, and no more after it. Never rejects. */
  close(): Promise<void>;
}
