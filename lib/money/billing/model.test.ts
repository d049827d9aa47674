import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import type { KeyContext } from "@/lib/platform/auth/context";
import { db, query } from "@/lib/platform/db/client";
import {
  anyUsage,
  keyContext,
  makeKey,
  makeKeyedAccount,
  readMoney,
  setBalance,
} from "@/lib/testing/factories";
import { FUZZ_FACTOR } from "@/lib/testing/fuzz-budget";
import { placeHold, releaseExpiredHolds } from "./write/hold";
import { settle } from "./write/settle";

// Runs everything that moves money in random order against a model in plain arithmetic: after each step
// the account must match the model, and the sums must agree.

const BUDGET = 1200n;
const START = 2000n;
const RUNS = 40 * FUZZ_FACTOR;
const STEPS = 60;

interface ModelHold {
  id: string;
  key: number;
  amount: bigint;
  state: "open" | "crashed" | "released" | "settled";
  charged: bigint;
}

interface ModelPayment {
  reference: string;
  amount: bigint;
  reversed: bigint;
  reversals: Map<string, { amount: bigint; version: number; isDebited: boolean }>;
}

/** The expected state of the account. */
class Model {
  balance = START;
  holds: ModelHold[] = [];
  payments: ModelPayment[] = [];
  /** Spent this month, per key. */
  spent = [0n, 0n];

  get held(): bigint {
    return sum(this.holds.filter(isReserving).map(({ amount }) => amount));
  }

  outcomeOf(key: number, amount: bigint): string {
    if (this.balance < amount) {
      return "insufficient_balance";
    }
    if (this.balance - this.held < amount) {
      return "balance_reserved";
    }
    const ofKey = this.holds.filter((hold) => hold.key === key && isReserving(hold));
    const used = (this.spent[key] ?? 0n) + sum(ofKey.map((hold) => hold.amount));
    return key === 1 && used + amount > BUDGET ? "key_budget_exceeded" : "admitted";
  }

  chargeFor(hold: ModelHold, cost: bigint): bigint {
    const reserved = isReserving(hold) ? hold.amount : 0n;
    return hold.state === "settled"
      ? hold.charged
      : least(cost, reserved + this.balance - this.held);
  }

  /** Restores excess debits, then collects outstanding amounts from the available balance. */
  collect(): void {
    const due = this.payments.map((payment) => ({ payment, outstanding: outstandingOf(payment) }));
    const giveBacks = due.filter(({ outstanding }) => outstanding < 0n);
    for (const { payment, outstanding } of [
      ...giveBacks,
      ...due.filter((one) => one.outstanding > 0n),
    ]) {
      const move = least(outstanding, this.balance - this.held);
      payment.reversed += move;
      this.balance -= move;
    }
  }
}

function isReserving({ state }: ModelHold): boolean {
  return state === "open" || state === "crashed";
}

function outstandingOf({ amount, reversals, reversed }: ModelPayment): bigint {
  const taken = [...reversals.values()].filter(({ isDebited }) => isDebited);
  return least(amount, sum(taken.map((reversal) => reversal.amount))) - reversed;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

interface Real {
  contexts: KeyContext[];
  checkout: string;
}

type Command = fc.AsyncCommand<Model, Real, false>;

abstract class Step implements Command {
  abstract check(model: Readonly<Model>): boolean;
  abstract act(model: Model, real: Real): Promise<void>;

  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real);
    const { balance, held, ledgerSum, openHolds } = await readMoney(accountOf(real));
    expect({ balance, held }).toEqual({ balance: model.balance, held: model.held });
    expect({ ledgerSum, openHolds }).toEqual({ ledgerSum: balance, openHolds: held });
    expect(balance - held).toBeGreaterThanOrEqual(0n);
  }

  toString(): string {
    const fields = JSON.stringify(this, (_, value) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    return `${this.constructor.name}${fields}`;
  }
}

function accountOf({ contexts }: Real): string {
  return contexts[0]?.account.id ?? "";
}

class Admit extends Step {
  constructor(
    readonly key: number,
    readonly amount: bigint,
  ) {
    super();
  }

  check = () => true;

  async act(model: Model, { contexts }: Real): Promise<void> {
    const ctx = { ...contexts[this.key], requestId: newId("request") } as KeyContext;
    const outcome = await placeHold(ctx, this.amount).then(
      () => "admitted",
      (thrown: unknown) => (thrown instanceof AppError ? thrown.code : String(thrown)),
    );
    expect(outcome).toBe(model.outcomeOf(this.key, this.amount));
    if (outcome === "admitted") {
      const hold = { id: ctx.requestId, key: this.key, amount: this.amount, charged: 0n };
      model.holds.push({ ...hold, state: "open" });
    }
  }
}

/** Settles a request: for the first time, again, or after its hold was swept. */
class Settle extends Step {
  constructor(
    readonly index: number,
    readonly cost: bigint,
  ) {
    super();
  }

  check = (model: Readonly<Model>) => model.holds.length > 0;

  async act(model: Model, real: Real): Promise<void> {
    const hold = model.holds[this.index % model.holds.length] as ModelHold;
    const expected = model.chargeFor(hold, this.cost);
    const placed = {
      id: hold.id,
      accountId: accountOf(real),
      keyId: real.contexts[hold.key]?.actor.id ?? "",
      amountMicros: hold.amount,
      placedAt: new Date(),
    };
    expect(await settle({ ...placed, costMicros: this.cost }, anyUsage())).toBe(expected);
    if (hold.state !== "settled") {
      model.balance -= expected;
      model.spent[hold.key] = (model.spent[hold.key] ?? 0n) + expected;
      hold.charged = expected;
      hold.state = "settled";
    }
  }
}

