/** Runs once when a server process starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    // Before everything else, so that the first request and the first job are traced.
    const { startTelemetry } = await import("./lib/telemetry/start");
    await startTelemetry();
    const { startServer } = await import("@/server/background");
    await startServer();
  }
}
