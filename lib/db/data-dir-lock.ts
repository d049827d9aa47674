import "server-only";

import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Two processes on one embedded database would corrupt it. SQLite's file lock belongs to the operating system, so it is
 * released however the process dies.
 */
export function lockDataDir(dataDir: string): DatabaseSync {
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
