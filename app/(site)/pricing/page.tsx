import type { Metadata } from "next";
import { connection } from "next/server";
import { PriceList } from "@/components/billing/price-list";
import { listRates } from "@/lib/models/rates";

export const metadata: Metadata = {
  title: "Pricing",
  description: "Pay per token, search and document. No subscription.",
};

export default async function PricingPage() {
  // The rates are those of the running process, not of the build.
  await connection();
  return <PriceList rates={listRates()} />;
}
