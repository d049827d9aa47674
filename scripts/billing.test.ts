import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundlePrograms } from "@/lib/testing/programs";

const folder = mkdtempSync(path.join(os.tmpdir(), "footnote-billing-"));
const dataDir = path.join(folder, "data");
/** Enough for a process to start on a busy machine. */
const SLOW_MS = 120_000;

let programs = "";

beforeAll(async () => {
  programs = await bundlePrograms({ billing: "scripts/billing.ts" });
}, SLOW_MS);
afterAll(() => {
  for (const made of [folder, programs]) {
    rmSync(made, { recursive: true, force: true });
  }
});

async function billing(...args: string[]) {
  const child = spawn(process.execPath, [path.join(programs, "billing.mjs"), ...args], {
    // Uses its own embedded database, regardless of which one the tests use.
    env: { ...process.env, DATABASE_URL: "", DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, out, err };
}

/** Runs SQL on the database while no other process has it open. */
async function alter(sql: string): Promise<void> {
  const database = new PGlite({ dataDir: path.join(dataDir, "pg"), extensions: { vector } });
  await database.exec(sql);
  await database.close();
}

describe("npm run billing", () => {
  it.each([
    [["adit"], "There is no command adit"],
    [["constructor"], "There is no command constructor"],
    [["audit", "--jsn"], "Unknown option '--jsn'"],
    [["audit", "acct_1"], "Usage: npm run billing -- audit"],
    [["audit", "--account="], "Usage: npm run billing -- audit"],
  ])(
    "rejects %j with one sentence and exit code 2",
    async (args, sentence) => {
      const { code, out, err } = await billing(...args);
      expect([code, out]).toEqual([2, ""]);
      expect(err.startsWith(sentence)).toBe(true);
      expect(err.trim().split("\n")).toHaveLength(1);
    },
    SLOW_MS,
  );

  it(
    "lists its commands when called without arguments",
    async () => {
      const { code, out } = await billing();
      expect([code, out]).toEqual([0, expect.stringContaining("audit")]);
    },
    SLOW_MS,
  );

  it(
    "audit prints one sentence if everything agrees, otherwise each difference with exit code 1",
    async () => {
      expect(await billing("audit")).toEqual({
        code: 0,
        out: "Everything agrees: 0 accounts and 0 ledger entries.\n",
        err: "",
      });
      await alter(`
        INSERT INTO account (id, name, balance_micros) VALUES ('acct_right', 'Right', 7), ('acct_wrong', 'Wrong', 5);
        INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference)
          VALUES ('txn_1', 'acct_right', 'grant', 7, 'one'), ('txn_2', 'acct_wrong', 'grant', 3, 'two')`);
      expect(await billing("audit")).toEqual({
        code: 1,
        out: [
          "acct_wrong: the balance isn't the sum of the entries: expected 0.000003, found 0.000005\n",
          "1 difference in 2 accounts and 2 ledger entries.\n",
        ].join(""),
        err: "",
      });
      const { code, out } = await billing("audit", "--json");
      expect([code, JSON.parse(out)]).toEqual([
        1,
        {
          differences: [
            {
              check: "balance",
              account_id: "acct_wrong",
              subject: null,
              expected_usd: "0.000003",
              found_usd: "0.000005",
            },
          ],
          accounts: 2,
          entries: 2,
          shortfalls: 0,
          shortfall_usd: "0.000000",
        },
      ]);
      const right = await billing("audit", "--json", "--account", "acct_right");
      expect([right.code, JSON.parse(right.out)]).toEqual([
        0,
        { differences: [], accounts: 1, entries: 1, shortfalls: 0, shortfall_usd: "0.000000" },
      ]);
      expect(await billing("audit", "--account", "acct_none")).toEqual({
        code: 2,
        out: "",
        err: "Unknown account acct_none.\n",
      });
    },
    2 * SLOW_MS,
  );
});
