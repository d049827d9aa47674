import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { type Break, breakableDatabase } from "@/lib/testing/database-failure";
import { makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";
import type { FakeStripe } from "@/lib/testing/fake-stripe-server";
import { FUZZ_FACTOR } from "@/lib/testing/fuzz-budget";
import {
  balanceAfter,
  type Chapter,
  chaptersOf,
  isPaid,
  PAID,
  STATUSES,
  type Story,
  story,
} from "@/lib/testing/payment-scenario";
import {
  browserOf,
  deliver,
  openCheckout,
  paymentEntries,
  startFakeStripe,
} from "@/lib/testing/payments";
import { paymentProvider, replacePaymentProvider } from "../vendor/provider";
import { credit } from "./credit";

const RUNS = 30 * FUZZ_FACTOR;

interface Stage {
  scenario: Story;
  stripe: FakeStripe;
  database: Awaited<ReturnType<typeof breakableDatabase>>;
  account: Awaited<ReturnType<typeof makeKeyedAccount>>;
  checkout: { id: string; sessionId: string };
}

/** Runs a scenario on a new account with an empty balance. */
class Play {
  readonly #chapters: Chapter[];
  readonly #events: ReturnType<FakeStripe["event"]>[] = [];
  /** Events that got a 500 response, which Stripe sends again. */
  readonly #refused = new Set<number>();
  #spent = 0;

  constructor(readonly stage: Stage) {
    this.#chapters = chaptersOf(stage.scenario, stage.stripe, stage.checkout.sessionId);
  }

  async run(): Promise<void> {
    const { scenario, stripe } = this.stage;
    for (const [now, { happen, type, object }] of this.#chapters.entries()) {
      happen();
      this.#events.push(stripe.event(type, object()));
      await this.#sendAll(this.#dueAt(now));
      if (scenario.looks.includes(now)) {
        await this.#look();
      }
      await this.#check();
      await this.#spend();
    }
  }

  async end(): Promise<void> {
    const { scenario, account, checkout } = this.stage;
    for (const index of this.#refused) {
      await this.#send({ index, failure: null });
    }
    await this.#look();
    await this.#check();
    const credits = (await paymentEntries(account.id)).filter(([kind]) => kind === "top_up");
    expect(credits).toEqual(isPaid(scenario.method) ? [["top_up", PAID]] : []);
    const { balance } = await readMoney(account.id);
    expect(Number(balance) / 10_000).toBe(balanceAfter(scenario, this.#spent));
    const row = await db().checkoutSession.findUniqueOrThrow({ where: { id: checkout.id } });
    expect(row.status).toBe(STATUSES[scenario.method]);
  }

  /** An event can't arrive before it is sent, and arrives by the end of the scenario. */
  #dueAt(now: number): Due[] {
    const last = this.#chapters.length - 1;
    return this.#events.flatMap((_, index) =>
      (this.stage.scenario.deliveries[index] ?? [])
        .filter(({ after }) => Math.min(Math.max(after, index), last) === now)
        .map(({ failure }) => ({ index, failure })),
    );
  }

  async #sendAll(due: Due[]): Promise<void> {
    if (this.stage.scenario.isParallel) {
      await Promise.all(due.map((one) => this.#send(one)));
      await this.#calm();
      return;
    }
    for (const one of due.reverse()) {
      await this.#send(one);
      await this.#calm();
    }
  }

  async #send({ index, failure }: Due): Promise<void> {
    const { stripe, database, account } = this.stage;
    if (failure === "stripe") {
      stripe.fail(1);
    } else if (failure) {
      await database.arm(account.id, failure);
    }
    const event = this.#events[index];
    const { status } = event ? await deliver(event) : { status: 0 };
    expect([200, 500]).toContain(status);
    if (status === 500) {
      this.#refused.add(index);
    }
  }

  async #calm(): Promise<void> {
    this.stage.stripe.recover();
    await this.stage.database.disarm();
  }

  /** Loads the checkout, as the return page does for the payer. */
  async #look(): Promise<void> {
    const { account, checkout } = this.stage;
    const { status } = await call("GET", `/api/billing/checkout-sessions/${checkout.id}`, {
      headers: await browserOf(account.ctx),
    });
    expect(status).toBe(200);
  }

  async #check(): Promise<void> {
    const { balance, ledgerSum } = await readMoney(this.stage.account.id);
    expect(balance).toBe(ledgerSum);
    expect(balance).toBeGreaterThanOrEqual(0n);
  }

  /** Spends the scenario's amount, up to the account's balance. */
  async #spend(): Promise<void> {
    const { scenario, account } = this.stage;
    const { balance } = await readMoney(account.id);
    const cents = Math.min(scenario.spending - this.#spent, Math.floor(Number(balance) / 10_000));
    if (cents > 0) {
      this.#spent += cents;
      await credit(account.id, {
        kind: "adjustment",
        amountMicros: BigInt(cents) * -10_000n,
        reference: newId("ledgerEntry"),
      });
    }
  }
}

