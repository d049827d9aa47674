import { spawnSync } from "node:child_process";

// dependency-cruiser passes when it understood no file at all, as it does with a compiler it does not
// know. A check that looked at nothing is a failure.

const LEAST_MODULES = 100;

const { stdout, stderr, status } = spawnSync(
  "depcruise",
  ["app", "components", "lib", "server", "--config", ".dependency-cruiser.cjs"],
  { encoding: "utf8" },
);
process.stdout.write(`${stdout}${stderr}`);
const cruised = Number(/(\d+) modules/.exec(stdout)?.[1] ?? 0);
if (status !== 0) {
  process.exit(status ?? 1);
}
if (cruised < LEAST_MODULES) {
  process.stderr.write(
    `dependency-cruiser looked at ${cruised} modules, fewer than ${LEAST_MODULES}: check that it knows this TypeScript.\n`,
  );
  process.exit(1);
}
