import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db, query, type Session, transaction } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { anyUsage, keyContext, makeKeyedAccount } from "@/lib/testing/factories";
import { placeHold } from "../write/hold";
import { settle } from "../write/settle";
import { type AuditDifference, audit, auditWithin } from "./audit";

const MONTH = new Date().toISOString().slice(0, 7);

/** An account with a 5 dollar grant, a 10 dollar payment with 3 refunded, 0.0007 used and 0.002 held. */
async function makeBooks() {
  const account = await makeKeyedAccount();
  const { id, ctx, keyId } = account;
  const used = await placeHold(keyContext(ctx, { id: keyId }), 1000n);
  await settle({ ...used, costMicros: 700n }, anyUsage());
  const free = await placeHold(keyContext(ctx, { id: keyId }), 1000n);
  await settle({ ...free, costMicros: 0n }, anyUsage());
  const open = await placeHold(keyContext(ctx, { id: keyId }), 2000n);
  const payment = await pay(id);
  return { id, keyId, used: used.id, open: open.id, payment };
}

type Books = Awaited<ReturnType<typeof makeBooks>>;

/** A payment of 10 dollars and a refund of 3. Returns its reference. */
async function pay(accountId: string): Promise<string> {
  const checkout = newId("checkout");
  const reference = `pi_${checkout}`;
  await db().checkoutSession.create({
    data: {
      ...{ id: checkout, accountId, provider: "simulated", amount: 1000, currency: "usd" },
      ...{ successUrl: "", cancelUrl: "", requestHash: "", expiresAt: new Date() },
    },
  });
  const reversal = {
    ...{ id: `re_${checkout}`, kind: "refund", amount_micros: "3000000" },
    ...{ state: "succeeded", version: 1, is_debited: true },
  };
  const facts = {
    account: accountId,
    provider_id: checkout,
    status: "paid",
    expires_at: new Date().toISOString(),
    payment: { reference, amount_micros: "10000000", reversals: [reversal] },
    event: null,
  };
  await query("test_converge", "SELECT * FROM sync_checkout_session($1, $2, $3)", [
    checkout,
    JSON.stringify(facts),
    [newId("ledgerEntry"), newId("ledgerEntry")],
  ]);
  return reference;
}

async function collect(
  run: (report: (difference: AuditDifference) => void) => Promise<{ differences: number }>,
): Promise<AuditDifference[]> {
  const reported: AuditDifference[] = [];
  const { differences } = await run((difference) => reported.push(difference));
  expect(differences).toBe(reported.length);
  return reported;
}

class RolledBack extends Error {}

/** The differences the audit reports after tampering without triggers and constraints; rolled back afterwards. */
async function auditFalsified(
  accountId: string,
  falsify: (tx: Session) => Promise<unknown>,
): Promise<AuditDifference[]> {
  let reported: AuditDifference[] = [];
  await transaction(async (tx) => {
    await tx.exec(`ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_append_only;
                   ALTER TABLE account DROP CONSTRAINT account_balance_covers_holds;
                   UPDATE retention_watermark SET records_before = NULL, holds_before = NULL;`);
    await falsify(tx);
    reported = await collect((report) => auditWithin(tx, { accountId }, report));
    throw new RolledBack();
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof RolledBack)) {
      throw thrown;
    }
  });
  return reported;
}

interface Falsification {
  name: string;
  sql: string;
  values: (books: Books) => unknown[];
  reported: (books: Books) => Partial<AuditDifference>[];
}

