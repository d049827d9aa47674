import "server-only";

import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Two processes on one embedded folder destroy its data, so the folder is locked first. SQLite's file
 * lock is the operating system's: it ends with the process, however that dies.
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
