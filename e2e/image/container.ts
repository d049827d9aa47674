import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

// Runs the image without a container engine: its files, read-only but for what it names as writable, as its user.

export const root = path.resolve(import.meta.dirname, "../..");
const STOP_MS = 40_000;
/** Its user's id, which the Kubernetes manifests name as well. */
const USER = 1000;
const STORAGE = { STORAGE_DRIVER: "vfs", BUILDAH_ISOLATION: "chroot" };

/** Of the image, in Docker's format. */
interface Config {
  Env: string[];
  User: string;
  WorkingDir: string;
  Entrypoint: string[];
  Cmd: string[];
  Volumes: Record<string, object>;
  Healthcheck: { Test: string[] };
}

/** The first lines mount what a container engine would; the last runs a command as the image's user. */
const SCRIPT = `set -eu
mount --bind "$ROOT" "$ROOT"
mount -o remount,bind,ro "$ROOT"
mount --rbind /dev "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
mount --bind "$DATA" "$ROOT/app/.data"
for folder in tmp app/.next/cache; do mount -t tmpfs -o mode=1777 tmpfs "$ROOT/$folder"; done
exec chroot --userspec=${USER}:${USER} --groups= "$ROOT" env --ignore-environment --chdir="$FOLDER" "$@"`;

export interface Run {
  child: ChildProcess;
  output(): string;
  /** Resolves with its exit code. */
  ended: Promise<number | null>;
  stop(): Promise<number | null>;
}

export class Image {
  readonly files: string;
  readonly config: Config;
  readonly #container: string;

  constructor(readonly name: string) {
    this.#container = buildah("from", name);
    this.files = buildah("mount", this.#container);
    const { Docker } = JSON.parse(buildah("inspect", "--type", "image", name));
    this.config = Docker.config;
    // A container engine writes it.
    writeFileSync(path.join(this.files, "etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n");
  }

  release(): void {
    buildah("rm", this.#container);
  }

  remove(): void {
    buildah("rmi", this.name);
  }

  /** A folder that the image's user can write. */
  dataFolder(): string {
    const folder = mkdtempSync(path.join(os.tmpdir(), "footnote-image-"));
    chownSync(folder, USER, USER);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  /** `docker run IMAGE ...args`. */
  run(args: string[], { data, env = {} }: { data: string; env?: Record<string, string> }): Run {
    return this.exec([...this.config.Entrypoint, ...args], { data, env });
  }

  /** `docker exec`. */
  exec(command: string[], { data, env }: { data: string; env: Record<string, string> }): Run {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const child = spawn(
      "unshare",
      ["--mount", "sh", "-c", SCRIPT, "sh", ...this.config.Env, ...variables, ...command],
      {
        env: { ...process.env, ROOT: this.files, DATA: data, FOLDER: this.config.WorkingDir },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (piece: Buffer) => {
        output += piece.toString();
      });
    }
    const ended = once(child, "close").then((): number | null => child.exitCode);
    const stop = async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
        await ended;
        clearTimeout(timer);
      }
      return ended;
    };
    onTestFinished(async () => void (await stop()), STOP_MS + 5000);
    return { child, output: () => output, ended, stop };
  }
}

function buildah(...args: string[]): string {
  return execFileSync("buildah", args, {
    env: { ...process.env, ...STORAGE },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  }).trim();
}
