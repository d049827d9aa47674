import type { Metadata } from "next";
import { connection } from "next/server";
import { AccountCard } from "@/components/auth/account-card";
import { ForgotPasswordForm } from "@/components/auth/forgot-password-form";
import { resetDelivery } from "@/lib/platform/auth/write/reset";

export const metadata: Metadata = { title: "Forgot password" };

export default async function ForgotPasswordPage() {
  // Whether email can be sent is known at run time, not at build time.
  await connection();
  return (
    <AccountCard
      title="Forgot your password?"
      other={{ question: "Remember your password?", name: "Sign in", href: "/sign-in" }}
    >
      <ForgotPasswordForm delivery={resetDelivery()} />
    </AccountCard>
  );
}
