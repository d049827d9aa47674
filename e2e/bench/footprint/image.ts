import { lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../../scripts/install.mjs";
import { isUnused } from "../../../scripts/slim.mjs";

/** What `.dockerignore` leaves, but for what the build makes: those two are counted by themselves. */
const SOURCES = ["app", "components", "docs", "lib", "prisma", "public", "scripts", "server"];

/**
 * The bytes of what the last stage of the Dockerfile copies, from this clone: packages that are not for development,
 * Next's output without its cache, and the sources. Computed, not built; the base image is not part of it.
 */
export function imageSize(): { parts: Record<string, number>; packages: [string, number][] } {
  const packages = productionPackages();
  const sum = packages.reduce((total, [, bytes]) => total + bytes, 0);
  const next = sizeOf(path.join(root, ".next")) - sizeOf(path.join(root, ".next/cache"));
  const sources = SOURCES.reduce((total, name) => total + sizeOf(path.join(root, name)), 0);
  return { parts: { packages: sum, next, sources }, packages };
}

interface Locked {
  packages: Record<string, { dev?: boolean }>;
}

/**
 * What `npm prune --omit=dev` and `scripts/slim.mjs` keep: the lock marks all that only development needs. The largest
 * first.
 */
function productionPackages(): [string, number][] {
  const { packages }: Locked = JSON.parse(
    readFileSync(path.join(root, "package-lock.json"), "utf8"),
  );
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== "" && !dev)
    .map(([folder]): [string, number] => [
      folder.replace(/^node_modules\//, ""),
      // Its own packages are counted as themselves.
      sizeOf(
        path.join(root, folder),
        (file) => path.basename(file) === "node_modules" || isUnused(inModules(file)),
      ),
    ])
    .toSorted(([, a], [, b]) => b - a);
}

function inModules(file: string): string {
  return path.relative(path.join(root, "node_modules"), file);
}

/** In bytes as files have them; nothing for what is not there or left out. */
function sizeOf(file: string, isOut: (file: string) => boolean = () => false): number {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    return stat?.size ?? 0;
  }
  return readdirSync(file)
    .map((name) => path.join(file, name))
    .filter((each) => !isOut(each))
    .reduce((total, each) => total + sizeOf(each, isOut), 0);
}
