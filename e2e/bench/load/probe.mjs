import { createServer } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Loaded into the measured server (NODE_OPTIONS=--import) to report its memory on a separate port. `/gc` collects
// garbage first. Does nothing in other programs with the same environment.

const port = Number(process.env.FOOTNOTE_BENCH_PROBE);
if (port && process.argv[1]?.endsWith(".next/footnote/main.mjs")) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  createServer(({ url }, response) => {
    if (url === "/gc") {
      collect();
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    const loop = { p50_ms: delay.percentile(50) / 1e6, max_ms: delay.max / 1e6 };
    delay.reset();
    response.end(JSON.stringify({ rss, used: heapUsed + external, loop }));
  })
    .listen(port, "127.0.0.1")
    .unref();
}
