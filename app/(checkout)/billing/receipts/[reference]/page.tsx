import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { NoReceipt } from "@/components/billing/no-receipt";
import { SimulatedReceiptView } from "@/components/billing/simulated-receipt-view";
import { requireMember } from "@/lib/auth/page-gate";
import { findReceipt } from "@/lib/billing/read/receipt";

export const metadata: Metadata = { title: "Receipt", robots: { index: false } };

/** Redirects to the provider's receipt, or shows the receipt of a simulated payment. */
export default async function ReceiptPage({ params }: { params: Promise<{ reference: string }> }) {
  const { reference } = await params;
  const path = `/billing/receipts/${encodeURIComponent(reference)}`;
  const receipt = await findReceipt(await requireMember(path), reference);
  if (!receipt) {
    notFound();
  }
  if ("url" in receipt) {
    redirect(receipt.url);
  }
  return "problem" in receipt ? (
    <NoReceipt title="This receipt isn’t available" text={receipt.problem} retryUrl={path} />
  ) : (
    <SimulatedReceiptView receipt={receipt.simulated} />
  );
}
