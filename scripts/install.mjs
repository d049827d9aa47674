import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of package.json, wherever a script was called from. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The version that package.json names for some systems; the image and other systems have one of their own. */
const PINNED_NODE = path.join(root, "node_modules/.bin/node");

/**
 * Installs what the package-lock.json of a folder names, unless it is there already; without the tools of tests for
 * `isProduction`. Needs nothing but Node and npm. Returns whether it had to install; throws with what to do when npm fails.
 */
export function ensureInstalled({ folder = root, isProduction = false } = {}) {
  const lock = readFileSync(path.join(folder, "package-lock.json"), "utf8");
  const stamp = path.join(folder, "node_modules/.footnote-install");
  const all = createHash("sha256").update(lock).digest("hex");
  const wanted = isProduction ? `${all} production` : all;
  if ([all, wanted].includes(readIfThere(stamp)?.trim())) {
    return false;
  }
  const isThere = isInstalled(folder, JSON.parse(lock), isProduction);
  if (!isThere) {
    install(folder, isProduction);
  }
  writeFileSync(stamp, `${wanted}\n`);
  return !isThere;
}

/** Throws with what to do where the product would run on a Node that is too old for it. */
export function checkNode() {
  const { engines } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const least = engines.node.replace(">=", "");
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [leastMajor, leastMinor] = least.split(".").map(Number);
  const isRecent = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  if (!isRecent && !existsSync(PINNED_NODE)) {
    throw new Error(
      `Footnote needs Node ${least} or later, and brings none for this system. This is Node ${process.versions.node}: install a later one, then run the same command again.`,
    );
  }
}

/** The Node that the product runs on. */
export function node() {
  return existsSync(PINNED_NODE) ? PINNED_NODE : process.execPath;
}

/** `env` with the project's own commands first in PATH: `node` is then the version that package.json names. */
export function withLocalBin(env) {
  return {
    ...env,
    PATH: [path.join(root, "node_modules/.bin"), env.PATH ?? env.Path]
      .filter(Boolean)
      .join(path.delimiter),
  };
}

/** npm notes in node_modules/.package-lock.json, as its last act, what it has put there. */
function isInstalled(folder, lock, isProduction) {
  const noted = readIfThere(path.join(folder, "node_modules/.package-lock.json"));
  const there = noted ? JSON.parse(noted).packages : {};
  const wanted = Object.entries(lock.packages).filter(
    ([name, { dev }]) => name !== "" && !(isProduction && dev),
  );
  return (
    wanted.every(([name, { version, optional, devOptional }]) =>
      there[name] ? there[name].version === version : optional || devOptional,
    ) && Object.keys(there).every((name) => lock.packages[name])
  );
}

/** `npm ci` removes all packages first, so one more kind of them is added with `npm install`. */
function install(folder, isProduction) {
  const command = existsSync(path.join(folder, "node_modules")) ? ["install", "--no-save"] : ["ci"];
  const { status, signal, stderr, error } = spawnSync(
    "npm",
    [
      ...command,
      isProduction ? "--omit=dev" : "--include=dev",
      ...["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
    ],
    {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "inherit", "pipe"],
      maxBuffer: 64 * 1024 * 1024,
      // Any existing file keeps Prisma's install script from downloading an engine that nothing here uses.
      env: { PRISMA_SCHEMA_ENGINE_BINARY: path.join(root, "package.json"), ...process.env },
    },
  );
  if (status !== 0) {
    const complaint =
      error?.message ?? (stderr.slice(0, 3000).trim() || `npm ended with ${signal ?? status}`);
    throw new Error(
      `npm could not install the packages:\n${complaint}\nCheck that npm reaches its registry (npm ping), then run the same command again.`,
    );
  }
}

export function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

// `node scripts/install.mjs [FOLDER]`
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled({ folder: path.resolve(root, process.argv[2] ?? ".") });
}
