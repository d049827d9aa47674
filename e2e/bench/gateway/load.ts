import autocannon from "autocannon";

// The load of the gateway bench, in a process of its own: one order at a time, over the IPC channel.

/** What one client sends again and again, on how many connections, for how long. */
export interface Order {
  url: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  seconds: number;
}

export interface Load {
  requests_per_second: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  answered: number;
  /** Answers other than 2xx, connections that failed and answers that never came. */
  failed: number;
}

process.on("message", (order: Order) => {
  void drive(order).then((load) => process.send?.(load));
});

async function drive({ url, headers, body, connections, seconds }: Order): Promise<Load> {
  const ms: number[] = [];
  const started = performance.now();
  const options = { url, method: "POST" as const, headers, body, connections, duration: seconds };
  const { non2xx, errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (cause, result) => (cause ? reject(cause) : resolve(result)));
    run.on("response", (_client, _status, _bytes, took) => ms.push(took));
  });
  const elapsed = (performance.now() - started) / 1000;
  ms.sort((a, b) => a - b);
  const at = (share: number) => Number((ms[Math.floor(ms.length * share)] ?? 0).toFixed(2));
  return {
    requests_per_second: Math.round(ms.length / elapsed),
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    answered: ms.length,
    failed: non2xx + errors + timeouts,
  };
}
