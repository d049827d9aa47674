import "server-only";

import type { MemberContext } from "@/lib/auth/context";
import { asSystem } from "@/lib/db/tenant-context";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { getCheckoutRow, toCheckout } from "../read/checkout";
import type { CheckoutSession } from "../schema";
import { findPaymentProvider } from "../vendor/provider";
import { syncCheckoutSession } from "./sync-checkout";

/**
 * One of the account's checkouts as the provider has it now, credited when it was paid: the return page does
 * not depend on an event's coming first. A provider that is away leaves it as it is stored. Throws not_found.
 */
export async function refreshCheckout(ctx: MemberContext, id: string): Promise<CheckoutSession> {
  const row = await getCheckoutRow(ctx, id);
  const provider = findPaymentProvider();
  const isUndecided = row.status === "open" || row.status === "processing";
  if (!isUndecided || !row.provider_id || provider?.name !== row.provider) {
    return toCheckout(row);
  }
  try {
    // The provider's word is written as its events are, for the account that it names.
    const { provider_id } = row;
    await asSystem(() => syncCheckoutSession(provider, provider_id));
  } catch (thrown) {
    if (!(thrown instanceof AppError)) {
      throw thrown;
    }
    log.warn({ err: thrown.cause, checkout: id }, "a checkout could not be read back");
    return toCheckout(row);
  }
  return toCheckout(await getCheckoutRow(ctx, id));
}
