import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

// `npm run release -- 0.2.0`: checks that main can be released, runs every test, and commits and tags the version. Pushing the
// tag publishes it: .github/workflows/release.yml. Nothing is changed before all checks have passed.

const NEWER = "--sort=-version:refname";

const { positionals } = parseArgs({ allowPositionals: true });
const version = positionals[0] ?? "";
try {
  const last = output("git", "tag", "--list", "v*", NEWER).split("\n")[0];
  const faults = [...findFaults(last)];
  if (faults.length > 0) {
    throw new Error(faults.join("\n"));
  }
  run(".ci/run");
  run("npm", "version", version, "--no-git-tag-version", "--allow-same-version");
  run("git", "commit", "--allow-empty", "--all", "--message", `build(release): ${version}`);
  run("git", "tag", "--annotate", `v${version}`, "--message", `Footnote ${version}`);
  process.stdout.write(
    `v${version} is ready. Publish it with: git push --atomic origin main v${version}\n`,
  );
} catch ({ message }) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function* findFaults(last) {
  if (!/^0\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/.test(version)) {
    yield `Name a version such as 0.2.0: npm run release -- 0.2.0`;
    return;
  }
  if (last && !isAfter(version, last.slice(1))) {
    yield `${version} isn't after ${last}.`;
  }
  if (output("git", "branch", "--show-current") !== "main") {
    yield "Releases are made from main.";
  }
  if (output("git", "status", "--porcelain") !== "") {
    yield "There are uncommitted changes.";
  }
  const [, section = ""] = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);
  if (!section.startsWith(`${version} (`)) {
    yield `CHANGELOG.md must begin with "## ${version} (date)", which lists what changed since ${last || "the start"}.`;
  }
  if (!/^### For operators$/m.test(section)) {
    yield `CHANGELOG.md doesn't say what operators have to do for ${version}: add "### For operators".`;
  }
  if (last) {
    yield* findChangedMigrations(last);
  }
}

/** A database that has run a migration never runs it again. */
function* findChangedMigrations(last) {
  const changed = output(
    ...["git", "diff", "--name-only", "--no-renames", "--diff-filter=MD", last, "HEAD"],
    ...["--", "prisma/migrations"],
  );
  if (changed !== "") {
    yield `${last} has migrations that were changed or removed since. Restore them, and add another:\n${changed}`;
  }
}

function isAfter(one, other) {
  const [parts, others] = [one, other].map((text) => text.split(".").map(Number));
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at >= 0 && parts[at] > others[at];
}

function output(command, ...args) {
  return execute(command, args, "pipe").stdout.trim();
}

function run(command, ...args) {
  execute(command, args, "inherit");
}

function execute(command, args, stdout) {
  const result = spawnSync(command, args, {
    encoding: "utf8",
    stdio: ["ignore", stdout, "inherit"],
  });
  if (result.status !== 0) {
    throw new Error(result.error?.message ?? `${[command, ...args].join(" ")} failed.`);
  }
  return result;
}
