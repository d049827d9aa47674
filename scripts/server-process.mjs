import { spawn } from "node:child_process";
import { once } from "node:events";

/** Those that a terminal or a supervisor ends a process with. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs the server as a child process that this one ends with, and never before it: signals that stop this process stop the
 * server, and this process exits with the server's status.
 */
export function startServerProcess(command, args, options) {
  const server = spawn(command, args, options);
  let failed = false;
  const ended = once(server, "exit").then(([code, signal]) => {
    const wasStopped = STOP_SIGNALS.includes(signal) && !failed;
    process.exit(failed ? 1 : (code ?? (wasStopped ? 0 : 1)));
  });
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => server.kill(signal));
  }
  return {
    /** Stops the server, then ends this process with status 1. */
    fail: async () => {
      failed = true;
      server.kill("SIGTERM");
      await ended;
    },
  };
}
