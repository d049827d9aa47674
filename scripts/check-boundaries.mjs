import { spawnSync } from "node:child_process";

// dependency-cruiser passes when it finds no modules, as with an unsupported TypeScript version, so check the count.

const MIN_MODULES = 100;

const { stdout, stderr, status } = spawnSync(
  "depcruise",
  ["app", "components", "e2e", "lib", "scripts", "server", "--config", ".dependency-cruiser.cjs"],
  { encoding: "utf8" },
);
process.stdout.write(`${stdout}${stderr}`);
const cruised = Number(/(\d+) modules/.exec(stdout)?.[1] ?? 0);
if (status !== 0) {
  process.exit(status ?? 1);
}
if (cruised < MIN_MODULES) {
  process.stderr.write(
    `dependency-cruiser found ${cruised} modules, fewer than ${MIN_MODULES}: check that it supports this TypeScript version.\n`,
  );
  process.exit(1);
}
