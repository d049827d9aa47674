import "server-only";

import { finished } from "node:stream/promises";
import type { Transaction as PGliteTransaction } from "@electric-sql/pglite";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";

/** Inserts rows in PostgreSQL's binary COPY format into `target`, such as `chunk (id, text)`. */
export type Copy = (target: string, rows: Buffer<ArrayBuffer>) => Promise<void>;

export function serverCopy(client: pg.PoolClient): Copy {
  return async (target, rows) => {
    const stream = client.query(copyFrom(`COPY ${target} FROM STDIN (FORMAT binary)`));
    stream.end(rows);
    await finished(stream);
  };
}

export function embeddedCopy(tx: PGliteTransaction): Copy {
  return async (target, rows) => {
    const blob = new Blob([rows]);
    await tx.query(`COPY ${target} FROM '/dev/blob' (FORMAT binary)`, [], { blob });
  };
}
