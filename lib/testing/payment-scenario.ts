import fc from "fast-check";
import type { Break } from "./database-failure";
import type { FakeStripe } from "./fake-stripe-server";

/** In cents. */
export const PAID = 2500;

/** The history of a checkout. Amounts in cents. */
export interface Story {
  method: "card" | "debit" | "failing debit" | "abandoned";
  refunds: { amount: number; end: "pending" | "succeeded" | "failed" }[];
  dispute: { amount: number; end: "open" | "won" | "lost" } | null;
  /** What the account spends after the credit, as far as possible. */
  spending: number;
  /** For each step: when its event arrives, counted in steps, and what goes wrong. */
  deliveries: { after: number; failure: Break | "stripe" | null }[][];
  /** The steps after which the payer opens the return page. */
  looks: number[];
  isParallel: boolean;
}

const MOST_CHAPTERS = 8;
const chapter = fc.nat({ max: MOST_CHAPTERS });
const amount = fc.integer({ min: 1, max: PAID });

export const story: fc.Arbitrary<Story> = fc.record({
  method: fc.oneof(
    { weight: 3, arbitrary: fc.constant("card" as const) },
    { weight: 3, arbitrary: fc.constant("debit" as const) },
    { weight: 1, arbitrary: fc.constant("failing debit" as const) },
    { weight: 1, arbitrary: fc.constant("abandoned" as const) },
  ),
  refunds: fc.array(fc.record({ amount, end: fc.constantFrom("pending", "succeeded", "failed") }), {
    maxLength: 2,
  }),
  dispute: fc.option(fc.record({ amount, end: fc.constantFrom("open", "won", "lost") })),
  spending: fc.oneof(fc.constant(0), amount),
  deliveries: fc.array(
    fc.array(
      fc.record({
        after: chapter,
        failure: fc.constantFrom(null, null, "entry", "commit", "stripe"),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    { minLength: MOST_CHAPTERS, maxLength: MOST_CHAPTERS },
  ),
  looks: fc.array(chapter, { maxLength: 3 }),
  isParallel: fc.boolean(),
});

/** A step at Stripe and its event. */
export interface Chapter {
  happen(): void;
  type: string;
  object: () => object;
}

/** The steps at Stripe, in order. */
export function chaptersOf(
  { method, refunds, dispute }: Story,
  stripe: FakeStripe,
  sessionId: string,
) {
  let payment = "";
  const session = () => ({ id: sessionId });
  const tell = (happen: () => void, type: string, object: () => object): Chapter => ({
    happen,
    type,
    object,
  });
  const begin = (start: () => string | undefined, type: string) =>
    tell(
      () => {
        payment = start() ?? "";
      },
      `checkout.session.${type}`,
      session,
    );
  const later = (end: () => void, type: string) => [
    begin(() => stripe.payLater(sessionId), "completed"),
    tell(end, `checkout.session.${type}`, session),
  ];
  const beginnings: Record<Story["method"], () => Chapter[]> = {
    card: () => [begin(() => stripe.pay(sessionId), "completed")],
    debit: () => later(() => stripe.settle(sessionId), "async_payment_succeeded"),
    "failing debit": () => later(() => stripe.decline(sessionId), "async_payment_failed"),
    abandoned: () => [tell(() => stripe.expire(sessionId), "checkout.session.expired", session)],
  };
  const about = () => ({ id: "any", payment_intent: payment });
  const reversals = [
    ...refunds.flatMap(({ amount, end }) => {
      let refund: { status: string } = { status: "" };
      return [
        tell(
          () => {
            refund = stripe.refund(payment, amount, "pending");
          },
          "charge.refunded",
          about,
        ),
        tell(
          () => {
            refund.status = end;
          },
          end === "failed" ? "refund.failed" : "refund.updated",
          about,
        ),
      ];
    }),
    ...(dispute ? disputeChapters(dispute, stripe, () => payment) : []),
  ];
  return [...beginnings[method](), ...(isPaid(method) ? reversals : [])];
}

function disputeChapters(
  { amount, end }: NonNullable<Story["dispute"]>,
  stripe: FakeStripe,
  payment: () => string,
): Chapter[] {
  let id = "";
  const object = () => ({ id, payment_intent: payment() });
  const open = () => {
    id = stripe.dispute(payment(), amount).id;
  };
  const close = () => {
    if (end !== "open") {
      stripe.closeDispute(id, end);
    }
  };
  return [
    { happen: open, type: "charge.dispute.created", object },
    { happen: close, type: "charge.dispute.closed", object },
  ];
}

export function isPaid(method: Story["method"]): boolean {
  return method === "card" || method === "debit";
}

/** The account's final balance in cents. */
export function balanceAfter({ method, refunds, dispute }: Story, spent: number): number {
  if (!isPaid(method)) {
    return 0;
  }
  const refunded = refunds
    .filter(({ end }) => end !== "failed")
    .reduce((sum, refund) => sum + refund.amount, 0);
  const disputed = dispute && dispute.end !== "won" ? dispute.amount : 0;
  return Math.max(0, PAID - spent - Math.min(PAID, refunded + disputed));
}

/** The checkout's final status. */
export const STATUSES: Record<Story["method"], string> = {
  card: "paid",
  debit: "paid",
  "failing debit": "failed",
  abandoned: "expired",
};
