import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SimulatedCheckoutView } from "@/components/billing/simulated-checkout-view";
import { findSimulatedCheckout } from "@/lib/billing/read/checkout";

export const metadata: Metadata = { title: "Simulated checkout", robots: { index: false } };

interface SimulatedCheckoutPageProps {
  params: Promise<{ id: string }>;
}

export default async function SimulatedCheckoutPage({ params }: SimulatedCheckoutPageProps) {
  const { id } = await params;
  const checkout = await findSimulatedCheckout(id);
  if (!checkout) {
    notFound();
  }
  return <SimulatedCheckoutView checkout={checkout} />;
}
