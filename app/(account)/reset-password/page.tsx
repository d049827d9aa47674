import type { Metadata } from "next";
import { AccountCard } from "@/components/auth/account-card";
import { LINK_SCRIPT } from "@/components/auth/link-script";
import { ResetPasswordForm } from "@/components/auth/reset-password-form";

export const metadata: Metadata = {
  title: "Choose a new password",
  // The link contains a secret.
  referrer: "no-referrer",
  robots: { index: false },
};

export default function ResetPasswordPage() {
  return (
    <>
      <AccountCard
        title="Choose a new password"
        other={{ question: "Remember your password?", name: "Sign in", href: "/sign-in" }}
      >
        <ResetPasswordForm />
      </AccountCard>
      <script>{LINK_SCRIPT}</script>
    </>
  );
}
