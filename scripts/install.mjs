import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of package.json, wherever a script was called from. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const STAMP = path.join(root, "node_modules/.footnote-install");

/**
 * Installs what package-lock.json names unless it is installed already. Needs nothing but Node and
 * npm. Returns whether it had to install; throws with what to do when npm fails.
 */
export function ensureInstalled(log) {
  const text = readFileSync(path.join(root, "package-lock.json"), "utf8");
  const hash = createHash("sha256").update(text).digest("hex");
  if (readIfThere(STAMP)?.trim() === hash) {
    return false;
  }
  const lock = JSON.parse(text);
  const installed = isInstalledByHand(lock);
  if (!installed) {
    log("Installing packages with npm ci.");
    installLocked(lock, log);
  }
  writeFileSync(STAMP, `${hash}\n`);
  return !installed;
}

/** `env` with the project's own commands first in PATH: `node` is then the version that package.json pins. */
export function withLocalBin(env) {
  return {
    ...env,
    PATH: [path.join(root, "node_modules/.bin"), env.PATH].filter(Boolean).join(path.delimiter),
  };
}

/** npm notes in node_modules/.package-lock.json, as its last act, what it has put there. */
function isInstalledByHand(lock) {
  const noted = readIfThere(path.join(root, "node_modules/.package-lock.json"));
  if (!noted) {
    return false;
  }
  const there = JSON.parse(noted).packages ?? {};
  const wanted = Object.entries(lock.packages).filter(([folder]) => folder !== "");
  return (
    wanted.every(([folder, entry]) =>
      there[folder] ? there[folder].version === entry.version : entry.optional,
    ) && Object.keys(there).every((folder) => lock.packages[folder])
  );
}

/**
 * npm 11 refuses, with EUSAGE, a lock without the packages of other operating systems, and a registry
 * that leaves those out makes such a lock. `npm install --no-save` installs what the lock names all the same.
 */
function installLocked(lock, log) {
  let refused = npm(["ci"]);
  if (refused?.includes("EUSAGE") && isForManifest(lock)) {
    log("npm ci wants packages for other systems in the lock: installing without them.");
    refused = npm(["install", "--no-save"]);
  }
  if (refused || !existsSync(path.join(root, "node_modules/.bin/node"))) {
    throw new Error(
      `npm could not install the packages:\n${refused || "node_modules/.bin/node is missing."}\nCheck that npm reaches its registry (npm ping), then run the same command again.`,
    );
  }
}

/** Returns null, or what npm complained of. */
function npm(command) {
  const { status, signal, stderr, error } = spawnSync(
    "npm",
    [...command, "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "inherit", "pipe"],
      maxBuffer: 64 * 1024 * 1024,
      // Any existing file keeps Prisma's install script from downloading an engine that nothing here uses.
      env: { PRISMA_SCHEMA_ENGINE_BINARY: path.join(root, "package.json"), ...process.env },
    },
  );
  const complaint =
    error?.message ?? (stderr.slice(0, 3000).trim() || `npm ended with ${signal ?? status}`);
  return status === 0 ? null : complaint;
}

function isForManifest(lock) {
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const named = ({ dependencies = {}, devDependencies = {} }) =>
    JSON.stringify([dependencies, devDependencies].map((group) => Object.entries(group).sort()));
  return named(manifest) === named(lock.packages[""]);
}

export function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled(console.log);
}
