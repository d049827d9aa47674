import { connection } from "next/server";
import { AccountCard, linkMetadata } from "@/components/auth/account-card";
import { LINK_SCRIPT } from "@/components/auth/link-script";
import { ResetPasswordForm } from "@/components/auth/reset-password-form";
import { resetDelivery } from "@/lib/platform/auth/write/reset";

export const metadata = linkMetadata("Choose a new password");

export default async function ResetPasswordPage() {
  // Whether a new link can be sent is known at run time, not at build time.
  await connection();
  return (
    <>
      <AccountCard
        title="Choose a new password"
        other={{ question: "Remember your password?", name: "Sign in", href: "/sign-in" }}
      >
        <ResetPasswordForm canGetLink={resetDelivery() !== "none"} />
      </AccountCard>
      <script>{LINK_SCRIPT}</script>
    </>
  );
}
