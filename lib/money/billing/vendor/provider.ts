import { createHmac } from "node:crypto";
import { AppError, notFound } from "@/lib/errors";
import { type Env, env, isProduction } from "@/lib/platform/env";
import { readBytes } from "@/lib/platform/http/read-body";
import type { Gate } from "@/lib/platform/http/route";
import { processSingleton } from "@/lib/singleton";
import type { PaymentProviderName } from "../schema";
import type { PaymentEvent, PaymentProvider } from "./port";
import { type SimulatedProvider, simulatedProvider } from "./simulated";
import { stripeProvider } from "./stripe";

/** Stripe's events are far below this. */
const MAX_EVENT_BYTES = 1024 * 1024;

const payments = processSingleton(
  "payment provider",
  (): { provider?: PaymentProvider | undefined } => ({}),
);

/** The provider these variables choose, or null. The simulated one is never the default in production. */
export function chooseProvider(
  variables: Pick<Env, "PAYMENTS" | "STRIPE_SECRET_KEY">,
  production: boolean,
): PaymentProviderName | null {
  const fallback = production ? null : "simulated";
  return variables.PAYMENTS ?? (variables.STRIPE_SECRET_KEY ? "stripe" : fallback);
}

/** The configured provider's name, or null. Needs no secret. */
export function paymentProviderName(): PaymentProviderName | null {
  return payments.provider?.name ?? chooseProvider(env, isProduction);
}

/** The configured provider, or null. */
export function findPaymentProvider(): PaymentProvider | null {
  const name = chooseProvider(env, isProduction);
  payments.provider ??= name ? open(name) : undefined;
  return payments.provider ?? null;
}

/** The configured provider. Throws upstream_error when there is none. */
export function paymentProvider(): PaymentProvider {
  const provider = findPaymentProvider();
  if (!provider) {
    throw new AppError(
      "upstream_error",
      "This server takes no payments yet. Its operator has to set STRIPE_SECRET_KEY, or PAYMENTS=simulated for a demonstration.",
    );
  }
  return provider;
}

/** The webhook's gate: an event signed over its raw body. Throws invalid_request. */
export function stripeSignature(): Gate<{ event: PaymentEvent }> {
  return async (request) => {
    const provider = findPaymentProvider();
    if (!provider) {
      throw notFound("This server takes no payments. It expects no such events.");
    }
    const body = await readBytes(request, MAX_EVENT_BYTES);
    const event = await provider.readEvent(body, request.headers.get("stripe-signature"));
    return { ctx: { event } };
  };
}

/** Overrides the configured provider in tests; undefined ends that. */
export function replacePaymentProvider(provider: PaymentProvider | undefined): void {
  payments.provider = provider;
}

/** The simulated provider. Throws not_found where payments are real: nobody may credit themselves there. */
export function simulatedPayments(): SimulatedProvider {
  const provider = findPaymentProvider();
  if (provider?.name !== "simulated") {
    throw notFound("There is no simulated checkout on this server. Add funds on the billing page.");
  }
  return provider as SimulatedProvider;
}

function open(name: PaymentProviderName): PaymentProvider {
  return name === "stripe"
    ? stripeProvider({
        secretKey: env.STRIPE_SECRET_KEY ?? "",
        webhookSecret: env.STRIPE_WEBHOOK_SECRET ?? "",
        apiBase: env.STRIPE_API_BASE,
        invoices: env.STRIPE_INVOICES,
        automaticTax: env.STRIPE_AUTOMATIC_TAX,
        taxIds: env.STRIPE_TAX_IDS,
      })
    : simulatedProvider(simulatedSecret());
}

/** Signs the simulated provider's events; derived, so that every process has the same. */
function simulatedSecret(): string {
  const secret = env.STRIPE_WEBHOOK_SECRET ?? env.NEXTAUTH_SECRET;
  if (!secret) {
    throw new Error(
      "NEXTAUTH_SECRET is not set. `npm start` makes one; elsewhere set it to 32 random bytes.",
    );
  }
  return `whsec_${createHmac("sha256", secret).update("simulated checkout").digest("base64url")}`;
}
