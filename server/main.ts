import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import next from "next";
import { HTTP_OPTIONS } from "./http-options";

// The production server: serves /v1, /mcp and /api/live from their route files directly and everything else through Next.

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;
/** A terminal signals every process and npm forwards it: repeats within this time are one signal. */
const SAME_SIGNAL_MS = 1000;
/** Time to return an unfinished job to the queue. */
const RELEASE_MS = 5000;
const CLOSE_MS = 2000;

/** Connections that wait to be accepted. Beyond it, a client's next try comes a second later. */
const BACKLOG = 4096;

const { values } = parseArgs({
  options: { port: { type: "string", short: "p", default: process.env.PORT ?? "3000" } },
});
const port = Number(values.port);
process.title = "footnote-server";
// Compacting the heap whenever it is quiet for 8 seconds stops all requests for up to 100 ms.
setFlagsFromString("--no-memory-reducer");

if (!existsSync("next.config.js")) {
  setBuiltConfig();
}
const server = createServer(HTTP_OPTIONS);
const app = next({ dev: false, dir: process.cwd(), port, httpServer: server });
// Loads .env files and runs instrumentation.ts first: the product's modules read the environment on import.
await app.prepare();
const [
  { withAssets },
  { withHomeHost },
  { guardConnections },
  { cutStalledReaders },
  { createHost },
  { ROUTES },
  { createAdmission },
  { drain },
  { loadPasswordScore },
  { withPageCache },
  { publicPages, withPublicPages },
  { warmUp },
] = await Promise.all([
  import("./assets"),
  import("./home-host"),
  import("@/server/connection-guard"),
  import("./stalled-readers"),
  import("./host"),
  import("./v1"),
  import("./admission"),
  import("./drain"),
  import("@/lib/platform/auth/password-score"),
  import("./page-cache"),
  import("./public-pages"),
  import("./warm-up"),
]);
const [{ whenSettled }, background, { env, VERSION }, { stopTelemetry }, { log }] =
  await Promise.all([
    import("@/lib/answers/chat/meter"),
    import("@/server/background"),
    import("@/lib/platform/env"),
    import("@/lib/operations/telemetry/start"),
    import("@/lib/platform/log"),
  ]);
const handlePage = app.getRequestHandler();
const pages = withPublicPages(
  { isPublic: publicPages(path.resolve(".next"), path.resolve("public")), appUrl: env.APP_URL },
  withPageCache((request, response) => void handlePage(request, response)),
);
const host = createHost(ROUTES, pages);
const admission = createAdmission(host.answer, {
  // As Node reports a request that doesn't arrive in time.
  rejectSlow: ({ socket }) => {
    const late = Object.assign(new Error("slow body"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
    server.emit("clientError", late, socket);
  },
});
const answer = withHomeHost(env.APP_URL, admission.answer);
guardConnections(server, withAssets(path.resolve(".next/static"), answer));
cutStalledReaders(server);
let stoppingSince = 0;
for (const signal of Object.keys(EXIT_CODES) as Signal[]) {
  process.on(signal, () => onSignal(signal));
}
// Reading its dictionaries would hold up every request for as long as it takes.
loadPasswordScore();
log.info({ version: VERSION }, "server starts");
await warmUp();
await listen(server);

/** The image has only what was built. The server of Next's standalone output does the same. */
function setBuiltConfig(): void {
  const { config } = JSON.parse(readFileSync(".next/required-server-files.json", "utf8"));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: env.HOST, backlog: BACKLOG }, () => resolve());
  });
}

function onSignal(signal: Signal): void {
  if (stoppingSince === 0) {
    stoppingSince = Date.now();
    void stop().finally(() => process.exit(EXIT_CODES[signal]));
  } else if (Date.now() - stoppingSince > SAME_SIGNAL_MS) {
    process.exit(EXIT_CODES[signal]);
  }
}

/** Drains requests and background work, then closes what both depend on. */
async function stop(): Promise<void> {
  const delayMs = env.SHUTDOWN_DELAY_SECONDS * 1000;
  const graceMs = env.SHUTDOWN_GRACE_SECONDS * 1000;
  const settled = () => Promise.all([host.idle(), whenSettled()]);
  const jobs = sleep(delayMs).then(() =>
    background.stopBackgroundWork(Math.max(0, graceMs - delayMs - RELEASE_MS)),
  );
  await Promise.all([
    drain(server, { delayMs, graceMs, settled }),
    // Without a database it never ends.
    Promise.race([jobs, sleep(graceMs)]).catch(() => {}),
  ]);
  const closed = app.close().then(background.closeAll).then(stopTelemetry);
  await Promise.race([closed, sleep(CLOSE_MS)]);
}
