import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const guide = readFileSync("docs/dependencies.md", "utf8");
const rows = guide.split("\n").filter((line) => line.startsWith("| `"));
const documented = rows.flatMap((row) =>
  [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
);

/** Imported by the generated client; found by a language's code. */
const UNNAMED = /^@prisma\/client$|^@tesseract\.js-data\//;

it("docs/dependencies.md has a sentence about every package, and about no other", () => {
  const others = ["e2e/clients", "scripts/models/runtime"].map((folder) =>
    JSON.parse(readFileSync(`${folder}/package.json`, "utf8")),
  );
  const names = [manifest, ...others].flatMap(
    ({ dependencies, devDependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  );
  const isAbout = (row: string, name: string) => path.matchesGlob(name, row);
  const missing = names.filter((name) => !documented.some((row) => isAbout(row, name)));
  const gone = documented.filter((row) => !names.some((name) => isAbout(row, name)));
  expect({ missing, gone }).toEqual({ missing: [], gone: [] });
});

it("the product, or its build, names every package that it installs", () => {
  const files = globSync([
    "{app,components,lib,server,scripts}/**/*.{ts,tsx,mjs,css}",
    ...["*.{ts,js,mjs}", "prisma/schema.prisma", "package.json"],
  ]).filter((file) => !/\.test\.tsx?$|^lib\/(?:testing|generated)\//.test(file));
  const { dependencies: _, devDependencies: __, optionalDependencies: ___, ...rest } = manifest;
  const text = files
    .map((file) => (file === "package.json" ? JSON.stringify(rest) : readFileSync(file, "utf8")))
    .join("\n");
  const unused = Object.keys(manifest.dependencies).filter(
    (name) => !text.includes(name) && !UNNAMED.test(name),
  );
  expect(unused).toEqual([]);
});