const FALSIFICATIONS: Falsification[] = [
  {
    name: "a raised balance",
    sql: "UPDATE account SET balance_micros = balance_micros + 5 WHERE id = $1",
    values: ({ id }) => [id],
    reported: () => [
      { check: "balance", subject: null, expected: 11_999_300n, found: 11_999_305n },
    ],
  },
  {
    name: "an entry that is not in the balance",
    sql: "INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference) VALUES ($2, $1, 'grant', 9, $2)",
    values: ({ id }) => [id, newId("ledgerEntry")],
    reported: () => [{ check: "balance", expected: 11_999_309n, found: 11_999_300n }],
  },
  {
    name: "a leaked hold",
    sql: "UPDATE account SET held_micros = held_micros + 40 WHERE id = $1",
    values: ({ id }) => [id],
    reported: () => [{ check: "held", subject: null, expected: 2000n, found: 2040n }],
  },
  {
    name: "a hold that was closed without releasing its amount",
    sql: "UPDATE hold SET status = 'released' WHERE id = $1",
    values: ({ open }) => [open],
    reported: ({ keyId }) => [
      { check: "held", expected: 0n, found: 2000n },
      { check: "key_held", subject: `${keyId} ${MONTH}`, expected: 0n, found: 2000n },
    ],
  },
  {
    name: "a negative balance",
    sql: "UPDATE account SET balance_micros = -1 WHERE id = $1",
    values: ({ id }) => [id],
    reported: () => [
      { check: "balance", expected: 11_999_300n, found: -1n },
      { check: "below_zero", subject: "balance", expected: 0n, found: -1n },
      { check: "below_zero", subject: "available", expected: 0n, found: -2001n },
    ],
  },
  {
    name: "a negative held amount",
    sql: "UPDATE account SET held_micros = -7 WHERE id = $1",
    values: ({ id }) => [id],
    reported: () => [
      { check: "held", expected: 2000n, found: -7n },
      { check: "below_zero", subject: "held", expected: 0n, found: -7n },
    ],
  },
  {
    name: "a wrong held amount of a key",
    sql: "UPDATE key_spend SET held_micros = 0 WHERE key_id = $1",
    values: ({ keyId }) => [keyId],
    reported: ({ keyId }) => [
      { check: "key_held", subject: `${keyId} ${MONTH}`, expected: 2000n, found: 0n },
    ],
  },
  {
    name: "a wrong spent amount of a key",
    sql: "UPDATE key_spend SET spent_micros = 1 WHERE key_id = $1",
    values: ({ keyId }) => [keyId],
    reported: ({ keyId }) => [
      { check: "key_spent", subject: `${keyId} ${MONTH}`, expected: 700n, found: 1n },
    ],
  },
  {
    name: "a key's missing month",
    sql: "DELETE FROM key_spend WHERE key_id = $1",
    values: ({ keyId }) => [keyId],
    reported: () => [
      { check: "key_held", expected: 2000n, found: 0n },
      { check: "key_spent", expected: 700n, found: 0n },
    ],
  },
  {
    name: "a month in which a key spent nothing",
    sql: "INSERT INTO key_spend (key_id, account_id, month, spent_micros) SELECT id, account_id, '2026-01-01', 3 FROM api_key WHERE id = $1",
    values: ({ keyId }) => [keyId],
    reported: ({ keyId }) => [
      { check: "key_spent", subject: `${keyId} 2026-01`, expected: 0n, found: 3n },
    ],
  },
  {
    name: "a charge that differs from its usage record",
    sql: "UPDATE usage_record SET cost_micros = 701 WHERE id = $1",
    values: ({ used }) => [used],
    reported: ({ used }) => [
      { check: "key_spent", expected: 701n, found: 700n },
      { check: "usage", subject: used, expected: -701n, found: -700n },
    ],
  },
  {
    name: "a charge without its usage record",
    sql: "DELETE FROM usage_record WHERE id = $1",
    values: ({ used }) => [used],
    reported: ({ used }) => [
      { check: "key_spent", expected: 0n, found: 700n },
      { check: "usage", subject: `usage:${used}`, expected: 0n, found: -700n },
    ],
  },
  {
    name: "a charged request without its ledger entry",
    sql: "DELETE FROM ledger_entry WHERE reference = 'usage:' || $1::text",
    values: ({ used }) => [used],
    reported: ({ used }) => [
      { check: "balance", expected: 12_000_000n, found: 11_999_300n },
      { check: "usage", subject: used, expected: -700n, found: 0n },
    ],
  },
  {
    name: "a payment that was not credited",
    sql: "DELETE FROM ledger_entry WHERE reference = 'top_up:' || $1::text",
    values: ({ payment }) => [payment],
    reported: ({ payment }) => [
      { check: "balance" },
      { check: "top_up", subject: `top_up:${payment}`, expected: 10_000_000n, found: 0n },
    ],
  },
  {
    name: "a credit that exceeds the payment",
    sql: "UPDATE payment SET amount_micros = 9000000 WHERE reference = $1",
    values: ({ payment }) => [payment],
    reported: () => [{ check: "top_up", expected: 9_000_000n, found: 10_000_000n }],
  },
  {
    name: "a top-up without a payment",
    sql: `WITH entry AS (INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference)
                         VALUES ($2, $1, 'top_up', 50, 'top_up:pi_none'))
          UPDATE account SET balance_micros = balance_micros + 50 WHERE id = $1`,
    values: ({ id }) => [id, newId("ledgerEntry")],
    reported: () => [{ check: "top_up", subject: "top_up:pi_none", expected: 0n, found: 50n }],
  },
  {
    name: "a refund that was not debited",
    sql: "UPDATE payment SET reversed_micros = 4000000 WHERE reference = $1",
    values: ({ payment }) => [payment],
    reported: ({ payment }) => [
      { check: "refund", subject: payment, expected: -4_000_000n, found: -3_000_000n },
    ],
  },
];

