import autocannon from "autocannon";

// The benches' load generator, in a separate process: one order at a time over IPC.

/** The clients: each has a key and a share of the connections. */
interface Client {
  url: string;
  headers: Record<string, string>;
}

/** The requests each client cycles through, and for how long. */
export interface Order {
  clients: Client[];
  bodies: string[];
  connections: number;
  seconds: number;
}

export interface Load {
  requests_per_second: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  answered: number;
  /** Responses other than 2xx, failed connections and timeouts. */
  failed: number;
}

process.on("message", (order: Order) => {
  void drive(order).then((load) => process.send?.(load));
});

async function drive({ clients, bodies, connections, seconds }: Order): Promise<Load> {
  const ms: number[] = [];
  const share = Math.ceil(connections / clients.length);
  const started = performance.now();
  const results = await Promise.all(
    clients.map(({ url, headers }, index) => {
      // Each starts at a different request, so that they don't all send the same one.
      const requests = bodies.map((_body, at) => ({
        body: bodies[(at + index * 7) % bodies.length],
      }));
      const options = { url, method: "POST" as const, headers, requests };
      return new Promise<autocannon.Result>((resolve, reject) => {
        const run = autocannon(
          { ...options, connections: share, duration: seconds },
          (cause, result) => (cause ? reject(cause) : resolve(result)),
        );
        run.on("response", (_client, _status, _bytes, took) => ms.push(took));
      });
    }),
  );
  const elapsed = (performance.now() - started) / 1000;
  ms.sort((a, b) => a - b);
  const at = (part: number) => Number((ms[Math.floor(ms.length * part)] ?? 0).toFixed(2));
  return {
    requests_per_second: Math.round(ms.length / elapsed),
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    answered: ms.length,
    failed: results.reduce(
      (sum, { non2xx, errors, timeouts }) => sum + non2xx + errors + timeouts,
      0,
    ),
  };
}
