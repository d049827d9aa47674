import { createHmac } from "node:crypto";
import { type Env, env, isProduction } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { processSingleton } from "@/lib/singleton";
import type { PaymentProviderName } from "../schema";
import type { PaymentProvider } from "./port";
import { type SimulatedProvider, simulatedProvider } from "./simulated";
import { stripeProvider } from "./stripe";

const payments = processSingleton(
  "payment provider",
  (): { provider?: PaymentProvider | undefined } => ({}),
);

/**
 * Who takes payments by these variables; null: nobody. A checkout that gives money for nothing is never a
 * production's default: it must be asked for.
 */
export function chooseProvider(
  variables: Pick<Env, "PAYMENTS" | "STRIPE_SECRET_KEY">,
  production: boolean,
): PaymentProviderName | null {
  if (variables.PAYMENTS) {
    return variables.PAYMENTS;
  }
  if (variables.STRIPE_SECRET_KEY) {
    return "stripe";
  }
  return production ? null : "simulated";
}

/** The name of who takes payments here; null when nobody does. Opens nothing, so it needs no secret. */
export function paymentProviderName(): PaymentProviderName | null {
  return payments.provider?.name ?? chooseProvider(env, isProduction);
}

/** Who takes payments here; null when nobody does. */
export function findPaymentProvider(): PaymentProvider | null {
  if (!payments.provider) {
    const name = chooseProvider(env, isProduction);
    payments.provider = (name && open(name)) ?? undefined;
  }
  return payments.provider ?? null;
}

/** Who takes payments here. Throws upstream_error when nobody does. */
export function paymentProvider(): PaymentProvider {
  const provider = findPaymentProvider();
  if (!provider) {
    throw new AppError(
      "upstream_error",
      "This server takes no payments yet. Its operator sets STRIPE_SECRET_KEY, or PAYMENTS=simulated for a demonstration.",
    );
  }
  return provider;
}

/** Puts another provider in place of the one the environment names; undefined takes it away again. */
export function replacePaymentProvider(provider: PaymentProvider | undefined): void {
  if (provider) {
    payments.provider = provider;
  } else {
    delete payments.provider;
  }
}

/** The simulated checkout. Throws not_found where payments are real: nobody may give themselves money there. */
export function simulatedPayments(): SimulatedProvider {
  const provider = findPaymentProvider();
  if (provider?.name !== "simulated") {
    throw new AppError(
      "not_found",
      "There is no simulated checkout on this server. Add funds on the billing page.",
    );
  }
  return provider as SimulatedProvider;
}

function open(name: PaymentProviderName): PaymentProvider {
  return name === "stripe"
    ? stripeProvider({
        secretKey: env.STRIPE_SECRET_KEY ?? "",
        webhookSecret: env.STRIPE_WEBHOOK_SECRET ?? "",
        apiBase: env.STRIPE_API_BASE,
      })
    : simulatedProvider(simulatedSecret());
}

/** Events of the simulated checkout are signed too; every process must come to the same secret. */
function simulatedSecret(): string {
  const secret = env.STRIPE_WEBHOOK_SECRET ?? env.NEXTAUTH_SECRET;
  if (!secret) {
    throw new Error(
      "NEXTAUTH_SECRET is not set. `npm start` makes one; elsewhere set it to 32 random bytes.",
    );
  }
  return `whsec_${createHmac("sha256", secret).update("simulated checkout").digest("base64url")}`;
}