interface Due {
  index: number;
  failure: Break | "stripe" | null;
}

describe("a payment's events", () => {
  it(
    "result in one credit and the right balance, in any order and number, despite failures",
    async () => {
      const stripe = await startFakeStripe({ retries: 0 });
      const database = await breakableDatabase();
      await fc.assert(
        fc.asyncProperty(story, async (scenario) => {
          const account = await makeKeyedAccount();
          await setBalance(account.id, 0);
          const checkout = await openCheckout(account.key, PAID);
          const play = new Play({ scenario, stripe, database, account, checkout });
          await play.run();
          await play.end();
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    120_000 * FUZZ_FACTOR,
  );

  it("are not undone by a stale read", async () => {
    const { stripe, account, checkout } = await begin();
    const payment = stripe.pay(checkout.sessionId);
    const dispute = stripe.dispute(payment, PAID);
    const about = { id: dispute.id, payment_intent: payment };
    const slow = await slowly(() => deliver(stripe.event("charge.dispute.created", about)));
    stripe.closeDispute(dispute.id, "won");
    await deliver(stripe.event("charge.dispute.closed", about));
    expect(await paymentEntries(account.id)).toEqual([["top_up", PAID]]);
    expect((await slow.finish()).status).toBe(200);
    expect(await paymentEntries(account.id)).toEqual([["top_up", PAID]]);
    const reversals = await db().paymentReversal.findMany({
      where: { payment: { accountId: account.id } },
    });
    expect(reversals).toMatchObject([{ state: "won", isDebited: false }]);
  });

  it("leave a paid checkout paid, despite a stale read", async () => {
    const { stripe, account, checkout } = await begin();
    stripe.payLater(checkout.sessionId);
    const object = { id: checkout.sessionId };
    const slow = await slowly(() => deliver(stripe.event("checkout.session.completed", object)));
    stripe.settle(checkout.sessionId);
    await deliver(stripe.event("checkout.session.async_payment_succeeded", object));
    expect((await slow.finish()).status).toBe(200);
    expect(await paymentEntries(account.id)).toEqual([["top_up", PAID]]);
    const row = await db().checkoutSession.findUniqueOrThrow({ where: { id: checkout.id } });
    expect(row.status).toBe("paid");
  });
});

async function begin() {
  const stripe = await startFakeStripe();
  const account = await makeKeyedAccount();
  await setBalance(account.id, 0);
  return { stripe, account, checkout: await openCheckout(account.key, PAID) };
}

/** Starts a delivery that reads the session now but writes the result only on `finish()`. */
async function slowly<T>(begin: () => Promise<T>): Promise<{ finish: () => Promise<T> }> {
  const provider = paymentProvider();
  const read = Promise.withResolvers<void>();
  const overtaken = Promise.withResolvers<void>();
  replacePaymentProvider({
    ...provider,
    readSession: async (session) => {
      const facts = await provider.readSession(session);
      read.resolve();
      await overtaken.promise;
      return facts;
    },
  });
  const delivery = begin();
  await read.promise;
  replacePaymentProvider(provider);
  return {
    finish: () => {
      overtaken.resolve();
      return delivery;
    },
  };
}