/** A process dies, so its hold is no longer renewed. */
class Crash extends Step {
  constructor(readonly index: number) {
    super();
  }

  check = (model: Readonly<Model>) => model.holds.some(({ state }) => state === "open");

  async act(model: Model): Promise<void> {
    const open = model.holds.filter(({ state }) => state === "open");
    const hold = open[this.index % open.length] as ModelHold;
    await query(
      "test_crash",
      "UPDATE hold SET lease_expires_at = now() - interval '1 second' WHERE id = $1",
      [hold.id],
    );
    hold.state = "crashed";
  }
}

class Sweep extends Step {
  check = () => true;

  async act(model: Model): Promise<void> {
    await releaseExpiredHolds();
    for (const hold of model.holds.filter(({ state }) => state === "crashed")) {
      hold.state = "released";
    }
  }
}

/** A paid checkout, or a repeat of its webhook from before any refund. */
class Pay extends Step {
  constructor(
    readonly index: number,
    readonly amount: bigint,
  ) {
    super();
  }

  check = () => true;

  async act(model: Model, real: Real): Promise<void> {
    const known = model.payments[this.index];
    const position = String(model.payments.length).padStart(4, "0");
    const payment = known ?? {
      reference: `pi_${position}_${real.checkout}`,
      amount: this.amount,
      reversed: 0n,
      reversals: new Map(),
    };
    await converge(real, payment, []);
    if (!known) {
      model.payments.push(payment);
      model.balance += payment.amount;
    }
    model.collect();
  }
}

/** A refund or dispute from a webhook: new, updated, or outdated and late. */
class Reverse extends Step {
  constructor(
    readonly index: number,
    readonly reversal: { name: number; amount: bigint; version: number; isDebited: boolean },
  ) {
    super();
  }

  check = (model: Readonly<Model>) => model.payments.length > 0;

  async act(model: Model, real: Real): Promise<void> {
    const payment = model.payments[this.index % model.payments.length] as ModelPayment;
    const { name, ...told } = this.reversal;
    const id = `re_${name}_${payment.reference}`;
    await converge(real, payment, [{ id, ...told }]);
    const before = payment.reversals.get(id);
    if (!before || told.version > before.version) {
      payment.reversals.set(id, told);
    }
    model.collect();
  }
}

async function converge(
  real: Real,
  { reference, amount }: ModelPayment,
  reversals: { id: string; amount: bigint; version: number; isDebited: boolean }[],
): Promise<void> {
  const facts = {
    account: accountOf(real),
    provider_id: real.checkout,
    status: "paid",
    expires_at: new Date().toISOString(),
    payment: {
      reference,
      amount_micros: String(amount),
      reversals: reversals.map(({ id, amount: back, version, isDebited }) => ({
        ...{ id, kind: "refund", amount_micros: String(back), state: "told" },
        ...{ version, is_debited: isDebited },
      })),
    },
    event: { id: newId("request"), type: "charge.refunded" },
  };
  const entries = Array.from({ length: 20 }, () => newId("ledgerEntry"));
  await query("test_converge", "SELECT * FROM sync_checkout_session($1, $2, $3)", [
    real.checkout,
    JSON.stringify(facts),
    entries,
  ]);
}

async function start(): Promise<{ model: Model; real: Real }> {
  const { id, ctx, keyId } = await makeKeyedAccount();
  const bounded = await makeKey(ctx);
  await db().apiKey.updateMany({
    where: { id: bounded.id },
    data: { monthlyBudgetMicros: BUDGET },
  });
  await setBalance(id, Number(START) / 1_000_000);
  const checkout = newId("request");
  await db().checkoutSession.create({
    data: {
      ...{ id: checkout, accountId: id, provider: "simulated", amount: 1000, currency: "usd" },
      ...{ successUrl: "", cancelUrl: "", requestHash: "", expiresAt: new Date() },
    },
  });
  const contexts = [keyId, bounded.id].map((key) => keyContext(ctx, { id: key }));
  return { model: new Model(), real: { contexts, checkout } };
}

const amount = fc.bigInt({ min: 0n, max: 1500n });
const index = fc.nat({ max: 30 });
const reversal = fc.record({
  name: fc.nat({ max: 2 }),
  amount,
  version: fc.integer({ min: 1, max: 3 }),
  isDebited: fc.boolean(),
});

describe("money in any order of admissions, settlements, payments, refunds, crashes and sweeps", () => {
  it("matches plain arithmetic and never goes negative", {
    timeout: 120_000 * FUZZ_FACTOR,
  }, async () => {
    const commands = fc.commands<Model, Real, false>(
      [
        fc.tuple(fc.nat({ max: 1 }), amount).map((args) => new Admit(...args)),
        fc.tuple(index, amount).map((args) => new Settle(...args)),
        index.map((at) => new Crash(at)),
        fc.constant(new Sweep()),
        fc.tuple(fc.nat({ max: 4 }), amount).map((args) => new Pay(...args)),
        fc.tuple(index, reversal).map((args) => new Reverse(...args)),
      ],
      { maxCommands: STEPS, size: "max" },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (steps) => {
        const started = await start();
        await fc.asyncModelRun(() => started, steps);
      }),
      { numRuns: RUNS },
    );
  });
});
