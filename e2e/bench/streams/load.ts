import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, Pool } from "undici";

// The streams bench's clients, in a separate process: one order at a time over IPC.

/** Clients on persistent connections, each with one stream at a time. */
export interface Burst {
  url: string;
  headers: Record<string, string>;
  body: string;
  streams: number;
  /** Expected chunks per stream. */
  chunks: number;
  /** Ramp-up time; 0: all start in the same event loop turn. */
  spread_ms: number;
  /** Streams per client, one after the other. */
  each: number;
}

export interface Streamed {
  /** Time to first text per stream, in ms, ascending. */
  first_ms: number[];
  /** When the last stream ended. */
  all_ms: number;
  /** Streams with missing or reordered chunks. */
  broken: number;
  /** The first fault, for debugging. */
  fault: string | null;
}

let pool: { origin: string; streams: number; pool: Pool } | null = null;

process.on("message", (burst: Burst) => {
  void run(burst).then((streamed) => process.send?.(streamed));
});

async function run(burst: Burst): Promise<Streamed> {
  const { origin, pathname } = new URL(burst.url);
  if (pool?.origin !== origin || pool.streams !== burst.streams) {
    await pool?.pool.close();
    pool = { origin, streams: burst.streams, pool: new Pool(origin, options(burst.streams)) };
  }
  const request = { path: pathname, method: "POST", headers: burst.headers, body: burst.body };
  const started = performance.now();
  const { pool: connections } = pool;
  const job = { request: request as Dispatcher.DispatchOptions, chunks: burst.chunks };
  const client = async (_: unknown, index: number) => {
    if (burst.spread_ms > 0) {
      await sleep((index * burst.spread_ms) / burst.streams);
    }
    const streams: One[] = [];
    while (streams.length < burst.each) {
      streams.push(await one(connections, job));
    }
    return streams;
  };
  const each = (await Promise.all(Array.from({ length: burst.streams }, client))).flat();
  return {
    first_ms: each.map(({ firstMs }) => firstMs).toSorted((a, b) => a - b),
    all_ms: performance.now() - started,
    broken: each.filter(({ fault }) => fault).length,
    fault: each.find(({ fault }) => fault)?.fault ?? null,
  };
}

function options(connections: number): Pool.Options {
  return { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
}

interface One {
  firstMs: number;
  fault: string | null;
}

interface Job {
  request: Dispatcher.DispatchOptions;
  chunks: number;
}

function one(connections: Pool, { request, chunks }: Job) {
  const started = performance.now();
  return new Promise<One>((resolve) => {
    let firstMs = 0;
    let status = 0;
    let rest = "";
    let next = 0;
    let fault: string | null = null;
    const read = (data: string) => {
      const text = data === "[DONE]" ? "" : JSON.parse(data).choices?.[0]?.delta?.content;
      if (!text) {
        return;
      }
      firstMs ||= performance.now() - started;
      if (text !== `${next} `) {
        fault ??= `"${text}" where ${next} was due`;
      }
      next += 1;
    };
    connections.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, code) {
        status = code;
      },
      onResponseData(_controller, piece) {
        const events = (rest + piece.toString("latin1")).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) {
          if (event.startsWith("data: ")) {
            read(event.slice(6));
          }
        }
      },
      onResponseEnd() {
        const lost = next === chunks ? null : `${next} chunks, status ${status}: ${rest}`;
        resolve({ firstMs, fault: fault ?? lost });
      },
      onResponseError(_controller, cause) {
        resolve({ firstMs, fault: cause.message });
      },
    });
  });
}
