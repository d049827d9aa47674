import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SimulatedCheckoutView } from "@/components/billing/simulated-checkout-view";
import { findSimulatedCheckout } from "@/lib/money/billing/read/checkout";

export const metadata: Metadata = { title: "Simulated checkout", robots: { index: false } };

export default async function SimulatedCheckoutPage({
  params,
}: {
  params: Promise<{ id: string }>;
}) {
  const { id } = await params;
  const checkout = await findSimulatedCheckout(id);
  if (!checkout) {
    notFound();
  }
  return <SimulatedCheckoutView checkout={checkout} />;
}
