import autocannon from "autocannon";

// The load of the overload bench, in a process of its own: so many requests a second, whatever comes back.

/** What is sent, on how many connections, how many a second, for how long. */
export interface Order {
  url: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  /** Null: as many as are answered. */
  perSecond: number | null;
  seconds: number;
}

export interface Poured {
  seconds: number;
  /** By status; `lost` for connections that failed and answers that never came. */
  counts: Record<string, number>;
  /** By status, p50, p95, p99 and the longest. */
  ms: Record<string, number[]>;
}

process.on("message", (order: Order) => {
  void pour(order).then((poured) => process.send?.(poured));
});

async function pour({ perSecond, seconds, ...rest }: Order): Promise<Poured> {
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
