/** Runs once when a server process starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    // First: what is counted and traced is so from the first request and the first job on.
    const { startTelemetry } = await import("./lib/telemetry/start");
    await startTelemetry();
    const { startServer } = await import("@/lib/jobs/write");
    await startServer();
  }
}
