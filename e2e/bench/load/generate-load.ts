import autocannon from "autocannon";

// The overload bench's load generator, in a separate process: a fixed request rate regardless of responses.

/** What to send, on how many connections, at which rate, for how long. */
export interface Order {
  url: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  /** Null: closed loop. */
  perSecond: number | null;
  seconds: number;
}

export interface LoadResult {
  seconds: number;
  /** By status; `lost` for failed connections and timeouts. */
  counts: Record<string, number>;
  /** By status: p50, p95, p99 and maximum. */
  ms: Record<string, number[]>;
}

process.on("message", (order: Order) => {
  void runLoad(order).then((outcome) => process.send?.(outcome));
});

async function runLoad({ perSecond, seconds, ...rest }: Order): Promise<LoadResult> {
  const taken = new Map<string, number[]>();
  const started = performance.now();
  const { errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        ...rest,
        method: "POST",
        duration: seconds,
        ...(perSecond && { overallRate: perSecond }),
      },
      (cause, result) => (cause ? reject(cause) : resolve(result)),
    );
    run.on("response", (_client, status, _bytes, ms) => {
      const name = String(status);
      const list = taken.get(name) ?? [];
      list.push(ms);
      taken.set(name, list);
    });
  });
  const counts = Object.fromEntries([...taken].map(([name, list]) => [name, list.length]));
  return {
    seconds: Number(((performance.now() - started) / 1000).toFixed(2)),
    counts: { ...counts, lost: errors + timeouts },
    ms: Object.fromEntries([...taken].map(([name, list]) => [name, pointsOf(list)])),
  };
}

function pointsOf(list: number[]): number[] {
  list.sort((a, b) => a - b);
  return [0.5, 0.95, 0.99, 1].map((share) =>
    Number((list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0).toFixed(1)),
  );
}
