import { beforeAll, describe, expect, it } from "vitest";
import { execute } from "@/lib/platform/db/client";
import { OWNED } from "@/tests/isolation/snapshot";

// Every row of a tenant names its account, and no reference leads from one account to another.

/** Tables whose rows are looked up by an email, a token, a hash or the provider's id, before the account is known. */
const FOUND_WITHOUT_ACCOUNT = [
  "checkout_session",
  "invitation",
  "key_secret",
  "member",
  "member_identity",
  "member_session",
  "password_reset",
  "payment",
  "payment_event",
  "payment_reversal",
  "shared_link",
  "simulated_checkout",
];
const KEYED = Object.keys(OWNED).filter((table) => !FOUND_WITHOUT_ACCOUNT.includes(table));

interface Key {
  table: string;
  name: string;
  columns: string[];
}

interface Reference extends Key {
  target: string;
  target_columns: string[];
  on_delete: string;
  on_update: string;
}

let keys: Key[];
let references: Reference[];

beforeAll(async () => {
  keys = await rowsOf<Key>(
    `SELECT c.relname AS "table", i.indexrelid::regclass::text AS name,
            ARRAY (SELECT coalesce(a.attname, '') FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place)
                     LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number AND k.number > 0
                    WHERE k.place <= i.indnkeyatts ORDER BY k.place)::text[] AS columns
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE (i.indisunique OR i.indisexclusion) AND c.relnamespace = current_schema()::regnamespace`,
  );
  references = await rowsOf<Reference>(
    `SELECT r.conrelid::regclass::text AS "table", r.conname AS name, r.confrelid::regclass::text AS target,
            ${columnsOf("conrelid", "conkey")} AS columns, ${columnsOf("confrelid", "confkey")} AS target_columns,
            r.confdeltype AS on_delete, r.confupdtype AS on_update
       FROM pg_constraint r WHERE r.contype = 'f' AND r.connamespace = current_schema()::regnamespace`,
  );
});

function columnsOf(table: string, numbers: string): string {
  return `ARRAY (SELECT a.attname FROM unnest(r.${numbers}) WITH ORDINALITY k (number, place)
            JOIN pg_attribute a ON a.attrelid = r.${table} AND a.attnum = k.number ORDER BY k.place)::text[]`;
}

async function rowsOf<Row>(text: string): Promise<Row[]> {
  return (await execute(text)).rows as Row[];
}

function accountColumn(table: string): string {
  return table === "account" ? "id" : "account_id";
}

describe("tables of an account", () => {
  it("require the account", async () => {
    const columns = await rowsOf<{ table: string; column: string }>(
      `SELECT c.relname AS "table", a.attname AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND a.attnotnull
          AND a.attgenerated = '' AND a.atttypid = 'text'::regtype`,
    );
    const required = columns.map(({ table, column }) => `${table}.${column}`);
    expect(required).toEqual(
      expect.arrayContaining(KEYED.map((table) => `${table}.${accountColumn(table)}`)),
    );
  });

  it("include the account in every primary and unique key", () => {
    const own = keys.filter(({ table }) => KEYED.includes(table));
    expect(new Set(own.map(({ table }) => table))).toEqual(new Set(KEYED));
    expect(own.filter(({ table, columns }) => !columns.includes(accountColumn(table)))).toEqual([]);
  });

  it("include the account on both sides of references between them, and never change it", () => {
    const between = references.filter(
      (each) => KEYED.includes(each.table) && KEYED.includes(each.target),
    );
    expect(between.length).toBeGreaterThan(10);
    for (const { table, name, target, columns, target_columns, ...on } of between) {
      const place = columns.indexOf(accountColumn(table));
      expect([name, target_columns[place]]).toEqual([name, accountColumn(target)]);
      // a: no action, r: restrict, c: cascade.
      expect([name, ["a", "r", "c"].includes(on.on_delete)]).toEqual([name, true]);
      expect([name, ["a", "r"].includes(on.on_update)]).toEqual([name, true]);
    }
  });

  it("otherwise only reference the member who created a row", () => {
    const out = references.filter(
      (each) => KEYED.includes(each.table) && !KEYED.includes(each.target),
    );
    expect(out.map(({ table, columns, target }) => [table, columns, target])).toEqual([
      ["api_key", ["created_by_id"], "member"],
      ["preset", ["created_by_member_id"], "member"],
    ]);
  });
});
