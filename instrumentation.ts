/** Runs once when a server process starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    // First, so that the first requests and jobs are traced and counted.
    const { startTelemetry } = await import("./lib/operations/telemetry/start");
    await startTelemetry();
    const { startServer } = await import("@/server/background");
    await startServer();
  }
}
