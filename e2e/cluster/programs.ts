import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { until } from "../faults/product";

// Debian's programs, which run in the folder that `scripts/postgres.sh root` makes.

const READY_MS = 60_000;
const ROOT_ENV = {
  NODE_ENV: process.env.NODE_ENV,
  HOME: "/tmp",
  PATH: "/usr/lib/postgresql/17/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C.UTF-8",
};

/** A program that runs in the foreground and listens on a loopback port. */
export interface Program {
  port: number;
  signal(name: NodeJS.Signals): void;
  /** Ends it with SIGKILL, as a machine that fails does. */
  kill(): Promise<void>;
}

export class Debian {
  readonly #user: string;
  readonly #children: ChildProcess[] = [];

  constructor(
    readonly root: string,
    /** Under `root`, for the data, configuration and logs of this run. */
    readonly folder: string,
  ) {
    const users = readFileSync(path.join(root, "etc/passwd"), "utf8");
    this.#user = /^postgres:[^:]*:(\d+:\d+):/m.exec(users)?.[1] ?? "";
    this.run("mkdir", ["-p", folder]);
  }

  /** The path of a file of this run, outside `root`. */
  outside(...parts: string[]): string {
    return path.join(this.root, this.folder, ...parts);
  }

  run(program: string, args: string[], env: Record<string, string> = {}): string {
    return execFileSync("chroot", this.#inside(program, args), {
      env: { ...ROOT_ENV, ...env },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Resolves when the program accepts connections. */
  async start(
    name: string,
    port: number,
    [program = "", ...args]: readonly string[],
    env: Record<string, string> = {},
  ): Promise<Program> {
    const log = openSync(this.outside(`${name}.log`), "a");
    const child = spawn("chroot", this.#inside(program, args), {
      env: { ...ROOT_ENV, ...env },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    this.#children.push(child);
    await until(`${name} on port ${port}`, READY_MS, () => accepts(port, child));
    return {
      port,
      signal: (signal) => void child.kill(signal),
      kill: () => killed(child),
    };
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#children.map(killed));
  }

  #inside(program: string, args: string[]): string[] {
    return [`--userspec=${this.#user}`, "--groups=", this.root, program, ...args];
  }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
}

function accepts(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error(`the program for port ${port} ended: see its log`);
  }
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", settle(true)).once("error", settle(false));
  });
}
