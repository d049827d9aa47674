import "server-only";

import { AppError } from "@/lib/errors";
import { toAppError } from "@/lib/http/error-response";
import type { PaymentEvent, PaymentProvider } from "../vendor/port";
import { paymentProvider } from "../vendor/provider";
import { syncCheckoutSession } from "./sync-checkout";

/**
 * Brings the sessions that an event tells of to what the provider says of them now. An event of no concern is
 * received too. Every failure is an internal_error: the provider then sends the event again.
 */
export async function receivePaymentEvent(event: PaymentEvent): Promise<{ received: true }> {
  try {
    const provider = paymentProvider();
    for (const sessionId of await sessionsOf(provider, event)) {
      await syncCheckoutSession(provider, sessionId, event);
    }
  } catch (thrown) {
    throw toAppError(
      thrown instanceof AppError ? (thrown.cause ?? new Error(thrown.message)) : thrown,
    );
  }
  return { received: true };
}

async function sessionsOf(provider: PaymentProvider, { about }: PaymentEvent): Promise<string[]> {
  if (!about) {
    return [];
  }
  return "sessionId" in about ? [about.sessionId] : provider.findSessions(about.paymentReference);
}
