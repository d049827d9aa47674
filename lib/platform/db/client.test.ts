import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { db, execute, query, transaction } from "./client";

describe("the embedded database", () => {
  it("can be open in only one process at a time, and is released when that process is killed", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-lock-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const first = openInProcess(folder);
    expect(await firstLine(first)).toBe("open");
    const second = await firstLine(openInProcess(folder));
    expect(second).toMatch(
      /^Another Footnote process has the embedded database .* open\. Stop it first/,
    );
    first.kill("SIGKILL");
    await once(first, "exit");
    const third = openInProcess(folder);
    expect(await firstLine(third)).toBe("open");
    third.kill("SIGKILL");
  }, 60_000);

  it("leaves the event loop to others during a long statement", async () => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    onTestFinished(() => clearInterval(counting));
    await execute("SELECT count(*) FROM generate_series(1, 1000000)");
    expect(turns).toBeGreaterThan(10);
  });
});

describe("bytes", () => {
  it("are stored and read unchanged, empty and missing ones included", async () => {
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const [row] = await query<Record<string, Uint8Array | null | string>>(
      "test_bytes",
      "SELECT $1::bytea AS every, $2::bytea AS part, $3::bytea AS empty, $4::bytea AS missing, encode($1, 'hex') AS hex",
      [every, every.subarray(10, 20), new Uint8Array(), null],
    );
    const bytes = [row?.every, row?.part, row?.empty].map((value) => [...(value ?? [])]);
    expect(bytes).toEqual([[...every], [...every.subarray(10, 20)], []]);
    expect([row?.missing, row?.hex]).toEqual([null, Buffer.from(every).toString("hex")]);
  });
});

describe("transactions", () => {
  it("roll back when they fail, and leave the connection usable", async () => {
    const id = "acct_rolled_back";
    const failing = transaction(async (tx) => {
      await tx.query("test_insert_account", "INSERT INTO account (id, name) VALUES ($1, 'x')", [
        id,
      ]);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await db().account.findUnique({ where: { id } })).toBeNull();
    expect(await query("test_one", "SELECT 1::bigint AS one")).toEqual([{ one: 1n }]);
  });

  it("of a script that fails inside it ends with the script", async () => {
    const failing = Array.from({ length: 20 }, () =>
      execute("BEGIN; SELECT 1 / 0; COMMIT").catch((cause: Error) => cause.message),
    );
    expect(new Set(await Promise.all(failing))).toEqual(new Set(["division by zero"]));
    const after = Array.from({ length: 20 }, () => query("test_after", "SELECT 1::bigint AS one"));
    expect((await Promise.all(after)).flat()).toEqual(after.map(() => ({ one: 1n })));
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    "are retried when the server aborts them in a deadlock",
    async () => {
      const ids = ["acct_crossed_a", "acct_crossed_b"];
      await db().account.createMany({ data: ids.map((id) => ({ id, name: "x" })) });
      let tries = 0;
      const lockBoth = (order: string[]) =>
        transaction(async (tx) => {
          tries += 1;
          for (const id of order) {
            await tx.query("test_lock", "SELECT id FROM account WHERE id = $1 FOR UPDATE", [id]);
            await tx.exec("SELECT pg_sleep(0.2)");
          }
        });
      await Promise.all([lockBoth(ids), lockBoth(ids.toReversed())]);
      expect(tries).toBeGreaterThan(2);
      await db().account.deleteMany({ where: { id: { in: ids } } });
    },
  );
});

function openInProcess(folder: string): ChildProcess {
  const code = `(async () => {
    const { query } = await import("./lib/platform/db/client.ts");
    await query("probe", "SELECT 1");
    console.log("open");
    setInterval(() => {}, 1000);
  })().catch((error) => console.log(error.message))`;
  return spawn(process.execPath, ["--conditions=react-server", "--import", "tsx", "-e", code], {
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [data] = await once(child.stdout ?? process.stdin, "data");
  return String(data).split("\n")[0] ?? "";
}
