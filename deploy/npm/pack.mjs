import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { root } from "../../scripts/install.mjs";

// `node deploy/npm/pack.mjs [FOLDER]`: writes footnote-VERSION.tgz, the npm package of the built product, into the folder
// (the current one by default) and prints its path. Run `npm run build` first. It bundles all packages except those with
// binaries, which differ by system.

const NATIVE = ["@node-rs/argon2", "sharp"];
/** The packages with their binaries. */
const BINARIES = ["@node-rs/argon2-*", "@img"];

const folder = path.resolve(process.argv[2] ?? ".");
process.chdir(root);
const { name, version, description, license, engines, dependencies } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
const made = mkdtempSync(path.join(os.tmpdir(), "footnote-package-"));
const app = path.join(made, "package/app");
try {
  execFileSync(process.execPath, ["scripts/image.mjs", app]);
  for (const other of globSync([...NATIVE, ...BINARIES], { cwd: path.join(app, "node_modules") })) {
    rmSync(path.join(app, "node_modules", other), { recursive: true });
  }
  // The first start runs it as a check.
  cpSync("scripts/smoke-test.mjs", path.join(app, "scripts/smoke-test.mjs"));
  for (const file of ["README.md", "LICENSE", "deploy/npm/footnote.mjs"]) {
    cpSync(file, path.join(made, "package", path.basename(file)));
  }
  const manifest = {
    ...{ name, version, description, license, engines, type: "module" },
    bin: { footnote: "footnote.mjs" },
    dependencies: Object.fromEntries(NATIVE.map((other) => [other, dependencies[other]])),
  };
  writeFileSync(path.join(made, "package/package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const file = path.join(folder, `${name}-${version}.tgz`);
  execFileSync("tar", ["--create", "--gzip", "--file", file, "--directory", made, "package"]);
  process.stdout.write(`${file}\n`);
} finally {
  rmSync(made, { recursive: true });
}
