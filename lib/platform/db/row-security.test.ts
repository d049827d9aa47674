import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { getStored } from "@/lib/answers/chat/read/stored";
import { newId } from "@/lib/id";
import { PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import { getDocument } from "@/lib/library/documents/read/documents";
import { getJob } from "@/lib/library/documents/read/jobs";
import { listLedger } from "@/lib/money/billing/read/balance";
import { getKey, listKeys } from "@/lib/money/keys/read";
import { getUsage } from "@/lib/money/usage/read/report";
import { GetUsage } from "@/lib/money/usage/schema";
import { closeAccount } from "@/lib/operations/accounts/write";
import type { KeyContext, MemberContext } from "@/lib/platform/auth/context";
import { makeAccount } from "@/lib/testing/factories";
import { makeKeyPair } from "@/lib/testing/stored-answer";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";
import { createFixture, type Fixture, fillTables } from "@/tests/isolation/fixtures";
import { OWNED, snapshotOf, UNOWNED } from "@/tests/isolation/snapshot";
import { withoutPredicates } from "@/tests/isolation/without-predicates";
import { Batcher } from "./batcher";
import { db, execute, query, type Session, transaction } from "./client";
import { asSystem, asTenant } from "./tenant-context";

const REFUSED = { code: "42501" };
const tables = Object.keys(OWNED);
/** An account without any rows, not even one in the account table. */
const NOBODY = newId("account");

/** Tables whose public rows every account can read but never write. */
const PUBLIC = new Set([
  ...[
    "chunk",
    "chunk_vector",
    "collection",
    "document_tombstone",
    "document",
    "document_attribute",
    "document_frequency",
    "document_page",
  ],
  "vocabulary",
]);
const IS_PUBLIC = `account_id = '${PUBLIC_COLLECTION.accountId}'`;

let victim: Fixture;
let other: Fixture;

beforeAll(async () => {
  await startBackgroundWork();
  victim = await createFixture();
  other = await createFixture();
  await stopBackgroundWork();
  await fillTables(victim);
  await fillTables(other);
});
afterAll(async () => {
  await closeAccount(victim.ctx, { confirmation: victim.secret });
  await closeAccount(other.ctx, { confirmation: other.secret });
});

async function count(text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await execute(`SELECT count(*)::int AS count FROM ${text}`, values);
  return Number(rows[0]?.count);
}

/** How many rows of a table are the account's, public, and there in total, outside any tenant. */
async function countsOf(table: string, accountId: string) {
  const own = await count(`${table} WHERE ${OWNED[table]}`, [accountId]);
  const open = PUBLIC.has(table) ? await count(`${table} WHERE ${IS_PUBLIC}`) : 0;
  return { own, open, all: await count(table) };
}

describe("a tenant's statement without predicates", () => {
  it.each(tables)("reads only its own and public rows of %s", async (table) => {
    const { own, open, all } = await countsOf(table, victim.id);
    expect(own).toBeGreaterThan(0);
    expect(all).toBeGreaterThan(own + open);
    expect(await asTenant(victim.id, () => count(table))).toBe(own + open);
    expect(await asTenant(NOBODY, () => count(table))).toBe(open);
    expect(await asTenant("", () => count(table))).toBe(open);
  });

  it.each(tables)("can't update or delete other accounts' rows in %s", async (table) => {
    const before = [await snapshotOf(victim.id), await snapshotOf(other.id)];
    const column = await firstColumn(table);
    const { all } = await countsOf(table, victim.id);
    await asTenant(NOBODY, () => execute(`UPDATE ${table} SET ${column} = ${column}`));
    await asTenant(NOBODY, () => execute(`DELETE FROM ${table}`));
    expect(await count(table)).toBe(all);
    expect([await snapshotOf(victim.id), await snapshotOf(other.id)]).toEqual(before);
  });

  it.each(tables)("can't insert another account's row into %s", async (table) => {
    const { rows } = await execute(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${OWNED[table]} LIMIT 1`,
      [victim.id],
    );
    const insert = `INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1)`;
    const adding = asTenant(other.id, () => execute(insert, [JSON.stringify(rows[0]?.row)]));
    await expect(adding).rejects.toMatchObject(REFUSED);
  });

  it.each([...PUBLIC])("can't update, delete or insert public rows in %s", async (table) => {
    const column = await firstColumn(table);
    const updating = asTenant(victim.id, () =>
      execute(`UPDATE ${table} SET ${column} = ${column} WHERE ${IS_PUBLIC} RETURNING 1`),
    );
    expect((await updating).rows).toEqual([]);
    const deleting = asTenant(victim.id, () =>
      execute(`DELETE FROM ${table} WHERE ${IS_PUBLIC} RETURNING 1`),
    );
    expect((await deleting).rows).toEqual([]);
    const { rows } = await execute(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${OWNED[table]} LIMIT 1`,
      [victim.id],
    );
    const adding = asTenant(victim.id, () =>
      execute(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1)`, [
        JSON.stringify({
          ...(rows[0]?.row as object),
          account_id: PUBLIC_COLLECTION.accountId,
          collection_id: PUBLIC_COLLECTION.id,
        }),
      ]),
    );
    await expect(adding).rejects.toMatchObject(REFUSED);
  });

  it("can't move its rows to another account", async () => {
    for (const table of ["document", "api_key", "job", "stored_completion", "usage_record"]) {
      const moving = asTenant(victim.id, () =>
        execute(`UPDATE ${table} SET account_id = $1`, [other.id]),
      );
      // For stored answers, a trigger rejects the change first.
      await expect(moving).rejects.toThrow(/row-level security|is immutable/);
    }
  });

  it("reads only its own rows of a view over two tables", async () => {
    const own = await count("payment_reversal_total WHERE account_id = $1", [victim.id]);
    expect(own).toBeGreaterThan(0);
    expect(await count("payment_reversal_total")).toBeGreaterThan(own);
    expect(await asTenant(victim.id, () => count("payment_reversal_total"))).toBe(own);
    expect(await asTenant(NOBODY, () => count("payment_reversal_total"))).toBe(0);
  });

  it.each([...UNOWNED, "pgboss.job"])("can't access %s at all", async (table) => {
    await expect(asTenant(victim.id, () => count(table))).rejects.toMatchObject(REFUSED);
  });

  it("is subject to a policy on every table with account rows", async () => {
    const { rows } = await execute(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid
        WHERE p.polname = 'tenant_isolation' AND c.relrowsecurity ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(tables.toSorted());
  });

  it("is read once per statement, not once per row", async () => {
    const { rows } = await execute(
      `SELECT tablename, qual LIKE '%( SELECT current_setting(%' AS is_read_once FROM pg_policies
        WHERE schemaname = current_schema() AND qual LIKE '%current_setting(%'`,
    );
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter(({ is_read_once }) => !is_read_once)).toEqual([]);
  });
});

async function firstColumn(table: string): Promise<string> {
  const { rows } = await execute(
    `SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum LIMIT 1`,
    [table],
  );
  return String(rows[0]?.attname);
}

describe("concurrent tenants", () => {
  it("each see only their own rows, however they query", async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, makeAccount));
    const ids = [victim.id, other.id, ...accounts.map(({ id }) => id)];
    const tries = Array.from({ length: 240 }, (_, index) => {
      const id = ids[index % ids.length] ?? "";
      const ways = index % 11 === 10 ? [] : WAYS;
      const way = ways[index % WAYS.length];
      return way
        ? asTenant(id, way).then((seen) => expect(new Set(seen)).toEqual(new Set([id])))
        : asSystem(() => count("account")).then((all) =>
            expect(all).toBeGreaterThanOrEqual(ids.length),
          );
    });
    expect(await Promise.all(tries)).toHaveLength(240);
  }, 60_000);

  it("share a batch that runs outside any tenant", async () => {
    const sizes: number[] = [];
    const batcher = new Batcher<string, number>(async (_key, ids) => {
      const all = await count("account");
      sizes.push(ids.length);
      return ids.map(() => all);
    });
    const all = await count("account");
    const counts = [victim.id, other.id, NOBODY].map((id) =>
      asTenant(id, () => batcher.run("l", id)),
    );
    expect(await Promise.all(counts)).toEqual([all, all, all]);
    expect(sizes).toEqual([3]);
  });
});

const BY_KEY = GetUsage.parse({ group_by: "key" });

/** Reads that return the victim's rows to any caller once their account predicates are stripped. */
const READS: {
  verb: string;
  read: (ctx: KeyContext) => Promise<unknown>;
  expects: () => string;
}[] = [
  { verb: "getDocument", read: (ctx) => getDocument(ctx, victim.ids.document), expects: secret },
  { verb: "getJob", read: (ctx) => getJob(ctx, victim.ids.job), expects: () => victim.ids.job },
  { verb: "getKey", read: (ctx) => getKey(asMember(ctx), victim.ids.key), expects: secret },
  { verb: "listKeys", read: (ctx) => listKeys(asMember(ctx), { limit: 100 }), expects: secret },
  { verb: "getStored", read: (ctx) => getStored(ctx, victim.ids.completion), expects: secret },
  { verb: "listLedger", read: (ctx) => listLedger(ctx, { limit: 100 }), expects: entry },
  { verb: "getUsage", read: (ctx) => getUsage(ctx, BY_KEY), expects: () => victim.ids.key },
];

function asMember(ctx: KeyContext): MemberContext {
  return { ...ctx, actor: victim.ctx.actor };
}

function secret(): string {
  return victim.secret;
}

function entry(): string {
  return victim.ids.ledgerEntry;
}

/** The ways the product queries; each returns the account id of every row it sees. */
const WAYS: (() => Promise<unknown[]>)[] = [
  async () => (await query("test_members", "SELECT account_id FROM member")).map(idOf),
  async () => (await db().member.findMany()).map(({ accountId }) => accountId),
  async () => [(await db().account.findFirstOrThrow()).id],
  async () =>
    (await db().account.findMany({ include: { members: true } })).flatMap(({ id, members }) => [
      id,
      ...members.map(({ accountId }) => accountId),
    ]),
  () =>
    transaction(async (tx) => {
      const first = await readMembers(tx);
      const [owners] = await tx.asOwner(() =>
        tx.query<{ count: number }>("test_all", "SELECT count(*)::int AS count FROM account"),
      );
      expect(owners?.count).toBeGreaterThan(1);
      return [...first, ...(await readMembers(tx))];
    }),
  async () => {
    const failing = transaction(async (tx) => {
      await tx.asOwner(() => tx.exec("SELECT 1 / 0"));
    });
    await expect(failing).rejects.toThrow(/division/);
    return (await query("test_members", "SELECT account_id FROM member")).map(idOf);
  },
];

async function readMembers(tx: Session): Promise<unknown[]> {
  return (await tx.query("test_members", "SELECT account_id FROM member")).map(idOf);
}

function idOf(row: Record<string, unknown>): unknown {
  return row.account_id;
}

describe("Prisma for a tenant", () => {
  it("rejects queries it would batch across tenants", async () => {
    const asking = asTenant(victim.id, () =>
      db()
        .account.findUnique({ where: { id: victim.id } })
        .then(),
    );
    await expect(asking).rejects.toThrow(/findFirst/);
  });
});

describe("a build without the application's predicates", () => {
  it.each(READS)("doesn't leak another account's rows through $verb", async ({ read, expects }) => {
    const { ctx } = await makeKeyPair((await makeAccount()).ctx);
    const seen = async (work: () => Promise<unknown>) => {
      const { result, stripped } = await withoutPredicates(() => work().catch((thrown) => thrown));
      expect(stripped.size).toBeGreaterThan(0);
      return JSON.stringify(result instanceof Error ? String(result) : result);
    };
    // Control: without row-level security, the same build leaks the row.
    expect(await seen(() => read(ctx))).toContain(expects());
    expect(await seen(() => asTenant(ctx.account.id, () => read(ctx)))).not.toContain(expects());
    expect(await seen(() => asTenant(victim.id, () => read(ctx)))).toContain(expects());
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)("row-level security on a server", () => {
  it("applies to a database owner who isn't a superuser and was granted the role", async () => {
    const url = await ownDatabase("IN ROLE footnote_tenant");
    expect(await inProcess(url, COUNT_AS_NOBODY)).toBe("0");
  }, 60_000);

  it("is off, with the product still working, for a user who can't create roles", async () => {
    // The tenant role already exists on the server, but this user was never granted it.
    const url = await ownDatabase("NOCREATEROLE");
    // The inserted account and the public one.
    expect(await inProcess(url, COUNT_AS_NOBODY)).toBe("2");
  }, 60_000);

  it("rejects a user from whom it would hide every row", async () => {
    const url = await ownDatabase("IN ROLE footnote_tenant");
    await inProcess(url, COUNT_AS_NOBODY);
    const { name, connection } = await makeUser("NOCREATEROLE", url);
    const granting = await connect(url);
    await granting.query(`GRANT CREATE, USAGE ON SCHEMA public TO ${name}`);
    await granting.query(`GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO ${name}`);
    await granting.end();
    expect(await inProcess(connection, COUNT_AS_NOBODY)).toMatch(/^Row-level security hides/);
  }, 60_000);

  it("still applies after connections are terminated", async () => {
    const seen = async () => {
      const reading = asTenant(victim.id, () =>
        query("test_members", "SELECT account_id FROM member"),
      );
      return new Set((await reading.catch(() => [])).map(idOf));
    };
    await Promise.all(Array.from({ length: 8 }, seen));
    await execute(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle'`,
    );
    const all = await Promise.all(Array.from({ length: 24 }, seen));
    expect(new Set(all.flatMap((ids) => [...ids]))).toEqual(new Set([victim.id]));
  });
});

