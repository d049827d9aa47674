import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const SCRIPT = path.join(import.meta.dirname, "release.mjs");
const CHANGELOG =
  "# Changelog\n\n## 0.2.0 (2026-12-01)\n\n### For callers\n\n- New.\n\n### For operators\n\n- Back up.\n";
const AUTHOR = { NAME: "A", EMAIL: "a@footnote.example" };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "footnote-release-"));
  git("init", "--quiet", "--initial-branch=main");
  write("package.json", JSON.stringify({ name: "footnote", version: "0.1.0" }));
  write("prisma/migrations/1/migration.sql", "CREATE TABLE a ();");
  write("CHANGELOG.md", CHANGELOG);
  write(".ci/run", "#!/bin/sh\ntest ! -e broken\n");
  chmodSync(path.join(folder, ".ci/run"), 0o755);
  commit();
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: string[]): string {
  const env = Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) =>
      Object.entries(AUTHOR).map(([name, value]) => [`GIT_${who}_${name}`, value]),
    ),
  );
  return execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
}

function write(file: string, text: string) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

function commit() {
  git("add", "--all");
  git("commit", "--quiet", "--message", "change");
}

function release(version: string) {
  for (const [name, value] of Object.entries(AUTHOR)) {
    git("config", `user.${name.toLowerCase()}`, value);
  }
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, version], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stderr };
}

describe("npm run release", () => {
  it("sets the version, commits and tags once every test has passed", () => {
    expect(release("0.2.0")).toEqual({ status: 0, stderr: "" });
    expect(git("tag", "--list").trim()).toBe("v0.2.0");
    const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    expect(version).toBe("0.2.0");
    expect(git("show", "--no-patch", "--format=%s", "v0.2.0^{commit}").trim()).toBe(
      "build(release): 0.2.0",
    );
    expect(git("status", "--porcelain")).toBe("");
  });

  it.each<[string, string, () => void, RegExp]>([
    ["no version", "", () => {}, /Name a version/],
    ["a version of another form", "1.0", () => {}, /Name a version/],
    ["a version with a leading zero", "0.02.0", () => {}, /Name a version/],
    ["an earlier version", "0.2.0", () => git("tag", "v0.10.0"), /isn't after v0\.10\.0/],
    ["the same version", "0.2.0", () => git("tag", "v0.2.0"), /isn't after v0\.2\.0/],
    ["another branch", "0.2.0", () => git("switch", "--quiet", "--create", "b"), /from main/],
    ["uncommitted changes", "0.2.0", () => write("new", ""), /uncommitted/],
    ["a changelog that begins with another version", "0.3.0", () => {}, /begin with "## 0\.3\.0/],
    [
      "a changelog without a word for operators",
      "0.2.0",
      () => {
        write("CHANGELOG.md", CHANGELOG.replace("### For operators", "### For nobody"));
        commit();
      },
      /what operators have to do/,
    ],
    [
      "a changed migration of the last version",
      "0.2.0",
      () => {
        git("tag", "v0.1.0");
        write("prisma/migrations/1/migration.sql", "CREATE TABLE b ();");
        commit();
      },
      /changed or removed since.*\n.*1\/migration\.sql/,
    ],
    [
      "a test that fails",
      "0.2.0",
      () => {
        write("broken", "");
        commit();
      },
      /\.ci\/run failed/,
    ],
  ])("refuses %s, and changes nothing", (_, version, prepare, message) => {
    prepare();
    const before = git("log", "--format=%H", "--all") + git("tag", "--list");
    expect(release(version)).toEqual({ status: 1, stderr: expect.stringMatching(message) });
    expect(git("log", "--format=%H", "--all") + git("tag", "--list")).toBe(before);
  });

  it("accepts further migrations", () => {
    git("tag", "v0.1.0");
    write("prisma/migrations/2/migration.sql", "CREATE TABLE b ();");
    commit();
    expect(release("0.2.0").status).toBe(0);
  });
});
