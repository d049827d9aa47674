import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { execute } from "@/lib/db/client";
import { OWNED, UNOWNED } from "@/tests/isolation/snapshot";

// Checks that this schema meets the requirements of Citus. docs/scaling.md explains the type of each table, and
// deploy/sql/citus.sql applies it.

const sql = readFileSync("deploy/sql/citus.sql", "utf8").replace(/^--.*$/gm, "");
/** The distributed tables, with their distribution columns. */
const distributed = new Map(
  found(/create_distributed_table\('(\w+)', '(\w+)'/g).map(([table = "", column = ""]) => [
    table,
    column,
  ]),
);
const reference = found(/create_reference_table\('(\w+)'/g).map(([table]) => table);
const triggersDropped = found(/DROP TRIGGER (\w+) ON (\w+);/g).map(([name]) => name);
const dropped = found(/ALTER TABLE (\w+) DROP CONSTRAINT (\w+);/g).map((parts) => parts.join("."));
const policiesDropped = found(/DROP POLICY (\w+) ON (\w+);/g).map(
  ([name, table]) => `${table}.${name}`,
);

interface Key extends Record<string, unknown> {
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

function found(pattern: RegExp): string[][] {
  return [...sql.matchAll(pattern)].map(([, ...parts]) => parts);
}

function isDistributed({ table }: { table: string }): boolean {
  return distributed.has(table);
}

describe("tables", () => {
  it("are either distributed by account, reference tables, or on one node", async () => {
    const tables = await rowsOf<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`,
    );
    const listed = [...distributed.keys(), ...reference, ...UNOWNED];
    expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
    expect(listed.toSorted()).toEqual([...Object.keys(OWNED), ...UNOWNED].toSorted());
  });

  it("are distributed by a required account column", async () => {
    const columns = await rowsOf<{ table: string; column: string }>(
      `SELECT c.relname AS "table", a.attname AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND a.attnotnull
          AND a.attgenerated = '' AND a.atttypid = 'text'::regtype`,
    );
    const sure = columns.map(({ table, column }) => `${table}.${column}`);
    for (const [table, column] of distributed) {
      expect(column).toBe(table === "account" ? "id" : "account_id");
      expect(sure).toContain(`${table}.${column}`);
    }
  });
});

describe("distributed tables", () => {
  it("include the account in every primary and unique key", () => {
    const own = keys.filter(isDistributed);
    expect(new Set(own.map(({ table }) => table))).toEqual(new Set(distributed.keys()));
    const without = own.filter(
      ({ table, columns }) => !columns.includes(distributed.get(table) ?? ""),
    );
    expect(without).toEqual([]);
  });

  it("include the account on both sides of references between them, and never change it", () => {
    const between = references.filter(
      (each) => isDistributed(each) && distributed.has(each.target),
    );
    expect(between.length).toBeGreaterThan(10);
    for (const { table, name, target, columns, target_columns, ...on } of between) {
      const place = columns.indexOf(distributed.get(table) ?? "");
      expect([name, target_columns[place]]).toEqual([name, distributed.get(target)]);
      // a: no action, r: restrict, c: cascade.
      expect([name, ["a", "r", "c"].includes(on.on_delete)]).toEqual([name, true]);
      expect([name, ["a", "r"].includes(on.on_update)]).toEqual([name, true]);
    }
  });

  it("otherwise only reference a reference table, by other columns", () => {
    const out = references.filter((each) => isDistributed(each) && !distributed.has(each.target));
    expect(out.map(({ table, columns, target }) => [table, columns, target])).toEqual([
      ["api_key", ["created_by_id"], "member"],
      ["preset", ["created_by_member_id"], "member"],
    ]);
    expect(reference).toContain("member");
  });

  it("keep no policy with a subquery", async () => {
    const asking = await rowsOf<{ table: string; name: string }>(
      `SELECT c.relname AS "table", p.polname AS name FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
        WHERE coalesce(p.polqual::text, '') || coalesce(p.polwithcheck::text, '') LIKE '%SUBLINK%'
          AND c.relnamespace = current_schema()::regnamespace`,
    );
    const refused = asking.filter(({ table }) => !UNOWNED.includes(table));
    expect(refused.map(({ table, name }) => `${table}.${name}`).toSorted()).toEqual(
      policiesDropped.toSorted(),
    );
  });

  it("have triggers that only read the row itself", async () => {
    const triggers = await rowsOf<{ table: string; name: string }>(
      `SELECT c.relname AS "table", t.tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace ORDER BY t.tgname`,
    );
    const kept = triggers.filter(({ name }) => !triggersDropped.includes(name));
    expect(triggers.length - kept.length).toBe(triggersDropped.length);
    expect(kept.filter(isDistributed).map(({ name }) => name)).toEqual([
      "api_key_version",
      "audit_event_append_only",
      "audit_event_no_truncate",
      "ledger_entry_append_only",
      "stored_completion_immutable",
    ]);
    expect(triggers.filter(({ table }) => reference.includes(table))).toEqual([]);
  });
});

describe("other tables", () => {
  it("lose exactly their references to distributed tables", () => {
    const inwards = references.filter(
      (each) => !isDistributed(each) && distributed.has(each.target),
    );
    expect(inwards.map(({ table, name }) => `${table}.${name}`).toSorted()).toEqual(
      dropped.toSorted(),
    );
  });

  it("have no foreign key from a reference table to a local table", () => {
    const rest = references.filter(
      ({ table, target }) => reference.includes(table) && !distributed.has(target),
    );
    expect(rest.filter(({ target }) => !reference.includes(target))).toEqual([]);
  });
});
