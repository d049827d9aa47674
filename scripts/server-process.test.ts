import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

const MODULE = new URL("./server-process.mjs", import.meta.url).href;

/** A process that starts a server and then does `then`. Resolves once the server has printed its id. */
async function start(server: string, then = "") {
  const main = `import { startServerProcess } from ${JSON.stringify(MODULE)};
    const server = startServerProcess(process.execPath, ["-e", ${JSON.stringify(server)}], { stdio: "inherit" });
    ${then}`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", main], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(parent, "exit");
  const [printed] = await once(parent.stdout, "data");
  return { parent, ended, pid: Number(String(printed)) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const SERVES = `console.log(process.pid); setInterval(() => {}, 1000);`;

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("stops the server on %s", async (signal) => {
  const { parent, ended, pid } = await start(SERVES);
  parent.kill(signal);
  expect(await ended).toEqual([0, null]);
  expect(isRunning(pid)).toBe(false);
});

it("waits for a server that shuts down by itself", async () => {
  const { parent, ended, pid } = await start(
    `${SERVES} process.on("SIGTERM", () => setTimeout(() => process.exit(0), 100));`,
  );
  parent.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(isRunning(pid)).toBe(false);
});

it.each([
  ["its status", "process.exit(3)", 3],
  ["1 if it was killed", `process.kill(process.pid, "SIGKILL")`, 1],
])("ends with the server, and with %s", async (_, end, status) => {
  const { ended } = await start(`console.log(process.pid); ${end}`);
  expect(await ended).toEqual([status, null]);
});

it("leaves no server behind when the start fails", async () => {
  const { parent, ended, pid } = await start(SERVES, `process.on("SIGUSR2", server.fail);`);
  parent.kill("SIGUSR2");
  expect(await ended).toEqual([1, null]);
  expect(isRunning(pid)).toBe(false);
});
