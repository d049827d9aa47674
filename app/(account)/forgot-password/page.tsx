import type { Metadata } from "next";
import { connection } from "next/server";
import { AccountCard } from "@/components/auth/account-card";
import { ForgotPasswordForm } from "@/components/auth/forgot-password-form";
import { canMail } from "@/lib/mail";

export const metadata: Metadata = { title: "Forgot your password" };

export default async function ForgotPasswordPage() {
  // Whether mail can be sent is known when the server runs, not when it was built.
  await connection();
  return (
    <AccountCard
      title="Forgot your password?"
      other={{ question: "Remembered it?", name: "Sign in", href: "/sign-in" }}
    >
      <ForgotPasswordForm canMail={canMail()} />
    </AccountCard>
  );
}
