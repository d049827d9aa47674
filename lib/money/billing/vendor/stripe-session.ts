import type Stripe from "stripe";
import type { PurchaseOrder } from "./port";

const PRODUCT_NAME = "Footnote balance";

/** What a deployment adds to its checkouts. */
export interface CheckoutSettings {
  /** An invoice for each payment. */
  invoices: boolean;
  /** Stripe Tax on top of the amount. */
  automaticTax: boolean;
  /** Asks businesses for their tax id. */
  taxIds: boolean;
}

export function toSessionParams(
  order: PurchaseOrder,
  settings: CheckoutSettings,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { account_id: order.account_id, checkout_session_id: order.id };
  return {
    mode: "payment",
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: order.currency,
          unit_amount: order.amount,
          product_data: { name: PRODUCT_NAME },
          // The amount is what the balance gets.
          ...(settings.automaticTax && { tax_behavior: "exclusive" as const }),
        },
      },
    ],
    // Charge in the currency of the balance, so that refunds and disputes use it too.
    adaptive_pricing: { enabled: false },
    client_reference_id: order.account_id,
    metadata,
    payment_intent_data: {
      metadata,
      ...(order.receipt_email && { receipt_email: order.receipt_email }),
    },
    ...payerParams(order, settings),
    ...(settings.invoices && { invoice_creation: { enabled: true, invoice_data: { metadata } } }),
    ...(settings.automaticTax && { automatic_tax: { enabled: true } }),
    ...(settings.taxIds && { tax_id_collection: { enabled: true } }),
    success_url: order.success_url,
    cancel_url: order.cancel_url,
  };
}

/** Stripe fills in the address of its customer; without one, it takes ours. */
function payerParams(
  { customer_id, receipt_email }: PurchaseOrder,
  { automaticTax, taxIds }: CheckoutSettings,
) {
  if (!customer_id) {
    return receipt_email ? { customer_email: receipt_email } : {};
  }
  const isUpdated = automaticTax || taxIds;
  return {
    customer: customer_id,
    ...(isUpdated && { customer_update: { address: "auto" as const, name: "auto" as const } }),
  };
}
