import "server-only";

import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { BatchObservableResult, Meter, ObservableGauge } from "@opentelemetry/api";
import { countOpenJobs } from "@/lib/library/documents/read/jobs";
import { countOpenHolds } from "@/lib/money/billing/read/balance";
import { poolFigures } from "@/lib/platform/db/client";
import { countStreams } from "@/lib/platform/limits/open-streams";
import { countUploads } from "@/lib/platform/limits/uploads-in-flight";

const LOOP_RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** Values read on collection instead of being counted as they happen. */
export function observeProcess(meter: Meter): void {
  const gauge: MakeGauge = (name, description, unit = "") =>
    meter.createObservableGauge(name, { description, unit });
  observeDatabase(meter, gauge);
  observeLoop(meter, gauge);
  const observe = (read: () => number, ...named: Parameters<MakeGauge>) =>
    gauge(...named).addCallback((result) => result.observe(read()));
  const { memoryUsage, uptime } = process;
  observe(countStreams, "footnote.streams.open", "Streams open in this process.");
  observe(countUploads, "footnote.uploads.open", "Uploads in flight in this process.");
  observe(memoryUsage.rss, "process.memory.usage", "Resident memory.", "By");
  observe(() => memoryUsage().heapUsed, "v8js.memory.heap.used", "JavaScript heap in use.", "By");
  observe(uptime, "process.uptime", "Since the process began.", "s");
  meter
    .createObservableCounter("process.cpu.time", { description: "CPU time used.", unit: "s" })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe(user / 1e6, { "cpu.mode": "user" });
      result.observe(system / 1e6, { "cpu.mode": "system" });
    });
}

type MakeGauge = (name: string, description: string, unit?: string) => ObservableGauge;

function observeDatabase(meter: Meter, gauge: MakeGauge): void {
  const connections = gauge("db.client.connection.count", "Connections of the pool, by state.");
  const pending = gauge(
    "db.client.connection.pending_requests",
    "Statements and transactions that wait for a connection.",
  );
  const observePool = (result: BatchObservableResult) => {
    const pool = poolFigures();
    result.observe(connections, pool.total - pool.idle, { state: "used" });
    result.observe(connections, pool.idle, { state: "idle" });
    result.observe(pending, pool.waiting);
  };
  meter.addBatchObservableCallback(observePool, [connections, pending]);
  const jobs = gauge("footnote.jobs.open", "Document jobs in the database, by status.");
  const holds = gauge("footnote.holds.open", "Holds open in the database.");
  const observeWork = async (result: BatchObservableResult) => {
    const [open, openHolds] = await Promise.all([countOpenJobs(), countOpenHolds()]);
    result.observe(jobs, open.queued, { status: "queued" });
    result.observe(jobs, open.processing, { status: "processing" });
    result.observe(holds, openHolds);
  };
  meter.addBatchObservableCallback(observeWork, [jobs, holds]);
}

/** Each reading covers the time since the previous one. */
function observeLoop(meter: Meter, gauge: MakeGauge): void {
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delay.enable();
  const gauges = {
    p50: gauge("nodejs.eventloop.delay.p50", "Delay of the event loop, median.", "s"),
    p99: gauge("nodejs.eventloop.delay.p99", "Delay of the event loop, 99th percentile.", "s"),
    max: gauge("nodejs.eventloop.delay.max", "Delay of the event loop, longest.", "s"),
    busy: gauge("nodejs.eventloop.utilization", "Share of time the event loop was at work."),
  };
  let before = performance.eventLoopUtilization();
  const observe = (result: BatchObservableResult) => {
    const now = performance.eventLoopUtilization();
    result.observe(gauges.busy, performance.eventLoopUtilization(now, before).utilization);
    before = now;
    // Read twice within its resolution, it reports no delay.
    result.observe(gauges.p50, delay.percentile(50) / NANOSECONDS);
    result.observe(gauges.p99, delay.percentile(99) / NANOSECONDS);
    result.observe(gauges.max, delay.max / NANOSECONDS);
    delay.reset();
  };
  meter.addBatchObservableCallback(observe, Object.values(gauges));
}
