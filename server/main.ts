import { createServer, type Server } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import next from "next";

// The production server: /v1 by its route files, without Next between; everything else by Next.

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;
/** How long the money of clients that have left may take to be settled. */
const SETTLE_MS = 10_000;

const { values } = parseArgs({
  options: { port: { type: "string", short: "p", default: process.env.PORT ?? "3000" } },
});
const port = Number(values.port);
process.title = "footnote-server";

const server = createServer();
const app = next({ dev: false, dir: process.cwd(), port, httpServer: server });
// Reads .env files and runs instrumentation.ts; the product's modules read the environment when they load.
await app.prepare();
const [{ withAssets }, { createHost }, { ROUTES }, { untilSettled }] = await Promise.all([
  import("./assets"),
  import("./host"),
  import("./v1"),
  import("@/lib/chat/metering"),
]);
const pages = app.getRequestHandler();
const host = createHost(ROUTES, (request, response) => void pages(request, response));
server.on("request", withAssets(path.resolve(".next/static"), host.answer));
for (const signal of Object.keys(EXIT_CODES) as Signal[]) {
  process.once(signal, () => void stop(signal));
}
await listen(server);

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, () => resolve());
  });
}

/** Answers and settles what has been begun, then ends as the signal asks. */
async function stop(signal: Signal): Promise<void> {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  const settled = Promise.all([host.idle(), untilSettled()]);
  await Promise.race([settled, sleep(SETTLE_MS)]);
  await app.close();
  process.exit(EXIT_CODES[signal]);
}
