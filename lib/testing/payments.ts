import { onTestFinished } from "vitest";
import { replacePaymentProvider } from "@/lib/money/billing/vendor/provider";
import { type StripeOptions, stripeProvider } from "@/lib/money/billing/vendor/stripe";
import type { MemberContext } from "@/lib/platform/auth/context";
import { db } from "@/lib/platform/db/client";
import { call } from "./api";
import { FakeStripe, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } from "./fake-stripe-server";
import { signedIn } from "./session";

/** Uses a scripted Stripe for payments until the test ends. */
export async function startFakeStripe(options: Partial<StripeOptions> = {}): Promise<FakeStripe> {
  const stripe = await FakeStripe.start();
  replacePaymentProvider(
    stripeProvider({
      secretKey: STRIPE_SECRET_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
      apiBase: stripe.url,
      ...options,
    }),
  );
  onTestFinished(async () => {
    replacePaymentProvider(undefined);
    await stripe.close();
  });
  return stripe;
}

/** A signed-in member's headers. */
export function browserOf(ctx: MemberContext, headers: Record<string, string> = {}) {
  return signedIn(ctx.actor.id, headers);
}

/** Creates a checkout with a key; returns our id and the provider's. */
export async function openCheckout(
  key: string,
  amount = 2500,
): Promise<{ id: string; sessionId: string }> {
  const { json } = await call("POST", "/v1/billing/checkout-sessions", { key, body: { amount } });
  const { providerId } = await db().checkoutSession.findUniqueOrThrow({ where: { id: json.id } });
  return { id: json.id, sessionId: providerId ?? "" };
}

/** Delivers an event to the webhook. */
export function deliver(event: { raw: string; headers: Record<string, string> }) {
  return call("POST", "/api/webhooks/stripe", event);
}

/** The account's payment entries, oldest first, in cents. */
export async function paymentEntries(accountId: string): Promise<[string, number][]> {
  const entries = await db().ledgerEntry.findMany({
    where: { accountId, kind: { in: ["top_up", "refund"] } },
    orderBy: { id: "asc" },
  });
  return entries.map(({ kind, amountMicros }) => [kind, Number(amountMicros) / 10_000]);
}
