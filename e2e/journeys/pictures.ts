import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { type BrowserContext, test as base } from "@playwright/test";

// Screenshots with the server's and the browser's clocks fixed, so that they are the same every day.

const PORT = 3299;
/**
 * Far in the future, because browsers expire cookies by their own clock. The browser's time is slightly later than
 * the server's, which keeps running, so that everything the server has done is in the past.
 */
const SERVER_TIME = "2035-11-21T09:15:00Z";
const BROWSER_TIME = "2035-11-21T09:45:00Z";
const START_MS = 180_000;

export const test = base.extend<object, { fixedServer: string }>({
  fixedServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from its first parameter.
    async ({}, use, { workerIndex }) => {
      const port = PORT + 2 * workerIndex;
      const child = spawn(
        process.execPath,
        [path.resolve("e2e/server.mjs"), "--port", `${port}`, "--clock", SERVER_TIME],
        { stdio: ["ignore", "ignore", "inherit"] },
      );
      const url = `http://localhost:${port}`;
      try {
        await untilHealthy(url, child);
        await use(url);
      } finally {
        await stop(child);
      }
    },
    { scope: "worker", timeout: START_MS },
  ],
  baseURL: ({ fixedServer }, use) => use(fixedServer),
  context: async ({ context }, use) => {
    await fixClock(context);
    await use(context);
  },
});

export function fixClock(context: BrowserContext): Promise<void> {
  return context.clock.setFixedTime(BROWSER_TIME);
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) {
      throw new Error("The product did not start.");
    }
    const answer = await fetch(`${url}/api/health`).catch(() => null);
    if (answer?.ok) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.kill("SIGTERM")) {
    await once(child, "exit");
  }
}