const COUNT_AS_NOBODY = `
  const { migrate } = await import("./lib/platform/db/migrate.ts");
  await migrate();
  const { query } = await import("./lib/platform/db/client.ts");
  const { asTenant } = await import("./lib/platform/db/tenant-context.ts");
  await query("test_add", "INSERT INTO account (id, name) VALUES ('acct_a', 'x') ON CONFLICT DO NOTHING");
  const rows = await asTenant("acct_b", () => query("test_accounts", "SELECT id FROM account"));
  console.log(rows.length);`;

/** Runs the code in a separate process and returns the last line it prints. */
async function inProcess(url: string, code: string): Promise<string> {
  const program = `(async () => {${code}})().catch((error) => console.log(error.message)).finally(() => process.exit())`;
  const child = spawn(
    process.execPath,
    ["--conditions=react-server", "--import", "tsx", "-e", program],
    { env: { ...process.env, DATABASE_URL: url }, stdio: ["ignore", "pipe", "inherit"] },
  );
  return (await text(child.stdout)).trim().split("\n").at(-1) ?? "";
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

/** Creates a user with the given privilege, and returns their connection to the database of `url`. */
async function makeUser(right: string, url: string): Promise<{ name: string; connection: string }> {
  const name = `footnote_${newId("person")}`;
  const client = await connect(process.env.TEST_DATABASE_URL ?? "");
  await client.query(`CREATE ROLE ${name} LOGIN PASSWORD '${name}' ${right}`);
  await client.end();
  onTestFinished(async () => {
    const last = await connect(process.env.TEST_DATABASE_URL ?? "");
    await last.query(`DROP ROLE ${name}`).catch(() => {});
    await last.end();
  });
  const connection = new URL(url);
  connection.username = name;
  connection.password = name;
  return { name, connection: connection.href };
}

/** Creates a database owned by a new user with the given privilege, and returns its URL. */
async function ownDatabase(right: string): Promise<string> {
  const { name, connection } = await makeUser(right, process.env.TEST_DATABASE_URL ?? "");
  const client = await connect(process.env.TEST_DATABASE_URL ?? "");
  const database = `${process.env.FOOTNOTE_TEST_RUN}${name}`;
  await client.query(`CREATE DATABASE "${database}" OWNER ${name}`);
  await client.end();
  onTestFinished(async () => {
    const last = await connect(process.env.TEST_DATABASE_URL ?? "");
    await last.query(`DROP DATABASE "${database}" WITH (FORCE)`);
    await last.end();
  });
  const url = new URL(connection);
  url.pathname = `/${database}`;
  return url.href;
}

describe("the plans of a tenant's statements", () => {
  it.each([
    "SELECT id, text FROM chunk WHERE id = ANY(ARRAY['a', 'b'])",
    "SELECT count(*) FROM chunk WHERE document_id = 'a'",
    "SELECT id FROM document WHERE collection_id = ANY(ARRAY['a', 'b']) AND id = 'c'",
    "SELECT * FROM job WHERE document_id = 'a' ORDER BY id DESC LIMIT 1",
    "SELECT * FROM api_key WHERE account_id = 'a' ORDER BY id DESC LIMIT 20",
    "SELECT * FROM usage_record WHERE account_id = 'a' AND id < 'b' ORDER BY id DESC LIMIT 20",
    "SELECT * FROM usage_record WHERE account_id = 'a' AND created_at > now() - interval '1 day'",
    "SELECT * FROM stored_completion WHERE account_id = 'a' ORDER BY id DESC LIMIT 20",
    "SELECT * FROM ledger_entry WHERE account_id = 'a' ORDER BY id DESC LIMIT 20",
    "SELECT * FROM key_secret WHERE key_id = 'a'",
    "SELECT * FROM usage_record ORDER BY id DESC LIMIT 20",
  ])("use an index: %s", async (statement) => {
    const plan = await asTenant(victim.id, () =>
      transaction(async (tx) => {
        // Test tables are so small that a sequential scan is always cheaper.
        await tx.exec("SET LOCAL enable_seqscan = off");
        return JSON.stringify((await tx.execute(`EXPLAIN (FORMAT JSON) ${statement}`)).rows);
      }),
    );
    expect(plan).toMatch(/Index Cond/);
    expect(plan).not.toMatch(/Seq Scan/);
  });
});
