/** The CPU milliseconds that work took: unlike a clock, they don't grow with what else the machine does. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}
