import { describe, expect, it } from "vitest";
import { execute, transaction } from "@/lib/platform/db/client";
import { CopyRows, copyFile } from "./copy-rows";

/** Copies rows into a table with these columns and reads them back as text, independent of the binary format. */
function copied(columns: string, write: (rows: CopyRows) => void): Promise<unknown[]> {
  return transaction(async (tx) => {
    await tx.exec(`CREATE TEMP TABLE copy_probe (${columns}) ON COMMIT DROP`);
    const rows = new CopyRows();
    write(rows);
    await tx.copy("copy_probe", copyFile([rows.take()]));
    const { rows: found } = await tx.execute("SELECT row_to_json(p) AS row FROM copy_probe p");
    return found.map(({ row }) => row);
  });
}

describe("rows for COPY", () => {
  it("preserve every value", async () => {
    const long = "Straße 🛶 \\N\t\r\n".repeat(20_000);
    const found = await copied(
      `a text, b text, c int, d int, e text[], f text[], g int[], h int[], i timestamptz, j timestamptz,
       k bytea, l jsonb, m sparsevec, n sparsevec`,
      (rows) => {
        for (const text of [long, ""]) {
          rows.row(14);
          rows.text(text);
          rows.text(null);
          rows.int4(-2_147_483_648);
          rows.int4(null);
          rows.texts(["a", "", 'NULL "quoted", {braced}\\']);
          rows.texts([]);
          rows.int4s([2_147_483_647, -1, 0]);
          rows.int4s([]);
          rows.timestamptz(new Date("1899-12-31T23:59:59.999Z"));
          rows.timestamptz(null);
          rows.bytea(Uint8Array.of(0, 255, 92));
          rows.jsonb({ tags: ["🛶", 1.5, null] });
          rows.sparsevec(1_000_000_000, [1, 7, 1_000_000_000], [0.5, -1.61765, 3]);
          rows.sparsevec(3, [], []);
        }
      },
    );
    const rest = {
      b: null,
      c: -2_147_483_648,
      d: null,
      e: ["a", "", 'NULL "quoted", {braced}\\'],
      f: [],
      g: [2_147_483_647, -1, 0],
      h: [],
      i: expect.any(String),
      j: null,
      k: "\\x00ff5c",
      l: { tags: ["🛶", 1.5, null] },
      m: "{1:0.5,7:-1.61765,1000000000:3}/1000000000",
      n: "{}/3",
    };
    expect(found).toEqual([
      { a: long, ...rest },
      { a: "", ...rest },
    ]);
    const { i } = found[0] as { i: string };
    expect(new Date(i).toISOString()).toBe("1899-12-31T23:59:59.999Z");
  });

  it("can be sent in parts", async () => {
    const found = await transaction(async (tx) => {
      await tx.exec("CREATE TEMP TABLE copy_probe (a int) ON COMMIT DROP");
      const rows = new CopyRows();
      const parts = [1, 2, 3].map((value) => {
        rows.row(1);
        rows.int4(value);
        return rows.take();
      });
      await tx.copy("copy_probe", copyFile(parts));
      return (await tx.execute("SELECT a FROM copy_probe ORDER BY a")).rows;
    });
    expect(found).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  });

  it("store a lone surrogate as the replacement character", async () => {
    const found = await copied("a text", (rows) => {
      rows.row(1);
      rows.text("a\ud83d!");
    });
    expect(found).toEqual([{ a: "a\ufffd!" }]);
  });

  it("are all discarded if the table rejects one, and the connection stays usable", async () => {
    await execute("CREATE TABLE copy_probe (a int PRIMARY KEY, b text)");
    try {
      for (const [second, text] of [
        [1, "twice"],
        [2, "with \0"],
      ] as const) {
        const refused = transaction(async (tx) => {
          const rows = new CopyRows();
          for (const [a, b] of [[1, "x".repeat(3_000_000)] as const, [second, text] as const]) {
            rows.row(2);
            rows.int4(a);
            rows.text(b);
          }
          await tx.copy("copy_probe", copyFile([rows.take()]));
        });
        await expect(refused).rejects.toMatchObject({ code: second === 1 ? "23505" : "22021" });
        expect((await execute("SELECT a FROM copy_probe")).rows).toEqual([]);
      }
      await expect(
        transaction((tx) => tx.copy("no_such_table", copyFile([]))),
      ).rejects.toMatchObject({ code: "42P01" });
      expect((await execute("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    } finally {
      await execute("DROP TABLE copy_probe");
    }
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    "fail with an error when the connection is lost mid-copy",
    async () => {
      const lost = transaction(async (tx) => {
        const { rows } = await tx.execute("SELECT pg_backend_pid() AS pid");
        await tx.exec("CREATE TEMP TABLE copy_probe (a text) ON COMMIT DROP");
        const parts = new CopyRows();
        parts.row(1);
        parts.text("x".repeat(50_000_000));
        const copy = tx.copy("copy_probe", copyFile([parts.take()]));
        await Promise.all([copy, execute(`SELECT pg_terminate_backend(${rows[0]?.pid})`)]);
      });
      await expect(lost).rejects.toThrow();
      expect((await execute("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    },
  );
});
