import "server-only";

import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Duplex } from "node:stream";
import { Worker } from "node:worker_threads";
import pg from "pg";
import { programFile } from "@/lib/platform/program-file";
import type { EmbeddedFailure, EmbeddedRequest } from "./embedded-thread";
import { openEmbeddedPool } from "./pool";

export interface EmbeddedDatabase {
  /** Has one connection. */
  pool: pg.Pool;
  /** Like `Transaction.copy`, in the transaction that is open. */
  copy(target: string, rows: Buffer<ArrayBuffer>): Promise<void>;
  /** Close the pool first. */
  close(): Promise<void>;
}

/** Opens this process's PostgreSQL in a thread of its own, because a statement blocks the thread that it runs on. */
export function openEmbeddedDatabase(dataDir: string): EmbeddedDatabase {
  const lock = dataDir.startsWith("memory://") ? null : lockDataDir(dataDir);
  const ask = startThread(dataDir);
  const pool = openEmbeddedPool(() => new ThreadStream(ask));
  return {
    pool,
    copy: async (target, rows) => {
      await ask({ kind: "copy", target, rows });
    },
    close: async () => {
      await ask({ kind: "close" });
      lock?.close();
    },
  };
}

type Ask = (request: EmbeddedRequest) => Promise<Uint8Array>;

/** Requests are answered in order. An open request keeps the process running; an idle thread doesn't. */
function startThread(dataDir: string): Ask {
  const file = programFile("embedded-thread.mjs", "lib/platform/db/embedded-thread.ts");
  // No listener for errors: an error that ends the thread should end the process.
  const worker = new Worker(file, { workerData: dataDir });
  const waiting: PromiseWithResolvers<Uint8Array>[] = [];
  worker.unref();
  worker.on("message", (reply: Uint8Array | EmbeddedFailure) => {
    const request = waiting.shift();
    if (reply instanceof Uint8Array) {
      request?.resolve(reply);
    } else {
      request?.reject(Object.assign(new pg.DatabaseError(reply.message, 0, "error"), reply));
    }
    if (waiting.length === 0) {
      worker.unref();
    }
  });
  return (request) => {
    const reply = Promise.withResolvers<Uint8Array>();
    waiting.push(reply);
    worker.ref();
    worker.postMessage(request);
    return reply.promise;
  };
}

/** The type of the message that ends a session, and PostgreSQL with it. */
const TERMINATE = 0x58;

/** Stands in for the socket that pg writes to and reads from. */
class ThreadStream extends Duplex {
  readonly #ask: Ask;
  #isStarted = false;

  constructor(ask: Ask) {
    super();
    this.#ask = ask;
  }

  connect(): void {
    process.nextTick(() => this.emit("connect"));
  }

  // pg calls these on its socket. A thread has nothing to set.
  setNoDelay(): void {}
  ref(): void {}
  unref(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (chunk[0] === TERMINATE) {
      done();
      return;
    }
    // The first is the start-up message.
    const request: EmbeddedRequest = this.#isStarted
      ? { kind: "send", bytes: chunk }
      : { kind: "connect" };
    this.#isStarted = true;
    this.#ask(request).then((bytes) => {
      this.push(bytes);
      done();
    }, done);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _writev(parts: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this._write(Buffer.concat(parts.map(({ chunk }) => chunk)), "", done);
  }
}

/**
 * Two processes on one embedded database would corrupt it. SQLite's file lock belongs to the operating system, so it is
 * released however the process dies.
 */
function lockDataDir(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true });
  const lock = new DatabaseSync(path.join(path.dirname(dataDir), "lock"));
  try {
    lock.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    return lock;
  } catch (cause) {
    lock.close();
    throw new Error(
      `Another Footnote process has the embedded database in ${dataDir} open. Stop it first, or set DATABASE_URL to share one PostgreSQL server between processes.`,
      { cause },
    );
  }
}
