import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../product";

const MB = 1024 * 1024;

/** The memory of the server's process. */
export interface Sample {
  /** Since the first sample. */
  seconds: number;
  rss_mb: number;
  /** Heap and external memory, after a garbage collection if requested. */
  used_mb: number;
  loop_p50_ms: number;
  loop_max_ms: number;
}

export interface Probe {
  /** The server's environment. */
  env: Record<string, string>;
  sample(how: "live" | "after gc"): Promise<Sample>;
}

/** Reads the server process's memory through the probe. */
export async function openProbe(): Promise<Probe> {
  const port = await freePort();
  const script = path.join(import.meta.dirname, "probe.mjs");
  const startedAt = Date.now();
  return {
    env: { NODE_OPTIONS: `--import=${script}`, FOOTNOTE_BENCH_PROBE: String(port) },
    sample: async (how) => {
      const response = await fetch(`http://127.0.0.1:${port}/${how === "after gc" ? "gc" : ""}`);
      const { rss, used, loop } = await response.json();
      const round = (value: number) => Number(value.toFixed(1));
      return {
        seconds: round((Date.now() - startedAt) / 1000),
        rss_mb: round(rss / MB),
        used_mb: round(used / MB),
        loop_p50_ms: round(loop.p50_ms),
        loop_max_ms: round(loop.max_ms),
      };
    },
  };
}

/** Samples repeatedly until the work ends. */
export async function sampleDuring(
  probe: Probe,
  { how, everyMs }: { how: "live" | "after gc"; everyMs: number },
  work: Promise<unknown>,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const end = { isReached: false };
  const ended = work.finally(() => {
    end.isReached = true;
  });
  while (!end.isReached) {
    samples.push(await probe.sample(how));
    await Promise.race([ended, sleep(everyMs)]);
  }
  return samples;
}

/** Megabytes per minute, by least squares. */
export function slopeOf(samples: readonly Sample[], name: "rss_mb" | "used_mb"): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const minutes = samples.map(({ seconds }) => seconds / 60);
  const sizes = samples.map((sample) => sample[name]);
  const [middle, size] = [mean(minutes), mean(sizes)];
  const spread = minutes.reduce((sum, minute) => sum + (minute - middle) ** 2, 0);
  const together = minutes.reduce(
    (sum, minute, index) => sum + (minute - middle) * ((sizes[index] ?? 0) - size),
    0,
  );
  return Number((together / spread).toFixed(3));
}
