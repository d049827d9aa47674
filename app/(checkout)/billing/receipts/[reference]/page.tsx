import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { NoReceipt } from "@/components/billing/no-receipt";
import { SimulatedReceiptView } from "@/components/billing/simulated-receipt-view";
import { findReceipt } from "@/lib/money/billing/read/receipt";
import { requireMember } from "@/lib/platform/auth/page-gate";

export const metadata: Metadata = { title: "Receipt", robots: { index: false } };

interface PageProps {
  params: Promise<{ reference: string }>;
  searchParams: Promise<{ invoice?: string | string[] }>;
}

/** Redirects to the provider's receipt or invoice, or shows the receipt of a simulated payment. */
export default async function ReceiptPage({ params, searchParams }: PageProps) {
  const [{ reference }, { invoice }] = await Promise.all([params, searchParams]);
  const paper = invoice === "1" ? "invoice" : "receipt";
  const query = paper === "invoice" ? "?invoice=1" : "";
  const path = `/billing/receipts/${encodeURIComponent(reference)}${query}`;
  const receipt = await findReceipt(await requireMember(path), reference, paper);
  if (!receipt) {
    notFound();
  }
  if ("url" in receipt) {
    redirect(receipt.url);
  }
  return "problem" in receipt ? (
    <NoReceipt title={`This ${paper} isn’t available`} text={receipt.problem} retryUrl={path} />
  ) : (
    <SimulatedReceiptView receipt={receipt.simulated} />
  );
}
