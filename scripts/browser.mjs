import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { root, withLocalBin } from "./install.mjs";

const COMMANDS = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
/** A blocked network may swallow the download instead of refusing it. */
const DOWNLOAD_LIMIT_MS = 120_000;
const APT_LIMIT_MS = 600_000;

/**
 * The path of a Chromium that starts: FOOTNOTE_CHROMIUM, one on this machine, Playwright's own, or,
 * as root on Debian, its package. Throws with what to do when there is none.
 */
export async function ensureBrowser(log) {
  const named = process.env.FOOTNOTE_CHROMIUM;
  if (named && !starts(named)) {
    throw new Error(
      `FOOTNOTE_CHROMIUM is ${named}, which does not start. Set it to a Chromium's path, or unset it.`,
    );
  }
  return named || findBrowser() || (await installBrowser(log));
}

function findBrowser() {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(path.isAbsolute);
  const candidates = [...folders, "/usr/bin"].flatMap((folder) =>
    COMMANDS.map((name) => path.join(folder, name)),
  );
  return [...new Set(candidates), MAC_CHROME, playwrightBrowser()].find(starts) ?? null;
}

async function installBrowser(log) {
  log("No Chromium found: downloading Playwright's.");
  const download = ["playwright", "install", "chromium", "--no-shell"];
  const problems = [await run("npx", download, DOWNLOAD_LIMIT_MS)];
  if (!findBrowser() && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    log("The download doesn't start: installing Debian's chromium package.");
    const install = ["install", "-y", "-q", "--no-install-recommends", "chromium"];
    problems.push(
      (await run("apt-get", ["update", "-q"], APT_LIMIT_MS)) ??
        (await run("apt-get", install, APT_LIMIT_MS)),
    );
  }
  const found = findBrowser();
  if (found) {
    return found;
  }
  throw new Error(
    [
      "No Chromium was found and none could be installed.",
      ...problems.filter(Boolean),
      "Install Chromium or Chrome, or set FOOTNOTE_CHROMIUM to the path of one, then run the same command again.",
    ].join("\n"),
  );
}

/** Where Playwright keeps, or would keep, the Chromium of its own version. */
function playwrightBrowser() {
  try {
    return createRequire(import.meta.url)("playwright-core").chromium.executablePath();
  } catch {
    return null;
  }
}

/** A file may be there and still not start: a snap's stand-in, or system libraries missing. */
function starts(file) {
  return (
    file !== null &&
    existsSync(file) &&
    spawnSync(file, ["--version"], { timeout: 20_000, stdio: "ignore" }).status === 0
  );
}

/** Resolves with null, or with what went wrong and the end of what the command said. */
function run(command, args, limitMs) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...withLocalBin(process.env), DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", "pipe", "pipe"],
      // Its own group, so that the limit ends what it started as well.
      detached: true,
    });
    let said = "";
    const note = (chunk) => {
      said = `${said}${chunk}`.slice(-1500);
    };
    child.stdout.on("data", note);
    child.stderr.on("data", note);
    const endGroup = () => process.kill(-child.pid, "SIGKILL");
    const timer = setTimeout(endGroup, limitMs);
    process.once("exit", endGroup);
    const finish = (outcome) => {
      clearTimeout(timer);
      process.off("exit", endGroup);
      const line = [command, ...args].join(" ");
      resolve(
        outcome === 0
          ? null
          : `${line} failed (${outcome ?? `stopped after ${limitMs / 1000} s`}):\n${said.trim()}`,
      );
    };
    child.once("error", (error) => finish(error.message));
    child.once("close", (code) => finish(code));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(await ensureBrowser((line) => console.error(line)));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
