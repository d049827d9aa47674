import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface LockedPackage {
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
}

/** They ask for attribution at most. */
const PERMISSIVE = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "Unlicense",
  "CC0-1.0",
  "Python-2.0",
  "PSF-2.0",
  "Zlib",
]);

/** Packages with other licenses, by a start of their name, and why they may be shipped. */
const REVIEWED: Record<string, string> = {
  "@img/sharp-": "LGPL: libvips is a shared library of its own, loaded by sharp, replaceable",
  lightningcss: "MPL: unmodified, used when building styles",
  elkjs: "EPL: unmodified, part of Prisma's studio, not called",
  "caniuse-lite": "CC-BY: data about browsers, used when building",
  "@fontsource-variable/newsreader": "SIL Open Font License: a font, shipped with its license",
  geist: "SIL Open Font License: a font, shipped with its license",
  "seq-queue": "MIT by its LICENSE file; its package.json doesn't say so",
};

const locks = ["package-lock.json", "scripts/models/runtime/package-lock.json"];
const packages: Record<string, LockedPackage> = Object.assign(
  {},
  ...locks.map((file) => JSON.parse(readFileSync(file, "utf8")).packages),
);

function isReviewed(folder: string): boolean {
  const name = folder.split("node_modules/").at(-1) ?? "";
  return Object.keys(REVIEWED).some((start) => name.startsWith(start));
}

it("every shipped package has a permissive license, or was reviewed", () => {
  const shipped = Object.entries(packages).filter(
    ([folder, { dev, devOptional }]) => folder !== "" && !dev && !devOptional,
  );
  expect(shipped.length).toBeGreaterThan(100);
  const others = shipped.filter(([folder, { license = "" }]) => {
    const names = license.replaceAll(/[()]/g, "").split(/ (?:OR|AND|and) /);
    return !names.every((name) => PERMISSIVE.has(name)) && !isReviewed(folder);
  });
  expect(others.map(([folder, { license }]) => `${folder}: ${license}`)).toEqual([]);
});
