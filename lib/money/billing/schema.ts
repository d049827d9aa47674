import * as z from "zod";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { cursorPageOf, pageCursor } from "@/lib/platform/http/list-page";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";
import { CHECKOUT_CURRENCY, MAX_AMOUNT, MIN_AMOUNT } from "./checkout";

/** Amounts are decimal strings of US dollars with six places. */
export const Credits = z.object({
  object: z.literal("billing.credits"),
  currency: z.literal("usd"),
  balance_usd: z.string(),
  held_usd: z.string().describe("Reserved for running requests."),
  available_usd: z.string().describe("What new requests can use: balance minus holds."),
  outstanding_usd: z
    .string()
    .describe("Refunds and disputes that the balance didn't cover; taken from the next funds."),
  outstanding_reason: z
    .enum(["refund", "dispute", "refund_and_dispute"])
    .nullable()
    .describe("Why it is outstanding; null if nothing is."),
  updated_at: z.string(),
});
export type Credits = z.infer<typeof Credits>;

export const LEDGER_FILTERS = ["usage", "payments"] as const;
export type LedgerFilter = (typeof LEDGER_FILTERS)[number];

export const ListLedger = z.strictObject({
  after: pageCursor("txn_"),
  kind: z
    .enum(LEDGER_FILTERS)
    .optional()
    .describe("Only these entries. `payments`: everything but usage."),
  limit: z.coerce.number().int().min(1).max(100).default(50).describe("Entries per page."),
});
export type ListLedger = z.output<typeof ListLedger>;