describe("the audit", () => {
  it("finds nothing in correct books, for all accounts or one", async () => {
    const { id } = await makeBooks();
    const reported: AuditDifference[] = [];
    const result = await audit({ accountId: id }, (difference) => reported.push(difference));
    expect([reported, result]).toEqual([[], { accounts: 1, entries: 4, differences: 0 }]);
  });

  it.each(FALSIFICATIONS)("reports $name", async ({ sql, values, reported }) => {
    const books = await makeBooks();
    const found = await auditFalsified(books.id, (tx) => tx.execute(sql, values(books)));
    expect(found).toMatchObject(reported(books).map((one) => ({ accountId: books.id, ...one })));
    expect(found).toHaveLength(reported(books).length);
    expect(await collect((report) => audit({ accountId: books.id }, report))).toEqual([]);
  });

  it("reports every account that differs, over several fetches", async () => {
    const { id } = await makeBooks();
    const found = await auditFalsified(id, async (tx) => {
      await tx.execute(
        `INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference)
         SELECT 'txn_bulk_' || n, $1, 'usage', 0 - n, 'usage:bulk_' || n FROM generate_series(1, 1203) AS n`,
        [id],
      );
    });
    expect(found.filter(({ check }) => check === "usage")).toHaveLength(1203);
    const other = await makeBooks();
    let all: AuditDifference[] = [];
    await auditFalsified(id, async (tx) => {
      await tx.execute(
        "UPDATE account SET balance_micros = 1 + balance_micros WHERE id IN ($1, $2)",
        [id, other.id],
      );
      all = await collect((report) => auditWithin(tx, { accountId: null }, report));
    });
    const accounts = all.filter(({ check }) => check === "balance").map((one) => one.accountId);
    expect(accounts).toEqual(expect.arrayContaining([id, other.id]));
  });

  it("reports an unknown account", async () => {
    expect(await audit({ accountId: "acct_none" }, () => {})).toEqual({
      accounts: 0,
      entries: 0,
      differences: 0,
    });
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    "reports no false differences while requests are running",
    async () => {
      const { id, key } = await makeKeyedAccount();
      const search = () =>
        call("POST", "/v1/kb/search", { key, body: { query: "stroke", sources: ["public_kb"] } });
      let isDone = false;
      const requests = Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let round = 0; round < 15; round += 1) {
            expect((await search()).status).toBe(200);
          }
        }),
      ).finally(() => {
        isDone = true;
      });
      const seen = new Set<number>();
      while (!isDone) {
        const reported = await collect(async (report) => {
          const result = await audit({ accountId: id }, report);
          seen.add(result.entries);
          return result;
        });
        expect(reported).toEqual([]);
      }
      await requests;
      expect(seen.size).toBeGreaterThan(2);
    },
    60_000,
  );
});
