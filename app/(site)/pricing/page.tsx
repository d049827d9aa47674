import type { Metadata } from "next";
import { connection } from "next/server";
import { PriceList } from "@/components/billing/price-list";
import { listRates } from "@/lib/models/rate-list";

export const metadata: Metadata = {
  title: "Pricing",
  description: "Pay per token, search and document. No subscription.",
};

export default async function PricingPage() {
  // Rates are set at run time, not at build time.
  await connection();
  return <PriceList rates={listRates()} />;
}
