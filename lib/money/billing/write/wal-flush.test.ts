import { describe, expect, it } from "vitest";
import { ASYNC_COMMIT } from "@/lib/platform/db/batcher";
import { query } from "@/lib/platform/db/client";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { waitForWalFlush } from "./settle";

describe("an asynchronous commit", () => {
  it("is on disk after a flush, which concurrent callers share", async () => {
    const { id } = await makeKeyedAccount();
    const commit = async () => {
      await query(
        "test_unwaited",
        `WITH touched AS (UPDATE account SET updated_at = now() WHERE id = $1)
         SELECT mode FROM ${ASYNC_COMMIT}`,
        [id],
      );
      const [row] = await query<{ written: string }>(
        "test_written",
        "SELECT pg_current_wal_insert_lsn()::text AS written",
      );
      await waitForWalFlush();
      const [after] = await query<{ is_flushed: boolean }>(
        "test_flushed",
        "SELECT pg_current_wal_flush_lsn() >= $1::pg_lsn AS is_flushed",
        [row?.written],
      );
      return after?.is_flushed;
    };
    const all = await Promise.all(Array.from({ length: 20 }, commit));
    expect(all).toEqual(Array.from({ length: 20 }, () => true));
  });

  it("leaves the connection's setting unchanged", async () => {
    await query("test_local", `SELECT mode FROM ${ASYNC_COMMIT}`);
    const rows = await Promise.all(
      Array.from({ length: 20 }, () =>
        query<{ mode: string }>(
          "test_setting",
          "SELECT current_setting('synchronous_commit') AS mode",
        ),
      ),
    );
    expect(new Set(rows.map(([row]) => row?.mode))).toEqual(new Set(["on"]));
  });
});