export const LedgerEntry = z.object({
  id: z.string(),
  kind: z.enum(["top_up", "usage", "grant", "refund", "adjustment"]),
  amount_usd: z.string().describe("Negative for a debit."),
  balance_after_usd: z
    .string()
    .nullable()
    .describe("The balance after this entry; null in a filtered list."),
  description: z.string().nullable(),
  reference: z.string().describe("Unique, so an entry is never recorded twice."),
  payment: z
    .string()
    .nullable()
    .describe("A top-up's payment, which identifies its receipt; null for other kinds."),
  request: z.string().nullable().describe("The request that was charged; null for other kinds."),
  created_at: z.string(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

export const LedgerPage = cursorPageOf(LedgerEntry);
export type LedgerPage = z.infer<typeof LedgerPage>;

export const GetStatement = z.strictObject({
  month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, "Use a month such as 2026-11."),
});

const returnUrl = z
  .string()
  .max(2000, "Use an address of at most 2,000 characters.")
  .meta({ pattern: "^https?://" })
  .refine(isPostgresText, "Use an address without control characters.");

/** A purchase of balance. Return URLs: https, or http on localhost in development; default: the console. */
export const CreateCheckout = nullsAbsent(
  z.strictObject({
    amount: z
      .number()
      .int("Give the amount in whole cents.")
      .min(MIN_AMOUNT, `Use at least ${MIN_AMOUNT} cents.`)
      .max(MAX_AMOUNT, `Use at most ${MAX_AMOUNT.toLocaleString("en-US")} cents.`)
      .describe("In cents."),
    success_url: returnUrl.optional().describe("Where the payer returns after paying."),
    cancel_url: returnUrl.optional().describe("Where the payer returns without paying."),
  }),
);
export type CreateCheckout = z.infer<typeof CreateCheckout>;

/** `processing`: paid by a method that takes days to settle; `failed`: that payment didn't settle. */
export const CheckoutStatus = z.enum(["open", "processing", "paid", "failed", "expired"]);
export type CheckoutStatus = z.infer<typeof CheckoutStatus>;

export const CheckoutSession = z.object({
  id: z.string(),
  object: z.literal("billing.checkout_session"),
  url: z.string().describe("The payment page."),
  status: CheckoutStatus,
  amount: z.int().describe("In cents."),
  currency: z.literal(CHECKOUT_CURRENCY),
  expires_at: z.string(),
});
export type CheckoutSession = z.infer<typeof CheckoutSession>;

export const CheckoutParams = z.object({
  id: z.string().max(100).describe("The checkout session's id, which begins with `cs_`."),
});

const TokenPrices = z.object({
  input_usd_per_million: z.string(),
  output_usd_per_million: z.string(),
  cached_input_usd_per_million: z
    .string()
    .optional()
    .describe(
      "Price of prompt tokens that the model's provider had cached. If absent, they cost the same as other input tokens.",
    ),
  cache_write_usd_per_million: z
    .string()
    .optional()
    .describe(
      "Price of prompt tokens that the model's provider wrote to its cache. If absent, they cost the same as other input tokens.",
    ),
});

/** All prices, as decimal strings of US dollars. */
export const Rates = z.object({
  models: z.array(z.object({ id: z.string(), core: TokenPrices, grounded: TokenPrices })),
  search_usd: z.string(),
  /** For each citation after the free ones of a request. */
  verification_usd_per_citation: z.string(),
  verification_free_citations: z.int(),
  embedding_model: z
    .string()
    .nullable()
    .describe("What `POST /v1/embeddings` takes as `model`; null if this server has none."),
  embedding_usd_per_million_tokens: z.string(),
  ingest_usd_per_thousand_tokens: z.string(),
  ocr_usd_per_page: z
    .string()
    .describe("For each page of an uploaded document whose text is recognized in its image."),
  failed_parsing_usd_per_cpu_second: z
    .string()
    .describe("Charged only for a document whose parsing exceeds its limits."),
});
export type Rates = z.infer<typeof Rates>;

export const PaymentProviderName = z.enum(["stripe", "simulated"]);
export type PaymentProviderName = z.infer<typeof PaymentProviderName>;

/** Payment settings, with amounts in cents, and prices. */
export const CheckoutConfig = z.object({
  object: z.literal("billing.checkout_config"),
  provider: PaymentProviderName.nullable().describe("Null if this server takes no payments."),
  currency: z.literal(CHECKOUT_CURRENCY),
  min_amount: z.int(),
  max_amount: z.int(),
  presets: z.array(z.int()),
  rates: Rates,
});
export type CheckoutConfig = z.infer<typeof CheckoutConfig>;

/** `pay_later` is a payment that takes days; `settle` and `fail` end it. */
export const SimulatedAction = z.enum(["pay", "pay_later", "decline", "expire", "settle", "fail"]);
export type SimulatedAction = z.infer<typeof SimulatedAction>;

export const ActOnSimulatedCheckout = z.strictObject({ action: SimulatedAction });

/** A checkout, for the simulated provider's page. */
export interface SimulatedCheckout {
  id: string;
  /** Cents. */
  amount: number;
  currency: string;
  status: CheckoutStatus;
  paymentStatus: "unpaid" | "paid";
  successUrl: string;
  cancelUrl: string;
  accountName: string;
  expiresAt: string;
}

export const SimulatedAnswer = z.object({
  object: z.literal("simulated_checkout"),
  id: z.string(),
  status: CheckoutStatus,
  payment_status: z.enum(["unpaid", "paid"]),
  return_url: z.string().describe("Where the payer is sent afterwards."),
  declined: z.boolean().describe("Whether the payment was declined. The checkout stays open."),
});
export type SimulatedAnswer = z.infer<typeof SimulatedAnswer>;

const MAX_THRESHOLD_USD = 100_000;

/** A decimal string of whole cents above 0. */
function isThreshold(text: string): boolean {
  return (
    /^\d{1,9}(\.\d{1,2})?$/.test(text) && Number(text) > 0 && Number(text) <= MAX_THRESHOLD_USD
  );
}

/** The balance, in US dollars, below which the account's owners get an email; null: never. */
export const SetLowBalance = z.strictObject({
  threshold_usd: z
    .string("Give an amount as text, such as '25.00', or null for no email.")
    .refine(isThreshold, "Use dollars and cents from '0.01' to '100000', such as '25' or '25.50'.")
    .nullable(),
});
export type SetLowBalance = z.infer<typeof SetLowBalance>;

export const LowBalance = z.object({
  object: z.literal("billing.low_balance"),
  threshold_usd: z.string().nullable(),
  can_change: z.boolean().describe("Whether this member can change it."),
  can_mail: z.boolean().describe("Whether this server can send email."),
});
export type LowBalance = z.infer<typeof LowBalance>;

/** A simulated payment, for its receipt page. Amounts are decimal strings of US dollars. */
export interface SimulatedReceipt {
  reference: string;
  checkoutId: string;
  accountName: string;
  amountUsd: string;
  /** Refunded or disputed. */
  refundedUsd: string;
  method: "card" | "bank_debit";
  paidAt: string;
}

/** A usage record's details for the request page: ids, counts and times, never text. */
export const UsageDetails = z.object({
  completion_id: z.string().optional(),
  is_stream: z.boolean().optional(),
  /** Milliseconds by stage: retrieval, model, verification. */
  stages_ms: z.record(z.string(), z.number()).optional(),
  sources: z
    .array(
      z.object({
        id: z.number(),
        document_id: z.string(),
        chunk_id: z.string(),
        scope: z.string(),
        similarity: z.number(),
        cited: z.boolean(),
      }),
    )
    .optional(),
  /** Summed over the choices. */
  verification: z.record(z.string(), z.union([z.number(), z.string(), z.null()])).optional(),
  is_stored: z.boolean().optional(),
  error_code: z.string().optional(),
});
export type UsageDetails = z.infer<typeof UsageDetails>;
