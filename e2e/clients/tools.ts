import { execFile } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
const INSTALL_MS = 300_000;

/**
 * Installs the programs of `tools/` from their own lock, unless that is done. Returns the folder of their commands, or
 * why it isn't there.
 */
export async function installTools(): Promise<{ bin: string } | { missing: string }> {
  const folder = path.join(root, "node_modules/.cache/client-tools");
  await mkdir(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) {
    await cp(path.join(import.meta.dirname, "tools", name), path.join(folder, name));
  }
  try {
    const options = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
    await run("npm", ["install", "--no-save", ...options], { cwd: folder, timeout: INSTALL_MS });
  } catch (error) {
    return { missing: `no registry gave the tools: ${String(error).slice(0, 200)}` };
  }
  return { bin: path.join(folder, "node_modules/.bin") };
}
