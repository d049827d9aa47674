import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "vite";
import { afterEach, onTestFinished } from "vitest";

// Separate processes for tests that need several or kill one.

const root = path.resolve(import.meta.dirname, "../..");
const children = new Set<ChildProcess>();

afterEach(async () => {
  await Promise.all([...children].map(kill));
});

/** Starts a built program; it inherits stderr. */
export type Run<Name extends string> = (program: Name, ...args: string[]) => ChildProcess;

/** Bundles programs to a folder, and starts them with some environment. `programs` maps names to paths from the root. */
export async function buildPrograms<Name extends string>(
  programs: Record<Name, string>,
  env: Record<string, string>,
): Promise<Run<Name>> {
  const outDir = await bundlePrograms(programs);
  onTestFinished(() => rm(outDir, { recursive: true, force: true }));
  return (program, ...args) => start([path.join(outDir, `${program}.mjs`), ...args], env);
}

/** Each program as one file of a new folder, because compiling at startup takes three times as long. */
export async function bundlePrograms(programs: Record<string, string>): Promise<string> {
  const cache = path.join(root, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(path.join(cache, "footnote-programs-"));
  await build({
    configFile: false,
    logLevel: "warn",
    root,
    publicDir: false,
    resolve: {
      alias: { "@": root, "server-only": path.join(root, "node_modules/server-only/empty.js") },
    },
    build: {
      ssr: true,
      outDir,
      target: "node24",
      rollupOptions: {
        input: programs,
        output: { entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" },
      },
    },
  });
  return outDir;
}

function start(args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** Kills a process with SIGKILL if it is still running. */
export async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child && child.exitCode === null && child.signalCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}
