import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  inBundle?: boolean;
  optionalDependencies?: Record<string, string>;
  dependencies?: Record<string, string>;
}

/** Where npm would find a package that the one in a folder asks for, as Node does: upwards. */
function find(packages: Record<string, Locked>, folder: string, name: string): string | undefined {
  const above = folder.split("/node_modules/").map((_, index, parts) => {
    const start = parts.slice(0, parts.length - index).join("/node_modules/");
    return start ? `${start}/node_modules/${name}` : `node_modules/${name}`;
  });
  return [...above, `node_modules/${name}`].find((place) => packages[place]);
}

// `npm ci` refuses a lock without the packages that other systems would install. npm leaves them out where its registry
// doesn't have them; `npm install --package-lock-only` adds them where it does.
describe.each([
  "package-lock.json",
  "e2e/clients/package-lock.json",
  "scripts/models/runtime/package-lock.json",
])("%s", (file) => {
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as {
    packages: Record<string, Locked>;
  };

  it("has every package that another one names, for every system", () => {
    const missing = Object.entries(packages).flatMap(([folder, locked]) =>
      Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
        .filter((name) => !find(packages, folder, name))
        .map((name) => `${name}, for ${folder}`),
    );
    expect(missing).toEqual([]);
  });

  it("names no registry, and a checksum of every package", () => {
    const others = Object.entries(packages).filter(
      ([folder, { resolved, integrity, inBundle }]) =>
        folder !== "" && (resolved || !(integrity || inBundle)),
    );
    expect(others).toEqual([]);
  });
});
